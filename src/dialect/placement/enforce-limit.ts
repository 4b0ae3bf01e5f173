import { endBatch } from '../machine/batch.ts';
import { closeCall } from '../machine/open-call.ts';
import { emitReasoning, emitText, output } from '../machine/output.ts';
import { emitLabelled } from '../machine/reasoning.ts';
import type { Machine } from '../machine/state.ts';
import { isCandidate, rawUpTo } from './candidate.ts';

const tooLong = (limit: number): string => `A call is longer than ${limit} characters`;

/** Keeps what is held back within its limit: past it, it is text, and a call that was told already is refused. */
export function enforceLimit(m: Machine): void {
  const { candidate, call, limit, think } = m;
  const at = m.base + m.at;
  if (think?.held !== undefined && think.held.length > limit) {
    m.notes.push(`${tooLong(limit)}, so that it was left as reasoning`);
    emitReasoning(m, think.held);
    think.held = undefined;
    think.over = true;
    think.rest = undefined;
  }
  if (think?.label && think.label.said.length > limit) emitLabelled(m);
  if (candidate?.confirmed) {
    if (call && at - call.from > limit) refuseLong(m, call.name);
    return;
  }
  if (m.waits + (candidate ? at - candidate.from : 0) <= limit) return;
  m.notes.push(`${tooLong(limit)}, so that it was left as text`);
  giveUp(m);
}

function refuseLong(m: Machine, name: string): void {
  m.notes.push(`${tooLong(m.limit)}, so that it was refused`);
  const row = (m.body?.form ?? m.lastForm)?.row ?? { name: '' };
  closeCall(m, { name, arguments: {} }, row, false, [{ path: [], code: 'size', message: tooLong(m.limit) }]);
  endBatch(m);
  m.mode = 'text';
  m.body = undefined;
  m.candidate = undefined;
}

/** All that waits is text, and the reader goes on behind it. */
function giveUp(m: Machine): void {
  const { candidate } = m;
  const items = m.waiting;
  m.waiting = [];
  m.waits = 0;
  m.candidate = undefined;
  for (const item of items) {
    if (isCandidate(item)) output(m, item.raw);
    else if ('text' in item) output(m, item.text);
    else emitReasoning(m, item.reasoning);
  }
  if (!candidate) return;
  const raw = rawUpTo(m, candidate, m.base + m.at);
  m.log = '';
  m.mode = 'text';
  m.body = undefined;
  m.batch = undefined;
  m.call = undefined;
  emitText(m, raw);
}
