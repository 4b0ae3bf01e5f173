import { isInvisible, isSpace } from './chars.ts';
import { ansi } from './lookahead.ts';
import { type Machine, repair } from './machine.ts';

/**
 * Consumes white space, invisible characters, terminal colour codes and comments between tokens.
 * False where all text was consumed and the next token has not begun.
 */
export function skip(m: Machine): boolean {
  for (;;) {
    if (m.comment && !skipComment(m)) return false;
    const code = m.text.charCodeAt(m.at);
    if (isSpace(code)) m.at++;
    else if (Number.isNaN(code)) return false;
    else if (isInvisible(code)) {
      repair(m, 'invisible', '');
      m.at++;
    } else if (code === 47 || code === 35) {
      const opened = openComment(m);
      if (opened === undefined) return false;
      if (!opened) return true;
    } else if (code === 27) {
      ansi.lastIndex = m.at;
      if (!ansi.test(m.text)) return m.ended || m.text.length - m.at > 32;
      repair(m, 'invisible', '');
      m.at = ansi.lastIndex;
    } else return true;
  }
}

/** Begins a comment at `#`, `//` or `/*`; undefined where the next character decides and has not come. */
function openComment(m: Machine): boolean | undefined {
  const char = m.text[m.at];
  const next = m.text[m.at + 1];
  if (char === '/' && next === undefined && !m.ended) return undefined;
  if (char === '/' && next !== '/' && next !== '*') return false;
  m.comment = char === '#' || next === '/' ? 'line' : 'block';
  repair(m, 'comment', m.text.slice(m.at, m.at + 40));
  m.at += char === '#' ? 1 : 2;
  return true;
}

function skipComment(m: Machine): boolean {
  const mark = m.comment === 'line' ? '\n' : '*/';
  const end = m.text.indexOf(mark, m.at);
  if (end === -1) {
    m.at = Math.max(m.at, m.text.length - (m.comment === 'block' && !m.ended ? 1 : 0));
    return false;
  }
  m.at = end + mark.length;
  m.comment = undefined;
  return true;
}
