import type { Problem } from '../../json/problem.ts';
import { hasOwn, type JsonObject, type JsonValue } from '../../json/value.ts';
import { editDistance } from '../../schema/closest-key.ts';
import type { ReadyForm } from '../grammar/grammar.ts';
import type { TaggedBody } from './state.ts';

const cdata = /^\s*<!\[CDATA\[([\s\S]*)\]\]>\s*$/;

/** The text of a tagged value, trimmed as its dialect does; a tree if it contains tags. */
export function taggedValue(written: string, form: ReadyForm): JsonValue {
  const { nested, trim } = form.row;
  // A section can't contain its own end, so text with one is written as two sections.
  const section = form.row.cdata ? cdata.exec(written)?.[1] : undefined;
  if (section !== undefined) return section.replaceAll(']]><![CDATA[', '');
  const tree = nested !== undefined && written.includes(`${nested}<`) ? readTree(written, nested) : undefined;
  if (tree !== undefined) return tree;
  if (trim === undefined || trim === 'none') return written;
  // A closer on its own line may be indented.
  const text = written.replace(/\r?\n[ \t]*$/, '');
  if (/^\r?\n/.test(written)) return text.replace(/^\r?\n/, '');
  return isOneSided(written, form) && !isLayout(text, form) ? written : text;
}

/** Whether a value starts on the line of its tag and ends on another one, unlike values between lines. */
export const isOneSided = (written: string, { row: { trim } }: ReadyForm): boolean =>
  trim !== undefined && trim !== 'none' && /^[^\r\n][\s\S]*\n[ \t]*$/.test(written);

/**
 * Whether the line break behind a text that starts on the line of its tag is only layout: after a single word, and after
 * a single line if the dialect writes values between lines. After several lines it is their last one.
 */
const isLayout = (text: string, { row: { trim } }: ReadyForm): boolean =>
  !(trim === 'inline' ? /\s/ : /[\r\n]/).test(text);

/** Whether a line break on one side of a value is certainly part of it, because the dialect has none of its own. */
export const isCertain = (value: JsonValue, { row: { trim } }: ReadyForm): boolean =>
  trim === 'inline' && typeof value === 'string' && /\s$/.test(value);

/**
 * A value between two line breaks, in a dialect that writes none around values; undefined if they aren't on both sides.
 * Around a single line they are layout, around several they may be part of the text.
 */
export function betweenLines(written: string, { row: { trim } }: ReadyForm): string | undefined {
  if (trim !== undefined && trim !== 'none') return undefined;
  const text = written.replace(/^[ \t]*\r?\n/, '');
  const inner = text.replace(/\r?\n[ \t]*$/, '');
  return text !== written && inner !== text && /\S/.test(inner) ? inner : undefined;
}

const tag = /<(\/?)([^<>/\s]{1,128})>/y;
const deepest = 200;

interface Node {
  readonly name: string;
  text: string;
  readonly children: [string, JsonValue][];
}

/**
 * Reads a value with prefixed tags: a tag is a key, and `item` a list item. Undefined if something would be lost: text
 * next to tags, a duplicate key, or a tag that is unclosed or too deep.
 */
function readTree(text: string, prefix: string): JsonValue | undefined {
  const stack: Node[] = [{ name: '', text: '', children: [] }];
  let at = 0;
  while (at < text.length) {
    const next = text.indexOf(prefix, at);
    const top = stack.at(-1) as Node;
    top.text += text.slice(at, next < 0 ? text.length : next);
    if (next < 0) break;
    at = next + prefix.length;
    tag.lastIndex = at;
    const found = tag.exec(text);
    if (!found) return undefined;
    at = tag.lastIndex;
    if (found[1] ? !leave(stack, found[2] as string) : stack.length >= deepest) return undefined;
    if (!found[1]) stack.push({ name: found[2] as string, text: '', children: [] });
  }
  return stack.length === 1 ? readNode(stack[0] as Node) : undefined;
}

function leave(stack: Node[], name: string): boolean {
  if (stack.length < 2 || stack.at(-1)?.name !== name) return false;
  const value = readNode(stack.pop() as Node);
  if (value !== undefined) stack.at(-1)?.children.push([name, value]);
  return value !== undefined;
}

