import { addText } from './emit.ts';
import type { ReadyForm } from './grammar.ts';
import type { Machine } from './machine.ts';
import { openJson, strayClosers } from './open-form.ts';
import { matchAt, partAt } from './pattern.ts';

const another = /[;,]?\s{0,99}(?=[[{]\s{0,99}["'{])/y;
const maybeAnother = /[;,]?\s{0,99}(?:[[{]\s{0,99})?$/y;
/** Inside markers anything in brackets belongs to the calls; what is none of them is left as text. */
const anyJson = /[;,]?\s{0,99}(?=\{|\[(?!\/?[a-z_]{2,24}[\] =]))/iy;

/** After a body: takes its closers, whatever is left of brackets, and the next body where several stand together. */
export function stepAfter(m: Machine): boolean {
  const form = m.lastForm as ReadyForm;
  const from = m.at;
  let at = from;
  while (at < m.buffer.length && m.buffer.charCodeAt(at) <= 32) at += 1;
  m.gap += m.buffer.slice(from, at);
  m.at = at;
  if (at === m.buffer.length) return false;
  for (const close of form.closes) {
    const match = matchAt(close, m.buffer, at);
    if (match) {
      m.at = match.end;
      m.gap = '';
      m.mode = 'text';
      return true;
    }
    // The longer ones stand first, so that a short one waits for them.
    if (!m.ended && partAt(close, m.buffer, at)) return false;
  }
  if (form.body === 'call' && !form.single) {
    const more = form.closes.length > 0 && !form.bare ? anyJson : another;
    more.lastIndex = at;
    if (more.test(m.buffer)) {
      const source = m.buffer.slice(at, more.lastIndex);
      m.at = more.lastIndex;
      leaveGap(m);
      openJson(m, form, undefined, undefined, source);
      return true;
    }
    maybeAnother.lastIndex = at;
    if (!m.ended && maybeAnother.test(m.buffer)) return false;
  }
  strayClosers.lastIndex = at;
  if (strayClosers.test(m.buffer)) {
    m.at = strayClosers.lastIndex;
    return true;
  }
  m.mode = 'text';
  leaveGap(m);
  return true;
}

/** White space that nothing closed is text, if text follows. */
function leaveGap(m: Machine): void {
  const { gap } = m;
  m.gap = '';
  if (m.candidate && !m.candidate.confirmed) addText(m, gap);
  else m.space = (m.space ?? '') + gap;
}
