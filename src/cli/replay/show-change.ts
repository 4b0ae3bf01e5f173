import { preview } from '../../call/feedback-preview.ts';
import { harmless } from '../colour.ts';
import { cutTo } from '../columns.ts';
import { repairWords } from '../repair-words.ts';
import type { Page } from '../show-outcome.ts';
import { wrap } from '../wrap.ts';
import type { LoggedCall } from './logged-calls.ts';
import type { Judged, Replayed } from './replay-call.ts';

/** A call whose outcome changed: what was written, what came of it then, what comes of it now. */
export function showChange(
  { event }: LoggedCall,
  { was, now }: Extract<Replayed, { was: Judged }>,
  page: Page,
): string {
  const { paint, width } = page;
  const { run, seq, call } = event;
  const written = typeof call.arguments === 'string' ? call.arguments : preview(call.arguments, 400);
  const lines = [
    `${paint.yellow('≠')} ${paint.bold(harmless(call.name))}  ${paint.dim(`${run} ${seq}`)}`,
    `  ${paint.dim(cutTo(`wrote: ${harmless(written)}`, width - 2))}`,
    ...told('was', was, width),
    ...told('now', now, width),
  ];
  return `${lines.join('\n')}\n`;
}

function told(when: string, judged: Judged, width: number): string[] {
  const { status, name, input, errorType, problems, repairs } = judged;
  const head =
    status === 'invalid' ? `refused: ${errorType}` : `${status} ${harmless(`${name} ${preview(input, 400)}`)}`;
  const why =
    status === 'invalid'
      ? problems.map(harmless)
      : repairs.map((repair) => `${repairWords(repair)} (${repair.certainty})`);
  const lines = [head, ...why.slice(0, 6)].flatMap((text, index) =>
    wrap(text, width - 9).map((line) => (index === 0 ? line : `  ${line}`)),
  );
  return lines.map((line, index) => `  ${index === 0 ? when : '   '}  ${line}`);
}