/** A leaf is its text, `item` children are a list, and others an object. */
function readNode({ text, children }: Node): JsonValue | undefined {
  if (children.length === 0) return text;
  if (/\S/.test(text)) return undefined;
  if (children.every(([name]) => name === 'item')) return children.map(([, value]) => value);
  const made: JsonObject = {};
  for (const [name, value] of children) {
    if (hasOwn(made, name)) return undefined;
    Object.defineProperty(made, name, { value, enumerable: true, writable: true, configurable: true });
  }
  return made;
}

/** The last tag of a value, also with white space inside or without its bracket. */
const lastTag = /(?<!\s)\s*<\s*(\/?)\s*([\w:.｜|▁ -]{0,59}[\w:.｜|▁-])(?:\s*>)?\s*$/;

/** An element that ends a value without anything in it. */
const openerAtEnd = /<[^\s<>/][^<>]*(?<![\s/])>$/;

/** What models add to the name of a closer: a number, the name of another marker, or a second slash. */
const longerCloser = /(?<!\s)\s*<\/(\w+?)(?:\d{1,2}|_(?:function|call|tool|tool_call|name|value)|\/)>\s*$/;

/**
 * Removes what isn't part of a value without its closer: white space as between the other parameters, and its closer
 * without the slash, with a longer name or with the name of the parameter. Another tag there is reported: it may be part
 * of the value, or stand for the closer.
 *
 * @param isNext whether the opener of another parameter implied the end
 * @returns whether it could end at two places
 */
export function trimUnclosed(body: TaggedBody, closer: string, isNext: boolean): boolean {
  const { separator = '', value, form } = body;
  const [longer = '', name] = longerCloser.exec(value) ?? [];
  if (`</${name}>` === closer) {
    const rest = value.slice(0, -longer.length);
    if (rest.includes(longer.trim())) return true;
    if (!rest.includes(longer.trim().replace('</', '<'))) {
      body.value = rest + longer.replace(/<[^<>]*>\s*$/, '');
      return false;
    }
  }
  const [tag = '', slash, word = ''] = lastTag.exec(value) ?? [];
  if (isNext && slash && word === body.key && isWhole(value.slice(0, -tag.length), tag)) {
    body.value = value.slice(0, value.lastIndexOf('<'));
    return false;
  }
  const [opened = ''] = openerAtEnd.exec(value.slice(-200).trimEnd()) ?? [];
  const isPart = tag !== '' && form.paramCloseTemplate.includes(tag.trim());
  if (tag !== '' && `</${word}` === closer.replace(/>$/, ''))
    body.value = value.slice(0, -tag.length) + tag.replace(/<[^<>]*>?\s*$/, '');
  else if (isPart || (slash && !isBalanced(value, word)) || opened !== '')
    body.problems.push(wrongCloser(body.key as string, opened || tag.trim(), closer));
  else if (separator !== '' && value.endsWith(separator)) body.value = value.slice(0, -separator.length);
  const text = String(taggedValue(body.value, form));
  // The removed line break may belong to the content of a file. After a single word it is only layout, and so it is after
  // a line if the call has the same one before its parameters and another one follows.
  const isLayout = !/\s/.test(text) || (isNext && body.value + separator === value && !text.includes('\n'));
  const isTwofold = !isLayout && value.endsWith('\n') && (form.row.trim !== 'newline' || /\n[ \t]*$/.test(body.value));
  if (isTwofold || /\s$/.test(text)) body.problems.push(unclosed(body.key as string));
  return false;
}

/** Whether a text before a closer is a value: no blank is between them, and it has no tags or open quotes of its own. */
const isWhole = (text: string, tag: string): boolean =>
  /\S/.test(text) &&
  !/^[ \t]/.test(tag) &&
  !text.includes('<') &&
  ['"', '`'].every((quote) => text.split(quote).length % 2 === 1);

const wrongCloser = (key: string, tag: string, closer: string): Problem => ({
  path: [key],
  code: 'ambiguous',
  message: `Field '${key}' ends with ${tag}, which may be part of it or stand for ${closer}; close every tag with its own closing tag`,
});

const unclosed = (key: string): Problem => ({
  path: [key],
  code: 'ambiguous',
  message: `Field '${key}' has no closing tag, and the white space at its end may not belong to it; close every tag`,
});

