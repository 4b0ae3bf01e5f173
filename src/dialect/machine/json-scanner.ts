import type { ListFault } from '../call/call-notes.ts';
import { startsInMarker } from '../grammar/marker-spelling.ts';

/** The position of a member in the text of a call's object. */
export interface Member {
  readonly key: string;
  readonly start: number;
  readonly end: number;
}

/**
 * How an object ended: closed; closed before a field, or before other text; containing something without a key; with its
 * arguments closed and itself not; or inside them.
 */
export type ObjectEnd = 'whole' | 'field' | 'text' | 'keyless' | 'given' | 'open';

/** Receives the content of a body while it is read. */
export interface Sink {
  /** A key at the call's own level has its value. If it is the name, the call can start. */
  member(key: string, value: string): void;
  /** The next piece of the arguments' text. */
  delta(text: string): void;
  /** An object ended: it was closed, the text ended, or a marker followed. */
  object(text: string, members: readonly Member[], end: ObjectEnd): void;
  /** Text between objects. */
  other(text: string): void;
}

/**
 * What is in doubt about strings in other quotes than the dialect's own, whose strings have no escapes: whether a backslash
 * starts an escape, which is certain, inferred or open; and whether the quote that opened a string is part of it.
 */
export interface StringDoubt {
  escape: 'none' | 'inferred' | 'open';
  opener: boolean;
}

/** JSON inside a call, as far as it was read. Its own brackets determine its end, never a marker in a string. */
export interface JsonBody {
  readonly kind: 'call' | 'args';
  readonly argumentKeys: (key: string) => boolean;
  /** The characters that represent a quote, if it isn't the quote itself. */
  readonly quote: string | undefined;
  /** Whether a marker that ends the body is at an offset outside of strings. */
  readonly stop: (text: string, at: number) => 'yes' | 'no' | 'wait';
  /** Whether the end of the body follows the last bracket, or the bracket is part of a value. Can request the object's text. */
  readonly ends: (text: string, at: number, ended: boolean, object: () => string) => 'yes' | 'no' | 'wait';
  /** The open brackets' closers. */
  readonly stack: number[];
  level: number;
  /** The closing quote of the open string; 0 outside of strings, -1 for the dialect's own quote. */
  string: number;
  escaped: boolean;
  /** How many strings may lack their opening quote. */
  unopened: number;
  /** Whether the dialect's own quote closed a string that another quote opened. */
  mixed: boolean;
  /** Where the string that another quote opened starts in the object's text, and what is in doubt about such strings. */
  opened: number;
  doubt: StringDoubt;
  /** The last character outside of strings that isn't white space. */
  last: number;
  /** The object's text, and its members. */
  text: string;
  members: Member[];
  state: 'key' | 'value' | 'none';
  /** Whether the object contains something without a key. */
  keyless: boolean;
  key: string;
  value: string;
  valueStart: number;
  /** The number of objects that have ended, and the fault between the objects of a list. */
  objects: number;
  fault: ListFault | undefined;
}

export const newJsonBody = (
  kind: 'call' | 'args',
  given: Pick<JsonBody, 'argumentKeys' | 'quote' | 'stop' | 'ends'>,
): JsonBody => ({
  kind,
  argumentKeys: given.argumentKeys,
  quote: given.quote,
  stop: given.stop,
  ends: given.ends,
  stack: [],
  level: 0,
  string: 0,
  escaped: false,
  unopened: 0,
  mixed: false,
  opened: 0,
  doubt: { escape: 'none', opener: false },
  last: 0,
  text: '',
  members: [],
  state: 'none',
  keyless: false,
  key: '',
  value: '',
  valueStart: 0,
  objects: 0,
  fault: undefined,
});

const [quote, apostrophe, backslash, comma, colon] = [34, 39, 92, 44, 58];
const closers: Readonly<Record<number, number>> = { 123: 125, 91: 93 };
/** An apostrophe only opens a string where a key or a value can start. */
const beforeString = new Set([0, 123, 91, comma, colon]);
const longestKey = 300;

/**
 * Continues at an offset.
 *
 * @returns where it stopped, and whether the body has ended or more text is needed
 */
