import { dialects } from '../dialects/index.ts';
import type { Dialect } from '../types.ts';
import { closing, folded, opening, square, tag, templateToken, unbarred } from './marker-spelling.ts';

const closesOf = ({ forms, sections = [] }: Dialect): readonly string[] => [
  ...forms.flatMap(({ close = [], param = '' }) => [...close, param.split('{value}')[1] ?? '']),
  ...sections.map(([, close]) => close),
];

/** What is left of the markers in templates. */
const keysIn = (templates: readonly string[]): ReadonlySet<string> =>
  new Set(
    templates.flatMap((template) =>
      [...template.matchAll(templateToken)].map(([, slash = '', word, squareSlash = '', square]) =>
        square ? `[${squareSlash}${folded(square)}` : slash + folded(word ?? ''),
      ),
    ),
  );

const closers = keysIn(dialects.flatMap(closesOf));
const openers = keysIn(
  dialects.flatMap(({ forms, sections = [] }) => [...forms.map(({ open }) => open), ...sections.map(([open]) => open)]),
);
const plainClosers = new Set([...closers].map(unbarred).filter((key) => !openers.has(key)));
/** Closers that have no slash, with one. */
const slashless = new Set([...plainClosers].filter((key) => !/^[/[]/.test(key)).map((key) => `/${key}`));
const tagHere = new RegExp(tag.source, 'y');
const squareHere = new RegExp(square.source, 'y');
const begunTag = new RegExp(`[${opening}][ \\t]{0,3}(/?)([^${opening}${closing}\\n]{0,300})$`, 'y');
const begunSquare = /[[［][ \t]{0,3}(\/?)([A-Za-z_\\-]{0,24})[ \t]{0,3}$/y;
const keys = [...closers, ...plainClosers, ...slashless];

/** The end of a closer of any dialect in any spelling; undefined if there is none. */
export function closerAt(text: string, at: number): number | undefined {
  tagHere.lastIndex = at;
  const [, slash = '', word = '', more = ''] = tagHere.exec(text) ?? [];
  const key = slash + folded(word + more);
  if (word && (closers.has(key) || plainClosers.has(unbarred(key)) || slashless.has(key))) return tagHere.lastIndex;
  squareHere.lastIndex = at;
  const [, squareSlash = '', square = ''] = squareHere.exec(text) ?? [];
  return square && closers.has(`[${squareSlash}${folded(square)}`) ? squareHere.lastIndex : undefined;
}

/** Whether the rest of the text may become a closer of any dialect, of which it has only the beginning so far. */
export function beginsCloser(text: string, at: number): boolean {
  begunTag.lastIndex = at;
  const tagged = begunTag.exec(text);
  begunSquare.lastIndex = at;
  const squared = tagged ? null : begunSquare.exec(text);
  const [, slash = '', word = ''] = tagged ?? squared ?? [];
  if (!tagged && !squared) return false;
  const key = (squared ? '[' : '') + slash + folded(word);
  return keys.some((one) => one.startsWith(key) || one.startsWith(unbarred(key)));
}

/** The end of closers of any dialect, if nothing but them is left of the text; undefined otherwise. */
export function otherClosers(text: string, from: number, ended: boolean): number | 'wait' | undefined {
  let at = from;
  for (let end = closerAt(text, at); end !== undefined; end = closerAt(text, at)) {
    at = end;
    while (at < text.length && text.charCodeAt(at) <= 32) at += 1;
  }
  if (at === text.length && at > from) return ended ? at : 'wait';
  return !ended && beginsCloser(text, at) ? 'wait' : undefined;
}
