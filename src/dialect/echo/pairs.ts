import { isObject } from '../../json/value.ts';
import { argumentKeys, idKeys, nameKeys } from '../call/call-shape.ts';
import { canonical, foldKey } from './canonical.ts';
import { endOf, objectAt } from './object-at.ts';

/** A call's arguments, and the other keys of its tool. */
interface Pairs {
  readonly input: Readonly<Record<string, unknown>>;
  readonly declared: readonly string[];
}

const labels = [...argumentKeys, 'payload', 'with'];
const anyLabel = labels.join('|');
const behindName = /["'`*\])]{0,3}[ \t]{0,8}(?:[,;&:?>|→{(]|->|=>)?\s{0,40}/y;
/** What opens a list of pairs: a bracket of any notation. */
const opens = `\\s{0,40}["'\`]?(?:array\\s?)?[[({]?`;
const label = new RegExp(
  `[^\\p{L}\\p{N}_]{0,40}(?:${anyLabel})["'\`*\\])]{0,4}\\s{0,4}(?:=>|->|[:=>])\\*{0,2}${opens}`,
  'iuy',
);
const opensPairs = new RegExp(opens, 'iy');
const labelBefore = new RegExp(`(?:^|[\\s"'<])(?:${anyLabel})["'\`]?\\s{0,4}[:=]`, 'gi');
const opensElement = /<[\w:.-]{1,60}\s(?=[^<>]{0,400}$)/;
/** A key with the separator before its value; a flag needs none. */
const pair =
  /(?:[^\p{L}\p{N}_]|\d{1,3}[.)]\s){0,60}?(?:(--?[\w-]{1,60})[ \t=]\s{0,4}|["'`]?([\p{L}_][\p{L}\p{N}_.-]{0,60})["'`*\])]{0,4}\s{0,4}(:|=>?|->|\|)\*{0,2}[ \t]{0,8})/uy;
const told: ReadonlySet<string> = new Set([...nameKeys, ...idKeys, 'type', 'index', 'action', 'status'].map(foldKey));
const given: ReadonlySet<string> = new Set(labels.map(foldKey));
const heading = new RegExp(`\\s{0,40}\\[{1,2}(?:[\\w.-]{1,60}\\.)?(?:${anyLabel})\\]{1,2}`, 'iy');
const quote = /\s{0,40}["'`]?/y;
const rest = /(?:"[^"\n]{0,200}"|'[^'\n]{0,200}'|[^\s,;{}<>]{0,200})/y;

/**
 * Whether each argument follows or surrounds the name as a key with its value, without other arguments of the tool:
 * YAML lines, `key=value`, flags, attributes. A sentence with only the values doesn't count.
 */
export function holdsPairs(text: string, start: number, end: number, pairs: Pairs, reach: number): boolean {
  if (!Object.values(pairs.input).some((value) => value !== null && value !== undefined)) return false;
  const near = text.slice(end, end + reach);
  const from = passed(label, near, passed(behindName, near, 0));
  if (endOfPairs(near, from, pairs) >= 0) return true;
  const before = text.slice(Math.max(0, start - reach), start);
  const around = text.slice(start - before.length, end + reach);
  const element = opensElement.exec(before.slice(-460));
  if (element) {
    const at = before.length - Math.min(before.length, 460) + element.index + element[0].length;
    if (endOfPairs(around, at, pairs) >= 0) return true;
  }
  // If the arguments come first, the name is the value of a key after them.
  const named = [...before.slice(-reach).matchAll(labelBefore)].at(-1);
  if (!named) return false;
  const held = endOfPairs(around, named.index + named[0].length, pairs);
  return held >= before.length;
}

function passed(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : from;
}

/** Offset after the last pair; -1 if one is missing, different or superfluous. */
function endOfPairs(text: string, from: number, { input, declared }: Pairs): number {
  const wanted = new Map(
    Object.entries(input)
      .filter(([, value]) => value !== null && value !== undefined)
      .map(([key, value]) => [foldKey(key), value]),
  );
  const others = new Set(declared.map(foldKey));
  const seen = new Set<string>();
  let at = from;
  for (let count = 0; count < 200; count++) {
    at = passed(heading, text, at);
    pair.lastIndex = at;
    const found = pair.exec(text);
    const key = found && foldKey(found[1] ?? (found[2] as string));
    if (!found || key === null) break;
    const begins = found.index + found[0].length;
    if (wanted.has(key)) {
      const stop = endOfValue(text, begins, wanted.get(key), found[3] === ':' || found[3] === '|');
      if (stop < 0 || seen.has(key)) return -1;
      seen.add(key);
      at = stop;
    } else if (others.has(key)) return -1;
    else if (given.has(key)) {
      const object = passed(quote, text, begins);
      if (text[object] === '{' && canonical(objectAt(text, object)) === canonical(input)) return endOf(text, object);
      at = passed(opensPairs, text, begins);
    } else if (told.has(key)) at = passed(rest, text, begins);
    else break;
  }
  return seen.size === wanted.size ? at : -1;
}

const opensBlock = /[|>][+-]?\d?[ \t]*\r?\n/y;
const opensItem = /\s*-[ \t]{1,8}/y;
const ends = /["'`]?(?:$|[\s,;)\]}>|&]|\/>|\.(?:\s|$))/y;
/** After a colon, a value extends to the end of its line or to the next key. */
const endsLine = /["'`]?[ \t]*(?:$|[\n\r,;)\]}>|#]|\.(?:\s|$)|["'`]?[\w-]{1,60}["'`]?[:=])/y;

/** Offset after a value; -1 if there is a different one. */
function endOfValue(text: string, from: number, value: unknown, line: boolean): number {
  const at = passed(opensBlock, text, from);
  const start = at + (/^\s{0,80}/.exec(text.slice(at, at + 80))?.[0].length ?? 0);
  if (typeof value === 'object' && value !== null) {
    if (/[[{]/.test(text[start] ?? '')) {
      const stop = endOf(text, start);
      return stop > 0 && canonical(objectAt(text, start)) === canonical(value) ? stop : -1;
    }
    if (isObject(value)) return endOfPairs(text, at, { input: value, declared: [] });
    return endOfItems(text, at, value as readonly unknown[]);
  }
  const open = /["'`]/.test(text[start] ?? '') && !String(value).startsWith(text[start] as string) ? text[start] : '';
  const first = start + (open ? 1 : 0);
  const stop = typeof value === 'number' ? endOfNumber(text, first, value) : endOfWords(text, first, String(value));
  if (stop < 0) return -1;
  if (open) return text[stop] === open ? stop + 1 : -1;
  const boundary = line && at === from ? endsLine : ends;
  boundary.lastIndex = stop;
  return boundary.test(text) ? stop : -1;
}

function endOfItems(text: string, from: number, items: readonly unknown[]): number {
  let at = from;
  for (const item of items) {
    opensItem.lastIndex = at;
    if (!opensItem.test(text)) return -1;
    at = endOfValue(text, opensItem.lastIndex, item, true);
    if (at < 0) return -1;
  }
  opensItem.lastIndex = at;
  return opensItem.test(text) ? -1 : at;
}

const number = /[+-]?\d[\d_]{0,30}(?:\.\d{1,30})?(?:[eE][+-]?\d{1,3})?/y;

/** Offset after a number, with any number of trailing zeros; -1 if there is a different one. */
export function endOfNumber(text: string, from: number, value: number): number {
  number.lastIndex = from;
  const [written] = number.exec(text) ?? [];
  return written !== undefined && Number(written.replaceAll('_', '')) === value ? from + written.length : -1;
}

/** Offset after words with any white space between them; -1 if there are different ones. */
export function endOfWords(text: string, from: number, words: string): number {
  let at = from;
  for (const word of words.split(/\s+/).filter(Boolean)) {
    while (at < text.length && text.charCodeAt(at) <= 32) at += 1;
    if (!text.startsWith(word, at)) return -1;
    at += word.length;
  }
  return at;
}