export function scanJson(
  b: JsonBody,
  text: string,
  from: number,
  ended: boolean,
  sink: Sink,
): { at: number; done: boolean } {
  let at = from;
  let run = from;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (b.string === -1) {
      const close = text.indexOf(b.quote as string, at);
      const end = close >= 0 ? close : ended ? text.length : heldBack(text, at, b.quote as string);
      putEscaped(b, text.slice(at, end), sink);
      at = run = end;
      if (close < 0) break;
      put(b, '"', sink);
      b.string = 0;
      at = run = close + (b.quote as string).length;
    } else if (b.string > 0) {
      const opened = b.string;
      const end = inString(b, text, at);
      const own = b.quote === undefined ? undefined : ownQuote(b.quote, text, at, end, ended);
      if (!own) {
        at = end;
        if (b.quote === undefined || b.string !== 0) continue;
        run = keep(b, text, run, at, sink);
        noteEscapes(b, opened);
        continue;
      }
      run = keep(b, text, run, own.at, sink);
      b.escaped = false;
      b.string = own.ends ? 0 : opened;
      if (!own.ends) return { at: own.at, done: false };
      put(b, String.fromCharCode(opened), sink);
      b.mixed = true;
      b.doubt.opener = true;
      at = run = own.at + (b.quote as string).length;
    } else if (code === quote || (code === apostrophe && beforeString.has(b.last))) {
      b.string = code;
      b.last = code;
      at += 1;
      b.opened = b.text.length + at - run;
    } else if (code === 123 || code === 91) {
      if (b.stack.length === 0) b.level = b.kind === 'args' ? 1 : code === 91 ? 2 : 1;
      b.stack.push(closers[code] as number);
      b.last = code;
      at += 1;
      if (b.kind === 'call' && code === 123 && b.stack.length === b.level) {
        run = keep(b, text, run, at - 1, sink);
        if (b.level > 1) b.fault = faultAfter(b.fault, signsIn(b.text), b.objects > 0 ? ',' : '');
        tellOther(b, sink);
        b.members = [];
        run = keep(b, text, run, at, sink);
        begin(b);
      }
    } else if (code === 125 || code === 93) {
      const object = (): string => b.text + text.slice(run, at + 1);
      const isList = code === 93 && b.kind === 'call' && b.stack.length === 1;
      const isLast = isList || (code === 125 && b.stack.length === b.level);
      const end = isLast ? endAt(b, text, at + 1, ended, object) : 'whole';
      if (end === 'wait') break;
      run = keep(b, text, run, at, sink);
      const inner = b.stack.length;
      close(b, code);
      b.last = code;
      at += 1;
      const over = inner >= b.level && b.stack.length < b.level && (b.kind === 'args' || b.level > 0);
      if (over && b.kind === 'call') finishMember(b, sink);
      run = keep(b, text, run, at, sink);
      // The end of the list closes it.
      const lacks = code === 93 && b.kind === 'call' && b.level > 1;
      if (over && (b.kind === 'args' || inner >= b.level)) finishObject(b, sink, lacks ? 'given' : end);
      if (b.stack.length > 0) continue;
      if (isList && signsIn(b.text).length > 1) b.fault = 'hole';
      tellOther(b, sink);
      if (isList && end !== 'whole') sink.other('');
      return { at, done: true };
    } else if (code === comma || code === colon) {
      if (b.kind === 'call' && b.stack.length === b.level && b.state !== 'none') {
        run = keep(b, text, run, at, sink);
        if (code === colon && b.state === 'key') {
          run = keep(b, text, run, at + 1, sink);
          b.state = 'value';
          b.valueStart = b.text.length;
          b.value = '';
          b.key = unquoted(b.key.slice(0, -1));
        } else if (code === comma && b.state === 'value') {
          finishMember(b, sink);
          run = keep(b, text, run, at + 1, sink);
          begin(b);
        } else noteKeyless(b);
      }
      b.last = code;
      at += 1;
    } else if (b.quote !== undefined && text.startsWith(b.quote, at)) {
      run = keep(b, text, run, at, sink);
      const after = at + b.quote.length;
      const next = /\S/.exec(text.slice(after, after + 99))?.[0];
      if (!beforeString.has(b.last) && next === undefined && !ended) break;
      if (closes(b, next)) {
        b.mixed = true;
        at = run = after;
        continue;
      }
      put(b, '"', sink);
      b.string = -1;
      at = run = at + b.quote.length;
      b.last = quote;
    } else if (code <= 32) at += 1;
    else {
      if (b.quote !== undefined && !ended && at + b.quote.length > text.length && b.quote.startsWith(text.slice(at)))
        break;
      const stop = isWord(code) ? 'no' : b.stop(text, at);
      if (stop === 'wait' && !ended) break;
      if (stop === 'yes') {
        keep(b, text, run, at, sink);
        return { at, done: true };
      }
      b.last = code;
      at += 1;
    }
  }
  keep(b, text, run, at, sink);
  return { at, done: false };
}

/** Whether the next characters continue a string in the arguments, up to its quote or an escape. */
export const isFlowing = (b: JsonBody): boolean =>
  b.string !== 0 && !b.escaped && (b.kind === 'args' || (b.state === 'value' && b.argumentKeys(b.key)));

