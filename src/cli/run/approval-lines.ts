import { preview } from '../../call/feedback-preview.ts';
import type { Approver } from '../../exec/permission.ts';
import { harmless } from '../colour.ts';
import type { Page } from '../show-outcome.ts';
import { wrap } from '../wrap.ts';

/** A call somebody is asked about. */
export type AskedCall = Pick<Parameters<Approver>[0], 'name' | 'input' | 'reason' | 'rule'>;

const longest = 2000;

/** What a person is shown before the question: the call, its arguments, and why it is asked. */
export function approvalLines({ name, input, reason }: AskedCall, { paint, width }: Page): string {
  const head = `${paint.yellow('?')} ${paint.bold(harmless(name))} wants to run: ${harmless(reason)}`;
  const given = wrap(harmless(preview(input, longest)), width - 4).map((line) => `    ${line}`);
  return `${[head, ...given].join('\n')}\n`;
}

/** The question itself. */
export const approvalPrompt = ({ rule }: AskedCall, { paint, width }: Page): string => {
  const always = width < 60 ? 'a always' : `a always (${harmless(rule)})`;
  return `  ${paint.dim(`y once · ${always} · n no · e edit`)} ${paint.yellow('›')} `;
};
