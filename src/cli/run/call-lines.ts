import type { ApprovalRequest } from '../../execute/permission-rules.ts';
import { effectLabels, shownArguments } from '../../log/shown/shown-arguments.ts';
import { harmless, visible } from '../../log/shown/visible.ts';
import type { CallRecord } from '../../log/state.ts';
import { preview } from '../../mend/preview.ts';
import type { ResultPart } from '../../model/index.ts';
import type { Progress } from '../../tools/tool.ts';
import type { Page } from '../mend/show-outcome.ts';
import { describeRepair } from '../shared/describe-repair.ts';
import type { Colours } from '../terminal/colour.ts';
import { columnsOf, truncateTo, wrap } from '../terminal/layout.ts';

const mostRepairs = 6;
const mostOutput = 3;
const mostFeedback = 8;
const longest = 400;

/** A finished call: a line with its result, followed by repairs and feedback. */
export function callLines(record: CallRecord, page: Page, ms?: number): string[] {
  const { paint, width } = page;
  const verdict = callStatus(record);
  const { sign, tint } = statusStyles[verdict];
  const { errorType, decision, repairs, result } = record;
  const words = [
    verdict === 'ok' ? '' : errorType && errorType !== 'denied' ? `${verdict}: ${errorType}` : verdict,
    ...(decision && decision.type !== 'deny' ? [decision.type === 'edit' ? 'edited' : 'allowed'] : []),
    ...(ms !== undefined ? [`${ms} ms`] : []),
  ].filter(Boolean);
  const isBad = verdict !== 'ok' && verdict !== 'mended';
  return [
    headLine(paint[tint](sign), record, paint[tint](words.join(', ')), page),
    ...(verdict === 'refused' || repairs.length === 0
      ? []
      : [writtenLine(record, page), ...repairLines(repairs, page)]),
    ...(result ? resultLines(result, isBad ? paint.yellow : paint.dim, isBad ? mostFeedback : mostOutput, width) : []),
  ];
}

/** A running call, in one line. */
export function openCallLine(record: CallRecord, page: Page, progress?: Progress): string {
  const { sign, word, tint } = openLooks[record.state] ?? openLooks.pending;
  const told = progress ? [word, progressWords(progress)].filter(Boolean).join(', ') : word;
  return headLine(page.paint[tint](sign), record, page.paint[tint](truncateTo(told, Math.floor(page.width / 2))), page);
}

interface OpenLook {
  readonly sign: string;
  readonly word: string;
  readonly tint: keyof Colours;
}

const pending: OpenLook = { sign: '◌', word: 'pending', tint: 'dim' };
const openLooks: Readonly<Record<string, OpenLook>> & { readonly pending: OpenLook } = {
  pending,
  approval_required: { sign: '?', word: 'waiting for approval', tint: 'yellow' },
  approved: { sign: '◌', word: 'allowed', tint: 'dim' },
  result_required: { sign: '?', word: 'waiting for its result', tint: 'yellow' },
  executing: { sign: '●', word: 'running', tint: 'cyan' },
};

function progressWords({ message, done, total }: Progress): string {
  const count = done === undefined ? '' : total === undefined ? `${done}` : `${done} of ${total}`;
  return harmless([message, count].filter(Boolean).join(' '));
}

