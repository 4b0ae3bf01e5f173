import type { Problem } from '../../json/problem.ts';
import type { Certainty, Repair } from '../../json/repair.ts';
import type { JsonValue } from '../../json/value.ts';
import type { RawCall } from '../../model/index.ts';
import { findTool } from '../../tools/find-tool.ts';
import { checkCall } from '../call/check-call.ts';
import { LiveArguments } from '../call/live-arguments.ts';
import { confirm, destroys } from '../placement/candidate.ts';
import { joined } from '../placement/place.ts';
import { placeOf } from '../placement/track-text.ts';
import type { CallEvent, Dialect } from '../types.ts';
import { addEvent, pendingEvents } from './output.ts';
import type { Machine, OpenCall } from './state.ts';

/** Starts a call with a known name. */
export function openCall(m: Machine, name: string, id: string | undefined, value?: () => JsonValue | undefined): void {
  if (placeOf(m).otherRole) m.turnedAt ??= m.count;
  m.count += 1;
  m.call = { id: id || `call_${m.count}`, name, live: new LiveArguments(m.settle, value), from: m.base + m.at };
  addEvent(m, { type: 'call.started', id: m.call.id, name });
  // A call with tagged parameters may be only mentioned; its first parameter or its end shows that it isn't.
  if (m.body?.kind !== 'tagged') confirmCall(m);
}

/** Confirms the open call. */
export const confirmCall = (m: Machine): void =>
  confirm(m, isMeant(m, m.call?.name ?? '') && isTool(m, m.call?.name ?? ''));

/** A placeholder for a name in a description of the format, or text that continues as a sentence. */
const placeholder = /^\s*(?:<[^<>]*>|\{[^{}]*\}|\[[^[\]]*\]|\.{3}|…)\s*$|^.+"\s|\S\s+\S+\s+\S/;

/** Without a marker, a call is recognized by the tool's name only. */
const isMeant = (m: Machine, name: string): boolean =>
  (m.named && !placeholder.test(name) && m.lastForm?.row.group !== 'F') || isTool(m, name);

/** Whether a name is that of a tool, or one letter away, so that the model certainly meant to call. */
export function isTool({ toolbox }: Machine, name: string): boolean {
  if (!/[\p{L}\p{N}]/u.test(name)) return false;
  if (!toolbox) return true;
  return findTool(name, toolbox).tool !== undefined || toolbox.names.near(name, 1).length > 0;
}

/** Adds to the open call's arguments. */
export function addArguments(m: Machine, delta: string): void {
  const { call } = m;
  if (!call || !delta) return;
  call.live.add(delta);
  if (m.told) return;
  const events = m.candidate && !m.candidate.confirmed ? m.candidate.events : pendingEvents(m);
  const last = events.at(-1);
  if (last instanceof ArgumentsSoFar && last.id === call.id) last.delta += delta;
  else addEvent(m, new ArgumentsSoFar(call.id, delta, call.live));
}

/** An event for a value that is read later, except for its end. */
export const passedOn = ({ id, live }: OpenCall, delta: string): CallEvent => new ArgumentsSoFar(id, delta, live);

class ArgumentsSoFar {
  readonly type = 'call.delta';
  readonly id: string;
  delta: string;
  readonly #live: LiveArguments;

  constructor(id: string, delta: string, live: LiveArguments) {
    this.id = id;
    this.delta = delta;
    this.#live = live;
  }

  get value(): JsonValue | undefined {
    return this.#live.value;
  }
}

/** The repair for a call written as text, with its dialect and certainty. */
export const textRepair = (dialect: string, certainty: Certainty): Repair => ({
  path: [],
  kind: 'text',
  before: dialect,
  certainty,
});

/** Ends the open call: checks it and emits the result. */
export function closeCall(
  m: Machine,
  raw: RawCall,
  row: Pick<Dialect, 'name'>,
  cut: boolean,
  found: readonly Problem[] = [],
): void {
  if (!m.call) openCall(m, raw.name, raw.id);
  const { id } = m.call as { id: string };
  const ended = m.cut && m.ended && cut ? { finishReason: 'length' as const } : {};
  const { candidate } = m;
  const sure = m.sure && (m.named || m.asked || candidate?.special === true);
  const read = [textRepair(row.name, sure ? 'lossless' : 'inferred'), ...(raw.read ?? [])];
  const outcome = checkCall({ ...raw, id: raw.id ?? id, ...ended, read }, m.toolbox, cut, found);
  if (candidate && !candidate.confirmed) {
    // Until it is decided, it is kept with all others.
    const last = candidate.events.at(-1);
    if (last instanceof ArgumentsSoFar) m.call?.live.join(joined(last.delta));
    candidate.outcomes.push(outcome);
    candidate.dialect ??= row.name;
    candidate.known ||= isMeant(m, raw.name);
    candidate.unknown ||= !isTool(m, raw.name);
  } else {
    (m.batch?.outcomes ?? m.calls).push(outcome);
    m.dialect ??= row.name;
    m.counted = true;
    m.space ??= '';
  }
  if (m.batch && (!candidate || candidate.confirmed)) m.batch.events.push({ type: 'call.finished', id, outcome });
  else addEvent(m, { type: 'call.finished', id, outcome });
  m.call = undefined;
  m.start = false;
  m.followed = false;
  m.said = '';
  m.plain ||= destroys(outcome) && m.named !== (candidate?.special === true);
}

/** A name without what the dialect writes around it. */
export function plainName(row: Dialect, written: string): string {
  let name = written.trim();
  if (row.prefix && name.startsWith(row.prefix)) name = name.slice(row.prefix.length);
  if (row.suffix && name.endsWith(row.suffix)) name = name.slice(0, -row.suffix.length);
  if (row.numbered) name = name.replace(/[:!]\d+$/, '');
  if (!row.doubled) return name;
  const [first, second, third] = name.split('.');
  return first && first === second && third === undefined ? first : name;
}
