import type { ApprovalRequest } from '../../exec/permission.ts';
import { effectWords, shownArguments, visible } from '../../log/shown-arguments.ts';
import type { Page } from '../show-outcome.ts';
import { wrap } from '../wrap.ts';

/** A call somebody is asked about. */
export type CallToApprove = Pick<ApprovalRequest, 'tool' | 'name' | 'input' | 'reason' | 'rule' | 'problems'>;

/** What a person is shown before the question: what it does, the call, every argument, and why it is asked. */
export function approvalLines(
  { tool, name, input, reason, problems = [] }: CallToApprove,
  { paint, width }: Page,
): string {
  const tint = tool.effect === 'destructive' ? paint.red : paint.yellow;
  const words = `${visible(name)} wants to run: ${visible(reason)}`;
  const [head = '', ...more] = wrap(`${effectWords[tool.effect]} ${words}`, width - 2);
  const lead = effectWords[tool.effect].length;
  const given = wrap(shownArguments(input), width - 4).map((line) => `    ${line}`);
  const faults = problems.flatMap(({ message }) =>
    wrap(visible(message), width - 4).map((line) => paint.red(`  ! ${line}`)),
  );
  const first = `${paint.yellow('?')} ${tint(head.slice(0, lead))}${paint.bold(head.slice(lead))}`;
  return `${[first, ...more.map((line) => `  ${paint.bold(line)}`), ...given, ...faults].join('\n')}\n`;
}

/** The question itself. What destroys says so once more, where the head has scrolled away. */
export const approvalPrompt = ({ rule, tool }: CallToApprove, { paint, width }: Page): string => {
  const always = width < 60 ? 'a always' : `a always (${visible(rule)})`;
  const effect = tool.effect === 'destructive' ? `${paint.red(effectWords.destructive)} ` : '';
  return `  ${effect}${paint.dim(`y once · ${always} · n no · e edit`)} ${paint.yellow('›')} `;
};
