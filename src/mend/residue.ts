import { elided, type Problem, problemAt } from '../json/problem.ts';
import { callClosers, closersAtEnd, nameInMarkup } from '../json/tolerant/call-markup.ts';
import { fieldName, isObject, type Path } from '../json/value.ts';
import { editDistance } from '../schema/closest-key.ts';
import { foldKey } from '../schema/coerce/fold-key.ts';

/** Of a longer value, only the end is checked. */
const longest = 1_000_000;
const deepest = 64;

const closer = new RegExp(callClosers, 'gi');
/** The opener of a parameter at the start, also behind those of its call. */
const opened = /^(?:\s*<[^<>\n]{1,80}>){0,2}\s*(<parameter(?:\s+name\s*=\s*["']?|=)([\w.-]{1,128})["']?>)/;
/** A closing tag of a parameter at the end without its bracket, directly after a word, a sentence or a line of them. */
const cutOff = /[\p{L}\p{N}.!?…。]\n?<\/(?:parameter|arg_value)$/u;
const ownCloser = /(?:^|[:｜|] ?)(?:param|parameter|argument|(?:arg|param)_value(?::\w+)?)$/i;
const literal = (name: string): string => name.replace(/\W/g, '\\$&');
/** A closing tag, and the white space after it. */
const closing =
  /<(?:\/|\|close\|>\s*)((?:｜{1,2}\w{1,16}｜{1,2} |\w{1,16}\|)?[\w.:｜-]+)(?:>|\s*<\|sep\|>)?(?:\s|\]<\]minimax\[>\[)*/g;
/** What may be the opening tag of a parameter there, however it is spelled: a tag and a name in it, or what is left of one. */
const opening =
  /(?!<\/[\w.:-]+>)<[^<>\n]{0,80}>?(?:[^<>\n]{1,64}(?=<|$))?|(?:[\w:.-]{0,24}\s?=\s?["']?)?[\w.-]+["']?>/y;
/** What parameters are called where their tags aren't their keys. */
const tagWords = ['parameter', 'argument', 'arg_value'];
/** The end of a field and the start of the next one, in a dialect with its own quotes. */
const nextQuoted = /(<\|"\|>|<escape>)\s*,\s*["']?([\w.-]+)["']?\s*:\s*\1/g;
/** A key and value that stand for others (`"...": "..."`). */
const dots = /^(?:\.{3}|…)$/;
/** A value that is a placeholder: `<your path here>`, `<API_KEY>`. */
const placeholder = new RegExp(
  `^(?:${[
    '(?:your|insert|enter|put|replace|fill)[\\s_-][^<>]{0,80}|[^<>]{0,80}[\\s_-]here',
    '[^<>]{0,40}\\bpath/to/[^<>]{0,80}|placeholder',
    '(?:api|access|secret|auth)[\\s_-]?(?:key|token)',
  ].join('|')})$`,
  'i',
);
const screaming = /^[A-Z][A-Z\d]*(?:_[A-Z\d]+)+$/;
/** Words that name a value: one that isn't an element's name, or several that don't start like an element. */
const named =
  /^(?:(?:file|dir|user|host)name|filepath|password|uuid|ur[il]|(?=.*[^ -~])[\p{L}\p{M}]+)$|^(?!(?:no|not|none|unknown|empty|null|missing|invalid)[ _])(?:an? )?[\p{L}\p{M}]{2,}(?:[ _][\p{L}\p{M}]+)+$/u;
/** Elements with attributes without a value, such as `<input disabled>`. */
const elements =
  /^(?:area|audio|button|col|details|dialog|div|form|iframe|img|input|label|li|link|meta|object|ol|option|script|select|span|style|svg|table|td|text|textarea|th|tr|track|ul|video)[ _]/;
/** Fields that usually contain markup. A text outside any field is free text. */
export const markupField =
  /^$|content|text|html|xml|svg|code|body|template|markup|snippet|source|pattern|query|search|regex|find|replac|needle|old|new|tag|element|selector|diff|patch|message|output|data|expected|generic|type|header|import/i;

/**
 * Checks a valid call for values that were probably not intended: markup of the call itself in a value, or a
 * placeholder. Markup only counts if it is unbalanced and leads to a sibling field or closes the call at the very end,
 * so that code, templates and documents pass.
 */
export function residue(
  input: unknown,
  declared: ReadonlySet<string>,
  tool: string,
): { readonly problems: readonly Problem[]; readonly note: string | undefined } {
  const problems: Problem[] = [];
  let note: string | undefined;
  const look = (value: unknown, path: Path): void => {
    if (problems.length > 9 || path.length > deepest) return;
    if (typeof value === 'string') {
      const why = value.includes('<') ? reason(value, path, declared, tool) : undefined;
      if (why) problems.push(problemAt(path, 'residue', why, { received: value }));
      else if (note === undefined && value.includes('</')) note = unopened(value.slice(-longest), path);
    } else if (Array.isArray(value)) for (const [at, item] of value.entries()) look(item, [...path, at]);
    else if (isObject(value))
      for (const key of Object.keys(value)) {
        if (dots.test(key) && (value[key] === '' || dots.test(String(value[key]))))
          problems.push(problemAt([...path, key], 'residue', elided, { received: value[key] }));
        else if (path.length === 0 && !declared.has(key) && declared.has(nameInMarkup(key) ?? ''))
          problems.push(problemAt([...path, key], 'residue', keyInMarkup, { received: value[key] }));
        else look(value[key], [...path, key]);
      }
  };
  look(input, []);
  return { problems, note };
}

const keyInMarkup = 'has markup of the call itself in its key; send the key alone, or the same again if you mean it';

/** A note for a closing tag of calls without an opening tag in the value. */
function unopened(value: string, path: Path): string | undefined {
  for (const tag of new Set(value.match(closer)))
    if (isOpen(value, tag.slice(2, -1), -1))
      return `${fieldName(path)} has ${tag} without an opening tag; it was left unchanged`;
  return undefined;
}

function reason(value: string, path: Path, declared: ReadonlySet<string>, tool: string): string | undefined {
  if (value.length < 200 && isPlaceholder(value, path))
    return 'has a placeholder; send the real value, or the same again if you mean it';
  const markup = residueIn(value.slice(-longest), String(path.at(-1)), declared, tool)
    ?.replace(/["']+/g, '')
    .replace(/\s+/g, ' ');
  return markup && `has markup of the call itself (${markup}); send the value alone, or the same again if you mean it`;
}

/** Whether the complete value is a placeholder. */
export function isPlaceholder(value: string, path: Path): boolean {
  const said = /^\s*<\s*([^<>\n]+?)\s*>\s*$/.exec(value)?.[1];
  if (said === undefined) return false;
  if (placeholder.test(said) || screaming.test(said)) return true;
  const key = String(path.findLast((step) => typeof step === 'string') ?? '');
  if (foldKey(said) === foldKey(key)) return true;
  return !markupField.test(key) && !elements.test(said) && named.test(said);
}

function residueIn(value: string, key: string, declared: ReadonlySet<string>, tool: string): string | undefined {
  if (/^\s*<\|"\|/.test(value)) return '<|"|';
  const [, begun = '', name] = opened.exec(value) ?? [];
  if (name === key && !value.includes('</parameter')) return begun;
  let looks = 20;
  for (const { 0: tag, 1: closed = '', index } of value.matchAll(closing)) {
    if (!isOwn(closed, key)) continue;
    opening.lastIndex = index + tag.length;
    const next = opening.exec(value)?.[0] ?? '';
    const [opener = next] = /^<[^<>]*>?/.exec(next) ?? [];
    const named = [opener, next].find((part) =>
      part.match(/[\w.-]+/g)?.some((one) => one !== key && declared.has(one)),
    );
    if (named === undefined) continue;
    // Each check costs the length of the text before it.
    if (looks-- === 0) break;
    if (!isOpen(value.slice(0, index), closed)) return (tag + named).slice(0, 80);
  }
  for (const { 0: seam, 1: quote = '', 2: name = '', index } of value.matchAll(nextQuoted)) {
    if (name === key || !declared.has(name)) continue;
    if (looks-- <= 0) break;
    // After an opening one, it is what the value is about.
    if (value.slice(0, index).split(quote).length % 2 === 1) return seam.slice(0, 80);
  }
  // The rest is about tags at the end, which may lack their bracket.
  if (cutOff.test(value)) return residueIn(`${value}>`, key, declared, tool);
  if (!value.trimEnd().endsWith('>')) return undefined;
  const [own] = new RegExp(`</${literal(key)}>\\s*</${literal(tool)}>\\s*$`).exec(value.slice(-400)) ?? [];
  if (own !== undefined && !isOpen(value.slice(0, -own.length), key)) return own.trim();
  const [end = ''] = closersAtEnd.exec(value.slice(-400)) ?? [];
  const rest = value.slice(0, value.length - end.length);
  const tags = end.match(closer) ?? [];
  // A single closing tag, or one after a blank, is what the value is about.
  if (tags.length === 0 || rest.trim() === '' || (tags.length === 1 && /^ /.test(end))) return undefined;
  return tags.some((tag) => isOpen(rest, tag.slice(2, -1))) ? undefined : end.trim().slice(0, 80);
}

/** Whether a closing tag may be that of this field, also with a slip of the pen. */
function isOwn(closed: string, key: string): boolean {
  if (closed === key || ownCloser.test(closed)) return true;
  const word = closed.replace(/^.*[:|｜]\s*/, '');
  return [key, ...tagWords].some((one) => one.length > 4 && editDistance(word, one, 2) <= 2);
}

/** Whether a tag of this name is open at the end of the text, or with -1 closed more often than opened. */
function isOpen(text: string, name: string, sign: 1 | -1 = 1): boolean {
  const escaped = literal(name);
  let open = 0;
  let unopened = 0;
  for (const [tag] of text.matchAll(
    new RegExp(`<(?:/|\\|close\\|>\\s*)${escaped}(?![\\w.-])|<(?:\\|open\\|>\\s*)?${escaped}(?=[\\s=>/])`, 'gi'),
  )) {
    if (!/^<(?:\/|\|c)/.test(tag)) open += 1;
    else if (open > 0) open -= 1;
    else unopened += 1;
  }
  return (sign > 0 ? open : unopened) > 0;
}