const member = /\s{0,99},\s{0,99}"[^"\\\n]{0,99}"\s{0,9}:/y;
const maybeMember = /\s{0,99}(?:,\s{0,99}(?:"[^"\\\n]{0,99}(?:"\s{0,9})?)?)?$/y;

/** A member after the end of an object means that the closer was superfluous. Other text means that it may be part of a value. */
function endAt(
  b: JsonBody,
  text: string,
  at: number,
  ended: boolean,
  object: () => string,
): 'whole' | 'field' | 'text' | 'wait' {
  member.lastIndex = at;
  if (member.test(text)) return 'field';
  maybeMember.lastIndex = at;
  if (!ended && maybeMember.test(text)) return 'wait';
  const ends = b.stack.length > 1 ? 'yes' : b.ends(text, at, ended, object);
  return ends === 'yes' ? 'whole' : ends === 'no' ? 'text' : ends;
}

/** The separators in a text between two calls. */
const signsIn = (text: string): string => text.replace(/[^,;]/g, '');

/** The fault of a list with these separators before a call: one too many, or a different one. */
export const faultAfter = (fault: ListFault | undefined, signs: string, due: '' | ','): ListFault | undefined =>
  signs.length > due.length ? 'hole' : (fault ?? (signs === due ? undefined : 'parted'));

/** An empty list next to other items. */
const nothing = /[[,]\s{0,99}\[\s{0,99}\]|\[\s{0,99}\]\s{0,99},/;

/** Reports the text between the objects of a list, without its punctuation. */
function tellOther(b: JsonBody, sink: Sink): void {
  const text = b.kind === 'call' ? b.text.replace(/^[\s,;[\]]+|[\s,;[\]]+$/g, '') : '';
  const empty = text === '' && nothing.test(b.text);
  b.text = '';
  if (text || empty) sink.other(text);
}

/** Continues to the end of the open string, or of the text. */
function inString(b: JsonBody, text: string, from: number): number {
  const end = b.string;
  let at = from;
  if (b.escaped) {
    b.escaped = false;
    at += 1;
  }
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === end) {
      b.string = 0;
      return at + 1;
    }
    if (code === backslash) {
      at += 1;
      if (at >= text.length) b.escaped = true;
    }
  }
  return text.length;
}

/**
 * Where the dialect's own quote ends a string that another quote opened: a comma, colon or bracket follows it. If this
 * depends on more text, the offset where the quote may start.
 */
function ownQuote(
  token: string,
  text: string,
  from: number,
  to: number,
  ended: boolean,
): { readonly at: number; readonly ends: boolean } | undefined {
  for (let at = text.indexOf(token, from); at >= 0 && at < to; at = text.indexOf(token, at + 1)) {
    const next = /\S/.exec(text.slice(at + token.length, at + token.length + 99))?.[0];
    if (next === undefined ? !ended : /[,:\]}]/.test(next)) return { at, ends: next !== undefined };
  }
  const kept = ended ? to : Math.min(to, heldBack(text, from, token));
  return kept < to ? { at: kept, ends: false } : undefined;
}

