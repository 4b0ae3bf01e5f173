import type { CallEvent } from './call-event.ts';
import type { Machine } from './machine.ts';

/** Says that text for the user came. White space around calls and reasoning is kept only between texts. */
export function emitText(m: Machine, text: string): void {
  if (!text) return;
  let more = text;
  if (m.space !== undefined) {
    const from = more.search(/\S/);
    if (from < 0) {
      m.space += more;
      return;
    }
    more = m.spoke ? m.space + more : more.slice(from);
    m.space = undefined;
  }
  if (m.start && /\S/.test(more)) m.start = false;
  m.spoke ||= !m.start;
  countFences(m, more);
  say(m, 'text', more);
}

/** Says that reasoning came. */
export function emitReasoning(m: Machine, text: string): void {
  if (text) say(m, 'reasoning', text);
}

function say(m: Machine, type: 'text' | 'reasoning', text: string): void {
  const last = m.events.at(-1);
  if (last?.type === type) m.events[m.events.length - 1] = { type, text: last.text + text };
  else addEvent(m, { type, text });
}

/** Adds an event to those that the next answer gives; most answers give one, which needs no room for more. */
export function addEvent(m: Machine, event: CallEvent): void {
  if (m.events.length === 0) m.events = [event];
  else m.events.push(event);
}

/** Keeps count of code fences, whose marks may come in pieces. */
function countFences(m: Machine, text: string): void {
  let from = 0;
  for (let at = text.indexOf('`'); at >= 0; at = text.indexOf('`', from)) {
    if (at > from) m.ticks = 0;
    m.ticks += 1;
    if (m.ticks === 3) {
      m.fence += 1;
      m.ticks = 0;
    }
    from = at + 1;
  }
  if (from < text.length) m.ticks = 0;
}
