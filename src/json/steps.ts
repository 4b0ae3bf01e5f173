import { openBare } from './bare-step.ts';
import { isCloser, isColon, isComma, isQuote } from './chars.ts';
import { type Answer, itemAhead, keyAhead, peek, quotedKeyAhead, specialAhead, unclosedKeyAhead } from './lookahead.ts';
import { fail, type Machine, repair, tellQuotes } from './machine.ts';
import { closeFrame, noteMissing, open, takeCloser, takeKey } from './place.ts';
import { skip } from './skip.ts';
import { openString } from './string-step.ts';
import type { JsonValue } from './value.ts';

/** Each step consumes one token of the structure; false means that more text must come first. */

const bareKey = /([\p{L}\p{N}_$.@-]{1,128})(["'`”]?)/uy;

/** In an object, where a key or the closing brace is due. */
export function stepKey(m: Machine): boolean {
  if (!skip(m)) return false;
  const char = m.text[m.at] as string;
  if (isCloser(char)) return act(() => takeCloser(m, char));
  if (isComma(char)) return extraComma(m);
  if (endsText(m) !== false) return false;
  if (isQuote(char)) return stepQuotedKey(m);
  const ahead = keyAhead(m, m.at);
  if (ahead === undefined) return false;
  bareKey.lastIndex = m.at;
  const found = ahead ? bareKey.exec(m.text) : undefined;
  if (!found) return act(() => fail(m, 'has something that is no key'));
  const end = bareKey.lastIndex;
  if (peek(m, end) >= m.text.length) return act(() => cutOff(m));
  takeKey(m, found[1] as string);
  if (m.mode !== 'key') return true;
  tellQuotes(m, found[2] ? 'half' : 'bare', found[0]);
  m.at = end;
  m.mode = 'colon';
  return true;
}

/** A key in quotes, or one whose closing quote was forgotten. */
function stepQuotedKey(m: Machine): boolean {
  const quoted = quotedKeyAhead(m, m.at, false);
  if (quoted === undefined) return false;
  const open = quoted ? undefined : unclosedKeyAhead(m, m.at);
  if (!open) return openString(m, true);
  takeKey(m, open.key);
  if (m.mode !== 'key') return true;
  repair(m, 'quote', m.text.slice(m.at, open.end), 'inferred');
  m.at = open.end;
  m.mode = 'value';
  return true;
}

/** Between a key and its value. */
export function stepColon(m: Machine): boolean {
  if (!skip(m)) return false;
  const char = m.text[m.at] as string;
  if (char === '=' && m.at + 1 === m.text.length && !m.ended) return false;
  if (/[a-zA-Z]/.test(char) && m.text.length - m.at < 6 && !m.ended) return false;
  m.mode = 'value';
  if (isColon(char)) {
    if (char !== ':') repair(m, 'colon', char);
    m.at++;
  } else if (char === '=') {
    repair(m, 'colon', '=');
    m.at += m.text[m.at + 1] === '>' ? 2 : 1;
  } else if (isQuote(char) || /[{[\d-]/.test(char) || startsLiteral(m)) repair(m, 'colon', '');
  else fail(m, 'has no colon after its key');
  return true;
}

const literal = /(?:true|false|null|True|False|None)\b/y;

function startsLiteral(m: Machine): boolean {
  literal.lastIndex = m.at;
  return literal.test(m.text);
}

/** Where a value is due. */
export function stepValue(m: Machine): boolean {
  if (!skip(m)) return false;
  const char = m.text[m.at] as string;
  const frame = m.stack.at(-1);
  const list = Array.isArray(frame?.value);
  if (isCloser(char)) return act(() => takeCloser(m, char));
  if (isComma(char)) return list ? extraComma(m) : act(() => fail(m, 'has no value'));
  if (isColon(char)) return act(() => fail(m, 'has a colon too many'));
  if (endsText(m) !== false) return false;
  if (frame && list) {
    if (isQuote(char) && (frame.value as JsonValue[]).length > 0) {
      const key = quotedKeyAhead(m, m.at, false);
      if (key === undefined) return false;
      if (key) return act(() => leaveList(m));
    }
    frame.key = (frame.value as JsonValue[]).length;
    frame.comma = false;
  }
  if ('{[('.includes(char)) open(m, char);
  else if (isQuote(char)) return openString(m, false);
  else openBare(m);
  return true;
}

/** After a value: a comma, a closing bracket, or the next one with its comma forgotten. */
export function stepAfter(m: Machine): boolean {
  if (!skip(m)) return false;
  const char = m.text[m.at] as string;
  const frame = m.stack.at(-1);
  const list = Array.isArray(frame?.value);
  if (isComma(char) || char === ';') {
    if (char !== ',') repair(m, 'comma', char);
    if (frame) frame.comma = true;
    m.mode = list ? 'value' : 'key';
    m.at++;
    return true;
  }
  if (isCloser(char)) return act(() => takeCloser(m, char));
  if (endsText(m) !== false) return false;
  const next = list ? itemAhead(m, m.at) : isQuote(char) || /[\p{L}_$]/u.test(char);
  if (next === undefined) return false;
  if (next) {
    repair(m, 'comma', '');
    m.mode = list ? 'value' : 'key';
    return true;
  }
  return act(() => fail(m, 'is followed by something that is no JSON'));
}

/** A key inside a list: its bracket was forgotten, and the key belongs to the object around it. */
function leaveList(m: Machine) {
  while (Array.isArray(m.stack.at(-1)?.value)) {
    noteMissing(m, m.stack.at(-1)?.closer as string);
    closeFrame(m);
  }
  if (m.stack.length === 0) return fail(m, 'is a list with a key in it');
  m.mode = 'key';
}

/** A special token or the end of a fence ends the text while a bracket is open. */
function endsText(m: Machine): Answer {
  const special = specialAhead(m, m.at);
  if (!special) return special;
  repair(m, 'token', m.text.slice(m.at, m.at + 40));
  m.current?.after.push(m.text.slice(m.at));
  m.text = m.text.slice(0, m.at);
  m.sealed = true;
  return true;
}

function extraComma(m: Machine): boolean {
  repair(m, 'comma', ',');
  m.at++;
  return true;
}

/** The text ended inside a bare key. */
function cutOff(m: Machine): void {
  m.at = m.text.length;
}

/** Does something that always moves on. */
function act(move: () => void): true {
  move();
  return true;
}
