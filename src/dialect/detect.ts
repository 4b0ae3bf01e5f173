import { ToolmendError } from '../json/toolmend-error.ts';
import { dialects } from './rows/index.ts';
import type { CallForm, Dialect } from './types.ts';

/**
 * The dialect that a chat template teaches its model; undefined where none is known. Of several that fit, the one with
 * the longest telling words.
 *
 * @example
 * dialectOf('… <|tool_call_argument_begin|> …') // 'kimi-k2'
 */
export function dialectOf(template: string): string | undefined {
  let best: { name: string; weight: number } | undefined;
  for (const { name, hints = [] } of dialects) {
    const weight = Math.max(0, ...hints.filter((hint) => template.includes(hint)).map((hint) => hint.length));
    if (weight > (best?.weight ?? 0)) best = { name, weight };
  }
  return best?.name;
}

const byName = new Map(dialects.map((row) => [row.name, row]));
/** Lists of one row, each made once, so that what is worked out for a list is found again. */
const alone = new WeakMap<Dialect, readonly Dialect[]>();
const all = dialects.filter((row) => !row.manual);

/** A form that no marker tells from prose: words, plain JSON, a tag that bears a tool's name. */
const isBare = ({ bare, code, open, next = [] }: CallForm): boolean =>
  bare === true || code === true || !/[^\w\s:`.,~{}-]/.test((open + next.join('')).replace(/\{\w+\}/g, ''));

/** Closers around answers of rows that another row stands for: behind its calls they are closers too. */
const closersFor = ({ forms }: Dialect): readonly string[] =>
  dialects
    .filter((row) => row.manual && row.forms.some(({ open }) => forms.some((form) => form.open === open)))
    .flatMap(({ drop = [] }) => drop.filter((one) => /^<\/[a-z]{4,}>$/.test(one)));

/** What is read where no dialect is named: what has markers. The rest is a call only as a whole answer. */
const auto = all.map((row) => ({
  ...row,
  forms: row.forms.filter((form) => !isBare(form)),
  drop: [...(row.drop ?? []), ...closersFor(row)],
  ...(row.think && { think: row.think.filter(([open]) => !open.startsWith('^') || row.special) }),
}));

/** Only what has none: a whole answer in one of these is a call. */
export const messageRows = all
  .map(({ drop: _, sections: __, frame: ___, special: ____, ...row }) => ({
    ...row,
    think: row.think?.filter(([open]) => open === '^Thought:') ?? [],
    forms: row.forms.filter((form) => isBare(form) && (!form.open.startsWith('```') || form.open.includes('<'))),
  }))
  .filter(({ forms }) => forms.length > 0);

/** The fences that forms without markers stand in, where a row does not list them itself. */
const fencedOf = ({ forms }: Dialect): CallForm[] =>
  forms
    .filter(({ open }) => open === '{bare}' || open === '{calls}')
    .flatMap((form) => ['```json~', '```tool_code~', '```\n~'].map((fence) => ({ ...form, open: fence + form.open })))
    .filter(({ open }) => !forms.some((form) => form.open === open))
    .map((form) => ({ ...form, close: ['```'], readOnly: true }));

/** The rows that a dialect's name stands for; all that can be told apart where none is named. */
export function rowsFor(dialect: string | Dialect | undefined): { rows: readonly Dialect[]; named: boolean } {
  if (dialect === undefined || dialect === 'auto') return { rows: auto, named: false };
  const row = typeof dialect === 'object' ? dialect : byName.get(dialect);
  if (!row)
    throw new ToolmendError(
      'unknown_dialect',
      `There is no dialect '${dialect}'. Expected one of: ${[...byName.keys()].join(', ')}`,
    );
  const rows = alone.get(row) ?? [{ ...row, forms: [...row.forms, ...fencedOf(row)] }];
  alone.set(row, rows);
  return { rows, named: true };
}