const sequence = /\\(?:["'\\/bfnrt]|u[\da-fA-F]{4})/;
const escapedQuote = { 34: /\\"\s*(.?)/g, 39: /\\'\s*(.?)/g };

/**
 * Notes backslashes in a string that another quote than the dialect's own opened. An escaped quote shows that they start escapes,
 * unless the string could end there.
 */
function noteEscapes(b: JsonBody, opened: number): void {
  const text = b.text.slice(b.opened, -1);
  if (!text.includes('\\')) return;
  const quotes = [...text.matchAll(opened === quote ? escapedQuote[34] : escapedQuote[39])];
  const isShown = quotes.length > 0 && quotes.every(([, next = '']) => !/[,:}\]]/.test(next));
  if (sequence.test(text) && !isShown) b.doubt.escape = 'open';
  else if (b.doubt.escape === 'none') b.doubt.escape = 'inferred';
}

/** Each of these strings copies the text before it. */
const mostUnopened = 50;

/** Words since the last string or bracket. */
const words = /[{,][^"'{}[\]]*$/;
const keyInWords = /[{,]\s*[\w@.$-]{1,128}\s*:/g;
const literals = /^[{,]\s*[\w@.$-]{1,128}\s*:\s*(?:-?\d[\d.eE+-]*|true|false|null)\s*$/;

/**
 * Whether the dialect's own quote ends a string that it didn't open: another quote has opened and closed the string, or
 * nothing has opened it. It then starts after the last key, if everything before this key is complete.
 */
function closes(b: JsonBody, next: string | undefined): boolean {
  if (next === undefined || !/[,\]}]/.test(next)) return false;
  if (b.last === apostrophe) return true;
  if (beforeString.has(b.last) || b.unopened === mostUnopened) return false;
  b.unopened += 1;
  let from = b.text.length;
  while (from > 0 && !'"\'{}[]'.includes(b.text[from] as string)) from -= 1;
  const found = words.exec(b.text.slice(from));
  const keys = [...(found?.[0].matchAll(keyInWords) ?? [])];
  const last = keys.at(-1);
  if (!found || !last) return false;
  const before = keys.slice(0, -1).map(({ index }, at) => found[0].slice(index, keys[at + 1]?.index));
  if (!before.every((field) => literals.test(field))) return false;
  const start = from + found.index + last.index + last[0].length;
  // White space may belong to the string or not, and a part of a marker is none of it.
  if (/^\s|\s$/.test(b.text.slice(start)) || startsInMarker(b.text.slice(start), b.quote as string)) return false;
  b.text = `${b.text.slice(0, start)}${JSON.stringify(b.text.slice(start))}`;
  b.last = quote;
  return true;
}

const isWord = (code: number): boolean => (code >= 48 && code <= 57) || ((code | 32) >= 97 && (code | 32) <= 122);

/** Closes everything that is open, because the text ended or a marker followed. */
export function endJson(b: JsonBody, sink: Sink): void {
  const end = b.kind === 'args' || isOpen(b) ? 'open' : 'given';
  if (b.kind === 'call' && b.state === 'value') finishMember(b, sink, false);
  if (b.stack.length >= Math.max(1, b.level)) finishObject(b, sink, end);
}

/** Whether the arguments are open: the reader is inside them, or before a value that shows its own end. */
const isOpen = (b: JsonBody): boolean =>
  b.state === 'value' &&
  b.argumentKeys(b.key) &&
  (b.stack.length > b.level || b.string !== 0 || !/[\]}"']\s{0,99}$/.test(b.text.slice(-100)));

function begin(b: JsonBody): void {
  b.state = 'key';
  b.key = '';
}

/** A closer also closes the open brackets inside its own. An unmatched closer is ignored. */
function close(b: JsonBody, code: number): void {
  const least = Math.max(0, b.stack.length - 8); // bounded, so that text made of brackets stays cheap
  let at = b.stack.length - 1;
  while (at >= least && b.stack[at] !== code) at -= 1;
  if (at >= least) b.stack.length = at;
  else if (b.stack.length === 1) b.stack.length = 0;
}

/** Passes on the text between two offsets, and returns the second. */
function keep(b: JsonBody, text: string, from: number, to: number, sink: Sink): number {
  if (to > from) put(b, text.slice(from, to), sink);
  return to;
}

function put(b: JsonBody, piece: string, sink: Sink): void {
  b.text += piece;
  if (b.kind === 'args') sink.delta(piece);
  else if (b.state === 'key') {
    if (b.key.length < longestKey) b.key += piece;
  } else if (b.state === 'value') {
    if (b.argumentKeys(b.key)) sink.delta(piece);
    else if (b.value.length < longestKey) b.value += piece;
  }
}

const putEscaped = (b: JsonBody, piece: string, sink: Sink): void => {
  if (piece) put(b, JSON.stringify(piece).slice(1, -1), sink);
};

function finishMember(b: JsonBody, sink: Sink, whole = true): void {
  if (b.state !== 'value') return;
  b.members.push({ key: b.key, start: b.valueStart, end: b.text.length });
  const { key } = b;
  b.state = 'none';
  if (whole) sink.member(key, b.value.trim());
}

/** If a comma or the end follows instead of a colon, the key isn't one. */
function noteKeyless(b: JsonBody): void {
  b.keyless ||= b.state === 'key' && /[^\s}]/.test(b.key);
}

function finishObject(b: JsonBody, sink: Sink, end: ObjectEnd): void {
  noteKeyless(b);
  b.objects += 1;
  sink.object(b.text, b.members, b.keyless ? 'keyless' : end);
  b.keyless = false;
  b.text = '';
  b.members = [];
  b.state = 'none';
}

/** How much of a text can be released, if it may end with the start of a token. */
function heldBack(text: string, from: number, token: string): number {
  for (let size = Math.min(token.length - 1, text.length - from); size > 0; size--) {
    if (token.startsWith(text.slice(text.length - size))) return text.length - size;
  }
  return text.length;
}

/** A key or a short string without its quotes. */
export function unquoted(text: string): string {
  const inner = text.trim();
  const first = inner[0];
  if ((first !== '"' && first !== "'") || !inner.endsWith(first) || inner.length < 2) return inner;
  if (first === '"' && inner.includes('\\')) {
    try {
      return JSON.parse(inner) as string;
    } catch {
      // Kept as written.
    }
  }
  return inner.slice(1, -1);
}
