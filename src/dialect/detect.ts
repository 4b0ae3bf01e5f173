import { cached } from '../json/text-cache.ts';
import { ToolmendError } from '../json/toolmend-error.ts';
import { checkArgument } from '../json/value.ts';
import { dialects } from './dialects/index.ts';
import { markerWordsOf } from './grammar/faulty-markers.ts';
import type { CallForm, Dialect, Frame } from './types.ts';

/**
 * The dialect that a chat template teaches; undefined if unknown. Of several matches, the one with the longest hint.
 *
 * @example
 * dialectOf('… <|tool_call_argument_begin|> …') // 'kimi-k2'
 */
export function dialectOf(template: string): string | undefined {
  checkArgument(typeof template === 'string', 'template', 'the text of a chat template', template);
  let best: { name: string; weight: number } | undefined;
  for (const { name, hints = [] } of dialects) {
    const weight = Math.max(0, ...hints.filter((hint) => template.includes(hint)).map((hint) => hint.length));
    if (weight > (best?.weight ?? 0)) best = { name, weight };
  }
  return best?.name;
}

const byName = new Map(dialects.map((row) => [row.name, row]));
/** One-element lists, created once, so that caches by list work. */
const alone = new WeakMap<Dialect, readonly Dialect[]>();
const all = dialects.filter((row) => !row.manual);

/** Whether no marker distinguishes a form from prose: words, plain JSON, or a tag with a tool's name. */
const isBare = ({ bare, code, open, next = [] }: CallForm): boolean =>
  bare === true || code === true || !/[^\w\s:`.,~{}-]/.test((open + next.join('')).replace(/\{\w+\}/g, ''));

/** Closers of manual rows that this row covers, which can also follow its calls. */
const closersFor = ({ forms }: Dialect): readonly string[] =>
  dialects
    .filter((row) => row.manual && row.forms.some(({ open }) => forms.some((form) => form.open === open)))
    .flatMap(({ drop = [] }) => drop.filter((one) => /^<\/[a-z]{4,}>$/.test(one)));

/** The rows for `auto`: forms with markers. Others count only if they are the complete response. */
const auto = all.map((row) => ({
  ...row,
  forms: row.forms.filter((form) => !isBare(form)),
  drop: [...(row.drop ?? []), ...closersFor(row)],
  ...(row.think && { think: row.think.filter(([open]) => !open.startsWith('^') || row.special) }),
}));

// Most responses are read with these rows, so that the first one needn't wait for it.
markerWordsOf(auto);

/** Special tokens in a template. */
const specialTokens = /<[|｜][^<>]*>|<[^<>]*[|｜]>|<(?:start|end)_\w+>|\[[A-Z_]+\]/g;
const stripped = (template: string): string => template.replace(specialTokens, '').replace(/~+/g, '~');

/** Forms with a name and arguments as they are left if a server removes special tokens: words, or only the name. */
function strippedForms({ forms, frame, special, prefix = '' }: Dialect): readonly CallForm[] {
  const templates = [...forms, ...(frame?.tool === 'args' ? framed(frame) : [])];
  return templates
    .filter(
      ({ body, open, bare, special: own }) => !bare && body === 'args' && open.includes('{name}') && (own ?? special),
    )
    .map(({ open, close = [], ...form }) => ({
      ...form,
      open: stripped(open)
        .replace(/(?:functions\.)?\{name\}/, `${prefix}{tool}{num}`)
        .replace(/^~|\{id\}/g, ''),
      close: close.map(stripped).filter(Boolean),
      bare: true,
      readOnly: true,
      next: ['~{'],
    }));
}

/**
 * The header of a frame, with its channel before or after the tool, from its first, second or third word on, and without
 * the word for its content.
 */
const framed = ({ write }: Frame): readonly CallForm[] => {
  const headers = [write, write.replace(/(<\|channel\|>\w+)( to=[^ ]+)/, '$2 $1')].flatMap((one) =>
    ['', /^assistant\b\s*|^assistant(?=\w)/, /^assistant\w*\s+/].map((lost) =>
      stripped(one.replace('{args}', '')).replace(lost, ''),
    ),
  );
  const opens = new Set(headers.flatMap((open) => [open, open.replace(/\s\w+$/, '')]));
  return [...opens].map((open) => ({ open, body: 'args' as const }));
};

/** The rows without markers: a complete response in one of these is a call. */
export const messageRows = all
  .map(({ drop: _, sections: __, frame: ___, special: ____, ...row }) => ({
    ...row,
    think: row.think?.filter(([open]) => open === '^Thought:') ?? [],
    forms: row.forms.filter((form) => isBare(form) && (!form.open.startsWith('```') || form.open.includes('<'))),
  }))
  .map((row, index) => ({ ...row, forms: [...row.forms, ...strippedForms(all[index] as Dialect)] }))
  .filter(({ forms }) => forms.length > 0);

/** All rows that a text is read with if no dialect is named. */
export const unnamedRows: readonly Dialect[] = [...auto, ...messageRows];

/** Fenced variants of forms without markers, if a row doesn't list them itself. */
const fencedOf = ({ forms }: Dialect): CallForm[] =>
  forms
    .filter(({ open }) => open === '{bare}' || open === '{calls}')
    .flatMap((form) => ['```json~', '```tool_code~', '```\n~'].map((fence) => ({ ...form, open: fence + form.open })))
    .filter(({ open }) => !forms.some((form) => form.open === open))
    .map((form) => ({ ...form, close: ['```'], readOnly: true }));

/** What responses in the forms without markers start with, before a tool's name. */
export const messageHeads: readonly string[] = [
  ...new Set(
    messageRows.flatMap(({ forms }) => forms.flatMap(({ open }) => /^[^{<]*(?=\{tool\})/.exec(open)?.[0] ?? [])),
  ),
];

/** The rows of a dialect; all distinguishable ones for `auto`. */
export function rowsFor(dialect: string | Dialect | undefined): { rows: readonly Dialect[]; named: boolean } {
  if (dialect === undefined || dialect === 'auto') return { rows: auto, named: false };
  const row = typeof dialect === 'object' ? dialect : byName.get(dialect);
  if (!row)
    throw new ToolmendError(
      'unknown_dialect',
      `There is no dialect '${dialect}'. Expected one of: ${[...byName.keys()].join(', ')}`,
    );
  const rows = cached(alone, row, () => [{ ...row, forms: [...row.forms, ...fencedOf(row)] }]);
  return { rows, named: true };
}