/** Whether each closing tag of a name has its opening tag. */
function isBalanced(value: string, name: string): boolean {
  if (!value.includes(`<${name}`)) return false;
  let open = 0;
  for (const [tag] of value.matchAll(tagsOf(name))) {
    open += tag[1] === '/' ? -1 : 1;
    if (open < 0) return false;
  }
  return true;
}

const openTag = '<(?:\\|open\\|>)?';
const closeTag = '<(?:/|\\|close\\|>)';
const tagsOf = (name: string): RegExp =>
  new RegExp(`(?:${closeTag}|${openTag})${name.replace(/\W/g, '\\$&')}(?=[\\s=>/]|<\\|sep\\|>)`, 'g');
/** The name in a closer, with or without the brackets that a dialect has for its tags. */
const closerName = /<(?:\/|\|close\|>)([\w:.｜| -]+)(?:>|<\|sep\|>)?$/;

/** Whether a value has more openers than closers of the element that ends it, so that its end may be one of theirs. */
export function opensInside(value: string, closer: string): boolean {
  const name = closerName.exec(closer)?.[1]?.replaceAll('｜', '|');
  const text = value.replaceAll('｜', '|');
  if (name === undefined || !text.includes(name)) return false;
  const tags = text.match(tagsOf(name)) ?? [];
  return tags.reduce((open, found) => Math.max(0, open + (isClosing.test(found) ? -1 : 1)), 0) > 0;
}

const isClosing = /^<(?:\/|\|close)/;

/**
 * Whether a value ends with the start of its own closer, which may be written twice. If its end is implied, also with
 * any other part of the closer, or with one that has wrong characters.
 */
export function endsInCloser(value: string, closer: string, implied = false): boolean {
  const end = value.slice(-closer.length - 64).trimEnd();
  const [tag = '', slash = '', name = ''] = lastElement.exec(end) ?? [];
  const isOther = tag !== '' && !closer.endsWith(tag);
  // A single bracket after a blank is a sign of comparison.
  const fewest = implied || (closer.startsWith('<') && /\S[\r\n]*<$/.test(end)) ? 1 : 2;
  for (let size = Math.min(end.length, closer.length); size >= fewest; size--) {
    const last = end.slice(-size);
    if (closer.startsWith(last) || (implied && !isOther && closer.endsWith(last))) return true;
  }
  if (implied && lettersOf(end).endsWith(lettersOf(closer))) return true;
  const most = Math.ceil(closer.length / 6);
  const isNear = (size: number): boolean => editDistance(end.slice(-size), closer, most) <= most;
  const isOwn = slash !== '' && isBalanced(value, name);
  return implied && !isOwn && [-2, -1, 0, 1, 2].some((more) => isNear(closer.length + more));
}

const lastElement = /<(\/?)([^<>]*)>$/;
const lettersOf = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, '');

/** Whether a value starts with the end of its own opener, which may be written twice, or with a quote that it lacks. */
export function startsInOpener(value: string, opener: string): boolean {
  if (/^["'“”„‟]/.test(value) && (opener.match(/["'“”„‟]/g) ?? []).length % 2 === 1) return true;
  const start = value.slice(0, 64 + opener.length).trimStart();
  const written = opener.trimEnd();
  // A text may start with brackets and quotes.
  for (let size = Math.min(start.length, written.length); size > 2; size--)
    if (start.startsWith(written.slice(-size)) && /\w\w/.test(written.slice(-size))) return true;
  return false;
}

export const closerInside = (key: string, closer: string): Problem => ({
  path: [key],
  code: 'ambiguous',
  message: `Field '${key}' ends with a part of ${closer}, which may belong to its closing tag; close every tag once`,
});

export const openerInside = (key: string): Problem => ({
  path: [key],
  code: 'ambiguous',
  message: `Field '${key}' starts with a part of its opening tag; open every tag once`,
});

export const closedInside = (key: string, closer: string): Problem => ({
  path: [key],
  code: 'ambiguous',
  message: `Field '${key}' contains ${closer} before other text, so it may end there; open every field with its own tag`,
});

export const fieldInside = (key: string, closer: string): Problem => ({
  path: [key],
  code: 'ambiguous',
  message: `Field '${key}' has no ${closer} and contains another field; close every tag before the next one`,
});

export const openedInside = (key: string, closer: string): Problem => ({
  path: [key],
  code: 'ambiguous',
  message: `Field '${key}' has an opening tag whose closing tag may be the ${closer} that ends it; close every tag`,
});