/** `✓ name arguments word`, within the width: the arguments are shortened. */
function headLine(sign: string, { name, call, input }: CallRecord, word: string, { paint, width }: Page): string {
  const shown = truncateTo(visible(name), Math.max(8, Math.floor(width / 2)));
  const bare = plainText(word);
  const room = width - 2 - columnsOf(shown) - 1 - (bare === '' ? 0 : columnsOf(bare) + 2);
  const given = visible(written(input === undefined ? call.arguments : input));
  const text = room < 6 ? '' : ` ${paint.dim(truncateTo(given, room))}`;
  return `${sign} ${paint.bold(shown)}${text}${bare === '' ? '' : `  ${word}`}`;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours are what is taken out
const plainText = (text: string): string => text.replace(/\u001b\[\d+m/g, '');

const written = (value: unknown): string =>
  typeof value === 'string' ? value.slice(0, longest) : preview(value, longest);

/** What the model wrote, if it differs from what runs. */
const writtenLine = ({ call }: CallRecord, { paint, width }: Page): string =>
  `  ${paint.dim(truncateTo(`wrote: ${visible(written(call.arguments).replace(/\s*\n\s*/g, ' '))}`, width - 2))}`;

function repairLines(repairs: CallRecord['repairs'], { paint, width }: Page): string[] {
  const lines = repairs.slice(0, mostRepairs).flatMap((repair) => {
    const sure = repair.certainty === 'lossless' ? paint.green : paint.yellow;
    const texts = wrap(`${describeRepair(repair)} (${repair.certainty})`, width - 6);
    return texts.map((text, index) => `${index === 0 ? `  ${sure('~')} ` : '    '}${text}`);
  });
  const more = repairs.length - mostRepairs;
  return more > 0 ? [...lines, paint.dim(`    … and ${more} more`)] : lines;
}

function resultLines(result: ResultPart, tint: (text: string) => string, most: number, width: number): string[] {
  const text = result.content.map((part) => (part.type === 'text' ? part.text : mediaWords(part))).join('\n');
  const lines = text
    .slice(0, 4000)
    .split('\n')
    .filter((line) => line.trim() !== '');
  const wrapped = lines.slice(0, most + 1).flatMap((line) => wrap(harmless(line), width - 4));
  const shown = wrapped.slice(0, most);
  const more = lines.length > most || wrapped.length > most || text.length > 4000;
  return [...shown, ...(more ? ['…'] : [])].map((line) => `  ${tint('│')} ${tint(line)}`);
}

const mediaWords = (part: Exclude<ResultPart['content'][number], { type: 'text' }>): string =>
  part.type === 'media' ? `[${part.mediaType}]` : '[other content]';

/** The displayed status of a call. */
type CallStatus = 'open' | 'ok' | 'mended' | 'failed' | 'refused' | 'denied' | 'settled';

/** How each status is drawn. */
const statusStyles: Readonly<Record<CallStatus, { readonly sign: string; readonly tint: keyof Colours }>> = {
  open: { sign: '·', tint: 'dim' },
  ok: { sign: '✓', tint: 'green' },
  mended: { sign: '✓', tint: 'green' },
  failed: { sign: '✗', tint: 'red' },
  refused: { sign: '✗', tint: 'red' },
  denied: { sign: '⊘', tint: 'yellow' },
  settled: { sign: '?', tint: 'yellow' },
};

/** The status of a call: `refused` never ran, `failed` did. */
export function callStatus({ state, repairs, key }: CallRecord): CallStatus {
  if (state === 'completed') return repairs.some(({ kind }) => kind !== 'text') ? 'mended' : 'ok';
  if (state === 'failed') return key === undefined ? 'refused' : 'failed';
  return state === 'denied' || state === 'settled' ? state : 'open';
}

/** Number of calls by status: `5 calls, 2 mended, 1 refused`. */
export function countCalls(calls: Iterable<CallRecord>): string {
  const counts = new Map<CallStatus, number>();
  let all = 0;
  for (const call of calls) {
    const verdict = callStatus(call);
    counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
    all += 1;
  }
  const told = (['mended', 'refused', 'failed', 'denied', 'settled', 'open'] as const).flatMap((verdict) => {
    const count = counts.get(verdict);
    return count ? [`${count} ${verdict}`] : [];
  });
  return [`${all} ${all === 1 ? 'call' : 'calls'}`, ...told].join(', ');
}

/** A call to approve. */
export type CallToApprove = Pick<ApprovalRequest, 'tool' | 'name' | 'input' | 'reason' | 'rule' | 'problems'>;

/** What the user sees before deciding: the effect, the call, every argument, and the reason. */
export function approvalLines(
  { tool, name, input, reason, problems = [] }: CallToApprove,
  { paint, width }: Page,
): string {
  const tint = tool.effect === 'destructive' ? paint.red : paint.yellow;
  const words = `${visible(name)} wants to run: ${visible(reason)}`;
  const [head = '', ...more] = wrap(`${effectLabels[tool.effect]} ${words}`, width - 2);
  const lead = effectLabels[tool.effect].length;
  const given = wrap(shownArguments(input), width - 4).map((line) => `    ${line}`);
  const faults = problems.flatMap(({ message }) =>
    wrap(visible(message), width - 4).map((line) => paint.red(`  ! ${line}`)),
  );
  const first = `${paint.yellow('?')} ${tint(head.slice(0, lead))}${paint.bold(head.slice(lead))}`;
  return `${[first, ...more.map((line) => `  ${paint.bold(line)}`), ...given, ...faults].join('\n')}\n`;
}

/** The prompt. Repeats the effect of a destructive tool, because the head may have scrolled away. */
export const approvalPrompt = ({ rule, tool }: CallToApprove, { paint, width }: Page): string => {
  const always = width < 60 ? 'a always' : `a always (${visible(rule)})`;
  const effect = tool.effect === 'destructive' ? `${paint.red(effectLabels.destructive)} ` : '';
  return `  ${effect}${paint.dim(`y once · ${always} · n no · e edit`)} ${paint.yellow('›')} `;
};

/** A user message, as typed at the prompt. */
export const personLines = (text: string, { paint, width }: Page): string[] =>
  wrap(harmless(text), width - 2).map((line, index) => `${paint.cyan(index === 0 ? '›' : ' ')} ${paint.bold(line)}`);
