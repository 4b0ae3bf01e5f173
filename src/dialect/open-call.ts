import type { Problem } from '../json/problem.ts';
import type { JsonValue } from '../json/value.ts';
import type { RawCall } from '../turn/turn.ts';
import type { CallEvent } from './call-event.ts';
import type { Dialect } from './dialect.ts';
import { addEvent } from './emit.ts';
import { judgeCall } from './judge-call.ts';
import { LiveArguments } from './live-arguments.ts';
import type { Machine, OpenCall } from './machine.ts';

/** A call begins: its name is known. */
export function openCall(m: Machine, name: string, id: string | undefined, value?: () => JsonValue | undefined): void {
  m.count += 1;
  m.call = { id: id || `call_${m.count}`, name, live: new LiveArguments(() => m.settle(), value) };
  addEvent(m, { type: 'call.started', id: m.call.id, name });
}

/** More of the open call's arguments came. */
export function addArguments(m: Machine, delta: string): void {
  const { call } = m;
  if (!call || !delta) return;
  call.live.add(delta);
  if (m.told) return;
  const last = m.events.at(-1);
  if (last?.type === 'call.arguments' && last.id === call.id) {
    m.events[m.events.length - 1] = new ArgumentsSoFar(call.id, last.delta + delta, call.live);
  } else addEvent(m, new ArgumentsSoFar(call.id, delta, call.live));
}

/** Says that more came of a value, of which all but its end is looked at later. */
export const passedOn = ({ id, live }: OpenCall, delta: string): CallEvent => new ArgumentsSoFar(id, delta, live);

class ArgumentsSoFar {
  readonly type = 'call.arguments';
  readonly id: string;
  readonly delta: string;
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

/** The open call is over: it is judged, and said to be finished. */
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
  const outcome = judgeCall({ ...raw, id: raw.id ?? id, ...ended }, m.toolbox, cut, found);
  m.calls.push(outcome);
  m.dialect ??= row.name;
  addEvent(m, { type: 'call.finished', id, outcome });
  m.call = undefined;
  m.space ??= '';
  m.start = false;
}

/** A name without what a dialect writes around it. */
export function plainName(row: Dialect, written: string): string {
  let name = written.trim();
  if (row.prefix && name.startsWith(row.prefix)) name = name.slice(row.prefix.length);
  if (row.suffix && name.endsWith(row.suffix)) name = name.slice(0, -row.suffix.length);
  if (row.numbered) name = name.replace(/:\d+$/, '');
  const [first, second, third] = name.split('.');
  return row.doubled && first && first === second && third === undefined ? first : name;
}
