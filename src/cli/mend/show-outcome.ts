import type { Problem } from '../../json/problem.ts';
import type { Repair } from '../../json/repair.ts';
import { harmless } from '../../log/shown/visible.ts';
import { preview, shorten } from '../../mend/preview.ts';
import { describeRepair } from '../shared/describe-repair.ts';
import type { Colours } from '../terminal/colour.ts';
import { sideBySide, wrap } from '../terminal/layout.ts';

/** A result to display. */
export interface OutcomeView {
  readonly status: 'ok' | 'mended' | 'invalid';
  /** Model output. */
  readonly before: string;
  readonly input: unknown;
  readonly repairs: readonly Repair[];
  readonly problems: readonly Problem[];
  /** Feedback for the model. */
  readonly feedback?: string | undefined;
  readonly note?: string | undefined;
}

export interface Page {
  readonly paint: Colours;
  readonly width: number;
}

const longest = 1200;
const mostRepairs = 20;

const heads = {
  ok: { after: 'valid', tint: 'green' },
  mended: { after: 'mended', tint: 'green' },
  invalid: { after: 'refused', tint: 'red' },
} as const;

/** The input and the result side by side, with the reasons below. */
export function showOutcome(shown: OutcomeView, { paint, width }: Page): string {
  const { after, tint } = heads[shown.status];
  const half = Math.floor((width - 3) / 2);
  const result = shown.status === 'invalid' ? '(not run)' : preview(shown.input, longest);
  const lines = [
    `${paint.dim('written'.padEnd(half))} ${paint.dim('│')} ${paint[tint](after)}`,
    ...sideBySide(harmless(shorten(shown.before, longest)), harmless(result), width),
    '',
    ...why(shown, paint, width),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

function why({ repairs, feedback, note, status }: OutcomeView, paint: Colours, width: number): string[] {
  const told = (status === 'invalid' ? feedback : note) ?? '';
  const shown = status === 'invalid' ? [] : repairs.slice(0, mostRepairs);
  const lines = shown.flatMap((repair) => line(repair, paint, width));
  if (shown.length > 0 && repairs.length > mostRepairs)
    lines.push(paint.dim(`… and ${repairs.length - mostRepairs} more`));
  if (!told) return lines;
  const bar = paint.yellow('│');
  const quoted = wrap(harmless(told), width - 2).map((text) => `${bar} ${text}`.trimEnd());
  return [...lines, ...(lines.length > 0 ? [''] : []), paint.dim('message to the model'), ...quoted];
}

function line(repair: Repair, paint: Colours, width: number): string[] {
  const { certainty } = repair;
  const sure = certainty === 'lossless' ? paint.green(certainty) : paint.yellow(certainty);
  const wrapped = wrap(describeRepair(repair), width - 12);
  return wrapped.map((part, index) =>
    index === 0 ? `${sure}${' '.repeat(10 - certainty.length)}${part}` : `${' '.repeat(10)}${part}`,
  );
}
