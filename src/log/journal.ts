import { checkArgument, equal, isObject, ownCopy, ownFields } from '../json/value.ts';
import type { CallPart } from '../model/index.ts';
import type { RunEvent, RunFact, TurnCompleted } from './events.ts';
import { redactedText } from './redact/redact.ts';
import type { Store } from './store.ts';

/** The run that an event belongs to, with its context, for a `redact` function. */
export interface RedactedRun {
  readonly run: string;
  readonly context?: unknown;
}

/** Removes secrets from an event of a run. */
export type RedactRun = (event: RunEvent, run: RedactedRun) => RunEvent;

/** Ids and hashes, without which no process could continue a run. None is a secret. */
const identifying = [
  ...(['type', 'run', 'seq', 'at', 'turn', 'callId', 'command'] as const),
  ...(['agent', 'parent', 'from', 'fingerprint', 'child'] as const),
];

/** An event without secrets. A `redact` function may take ids and hashes for secrets, so these stay as they are. */
export function redactEvent<E extends RunEvent>(event: E, redact: (event: RunEvent) => RunEvent): E {
  const clean = redact(event) as E;
  if (clean === event) return event;
  checkArgument(isObject(clean), 'redact', 'a function that returns the event', clean);
  const kept = identifying.flatMap((name) => (name in event ? [[name, event[name as keyof E]]] : []));
  const same: RunEvent = { ...clean, ...Object.fromEntries(kept) };
  return markRedacted(event, keepCallIds(event, same)) as E;
}

function keepCallIds(event: RunEvent, clean: RunEvent): RunEvent {
  if (event.type === 'tool.started') return { ...clean, key: event.key } as RunEvent;
  if ('result' in event && 'result' in clean && isObject(clean.result))
    return { ...clean, result: { ...clean.result, callId: event.result.callId } } as RunEvent;
  if (event.type !== 'turn.completed' || clean.type !== event.type) return clean;
  const before = event.response.message.parts;
  const { parts: after } = clean.response.message;
  if (after.length !== before.length) return clean;
  const parts = after.map((part, at) => {
    const original = before[at];
    return part.type === 'call' && original?.type === 'call' ? { ...part, id: original.id } : part;
  });
  return { ...clean, response: { ...clean.response, message: { ...clean.response.message, parts } } };
}

/** Options of a journal. */
export interface JournalOptions {
  readonly run: string;
  /** Sequence number of the last stored event. */
  readonly seq?: number;
  /** Removes secrets from stored and published events. */
  readonly redact?: (event: RunEvent) => RunEvent;
  /** Called with each event as soon as it is numbered, before redaction. */
  readonly apply?: (event: RunEvent) => void;
  /** Called with each event once it is stored. The run may use the same object, so listeners need a copy. */
  readonly publish?: (event: RunEvent) => void;
  readonly now?: () => number;
}

/**
 * Writes the events of a run. `note` numbers an event for the next commit; `commit` resolves when all events so far are
 * stored. Commits requested during a write are combined.
 */
export class Journal {
  readonly #store: Store;
  readonly #options: JournalOptions;
  #seq: number;
  #waiting: RunEvent[] = [];
  #writing: Promise<void> | undefined;
  #broken: unknown;

  constructor(store: Store, options: JournalOptions) {
    checkIsStore(store);
    checkArgument(isObject(options), 'options', '{ run }', options);
    this.#store = store;
    this.#options = options;
    this.#seq = options.seq ?? 0;
  }

  get seq(): number {
    return this.#seq;
  }

  /** The error of the write that failed, if one did. */
  get failure(): unknown {
    return this.#broken;
  }

  /** Continues after events that were stored without it. Returns a function that publishes them. */
  follow(events: readonly RunEvent[]): () => void {
    for (const event of events) {
      this.#seq = event.seq;
      this.#options.apply?.(event);
    }
    return () => {
      for (const event of events) this.#options.publish?.(event);
    };
  }

  /** Records a fact, which the next commit stores. */
  note(fact: RunFact): RunEvent {
    const { run, now = Date.now, apply, redact } = this.#options;
    // The run continues with what is recorded now, whatever the caller does with its objects later.
    const event = ownFields({ ...fact, run, seq: this.#seq + 1, at: now() } as RunEvent);
    // The number is assigned only after redaction, which may throw and must not leave a gap.
    const clean = redact ? redactEvent(event, redact) : event;
    const written = clean === event ? event : ownCopy(clean);
    this.#seq = event.seq;
    apply?.(event);
    this.#waiting.push(written);
    return event;
  }

  /** Records a fact, and resolves when it and all before it are stored. After a failed write, every commit fails. */
  async commit(fact?: RunFact): Promise<void> {
    if (fact) this.note(fact);
    // Each iteration writes everything pending, so there are at most two.
    while (this.#waiting.length > 0 || this.#writing) {
      this.#writing ??= this.#write();
      await this.#writing;
    }
    if (this.#broken) throw this.#broken;
  }

  async #write(): Promise<void> {
    // Waits a tick, so that parallel calls share one write.
    await null;
    if (this.#broken) {
      this.#waiting = [];
      this.#writing = undefined;
      throw this.#broken;
    }
    const batch = this.#waiting;
    this.#waiting = [];
    try {
      await this.#store.append(batch);
    } catch (error) {
      this.#broken = error;
      throw error;
    } finally {
      this.#writing = undefined;
    }
    for (const event of batch) this.#options.publish?.(event);
  }
}

/** An event without secrets, with what a process that resumes the run must not use, because it isn't what it was. */
function markRedacted(event: RunEvent, clean: RunEvent): RunEvent {
  if (event.type === 'turn.completed' && clean.type === event.type) {
    const stored = callsOf(clean);
    const redacted = callsOf(event).filter((call, at) => !equal(call.arguments, stored[at]?.arguments));
    return redacted.length > 0 ? { ...clean, redacted: redacted.map(({ id }) => id) } : clean;
  }
  if (event.type === 'approval.requested' && clean.type === event.type)
    return equal(event.input, clean.input) ? clean : { ...clean, redacted: true };
  if (event.type === 'approval.decided' && clean.type === event.type) {
    const isSame = event.decision.type !== 'edit' || equal(event.decision, clean.decision);
    return isSame ? clean : { ...clean, redacted: true };
  }
  if (event.type === 'result.received' && clean.type === event.type)
    return equal(event.value, clean.value) ? clean : { ...clean, redacted: true };
  if (event.type === 'tool.finished' && clean.type === event.type) {
    const isChanged = !equal(event.result.content, clean.result.content);
    const finished = isChanged ? { ...clean, redacted: true as const } : clean;
    // Only a complete snapshot can be restored.
    return equal(event.snapshot, clean.snapshot) ? finished : { ...finished, snapshot: redactedText };
  }
  return clean;
}

const callsOf = ({ response }: TurnCompleted): readonly CallPart[] =>
  response.message.parts.filter((part) => part.type === 'call');

/** A pending append with its serialized events. */
export interface Append {
  readonly events: readonly WrittenEvent[];
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** An event with its JSON text. */
export interface WrittenEvent {
  readonly event: RunEvent;
  readonly body: string;
}

/** Commits of one run in a row that don't wait for others, until timers and I/O have their turn again. */
const mostDirect = 4;

/**
 * Batches appends of the same moment. `now` writes immediately.
 *
 * @param isDirect whether `write` writes before it returns. A run that writes alone then doesn't wait for others.
 */
export function gather(
  write: (appends: readonly Append[]) => void,
  isDirect = false,
): {
  readonly append: (events: readonly RunEvent[]) => Promise<void>;
  readonly now: () => void;
} {
  let waiting: Append[] = [];
  /** The run that wrote the last commit, if it was alone. */
  let alone: string | undefined;
  let direct = mostDirect;
  const now = (): void => {
    const appends = waiting;
    waiting = [];
    direct = 0;
    alone = appends.length === 1 ? appends[0]?.events[0]?.event.run : undefined;
    if (appends.length > 0) write(appends);
  };
  return {
    now,
    append(events) {
      return new Promise((resolve, reject) => {
        // Events that can't be serialized fail here, without affecting others.
        const written = events.map((event) => ({ event, body: JSON.stringify(event) }));
        const one = { events: written, resolve, reject };
        if (isDirect && waiting.length === 0 && direct < mostDirect && events[0]?.run === alone) {
          direct += 1;
          return write([one]);
        }
        if (waiting.length === 0) setImmediate(now);
        waiting.push(one);
      });
    },
  };
}

/** Throws unless a value is a store. */
export const checkIsStore = (store: unknown): void =>
  checkArgument(
    typeof (store as Partial<Store> | undefined)?.append === 'function',
    'store',
    'a store such as sqliteStore() returns',
    store,
  );

/** A run that is loaded in this process. */
export interface LoadedRun {
  readonly id: string;
  /** Stops the run. Resolves when it has ended. */
  stop(reason: string): Promise<unknown>;
  /**
   * Applies events that were stored for it while it paused, such as a result. Returns a function that publishes them, or
   * undefined if they don't continue what it knows.
   */
  learn(events: readonly RunEvent[]): (() => void) | undefined;
}

interface Entry {
  readonly run: WeakRef<LoadedRun>;
  /** The same while it is active, so that it isn't collected as garbage. */
  readonly active?: LoadedRun;
}

/** The runs that are loaded in this process, by the store that has their logs. */
const loaded = new WeakMap<object, Map<string, Entry>>();

const collected = new FinalizationRegistry<{ readonly runs: Map<string, Entry>; readonly id: string }>(
  ({ runs, id }) => {
    if (!runs.get(id)?.run.deref()) runs.delete(id);
  },
);

/** Makes a run the one that is loaded under its id. One that pauses can be collected as garbage. */
export function registerLoaded(store: object, run: LoadedRun, isActive: boolean): void {
  const runs = loaded.get(store) ?? new Map<string, Entry>();
  loaded.set(store, runs);
  const known = runs.get(run.id);
  if (known?.run.deref() !== run) collected.register(run, { runs, id: run.id });
  runs.set(run.id, {
    run: known?.run.deref() === run ? known.run : new WeakRef(run),
    ...(isActive && { active: run }),
  });
}

/** Removes a run that has ended. */
export function unregisterLoaded(store: object, run: LoadedRun): void {
  const runs = loaded.get(store);
  if (runs?.get(run.id)?.run.deref() === run) runs.delete(run.id);
}

/** Whether a run is active in this process. */
export const isActive = (store: object, run: string): boolean => loaded.get(store)?.get(run)?.active !== undefined;

/** Stops a run if it is active in this process. Resolves when it has ended. */
export const stopActive = (store: object, run: string, reason: string): Promise<unknown> | undefined =>
  loaded.get(store)?.get(run)?.active?.stop(reason);

/** Appends events of paused runs, and tells those that are loaded in this process: they would write over them. */
export async function appendForLoaded(
  store: { append(events: readonly RunEvent[]): Promise<void> },
  appended: readonly RunEvent[],
): Promise<void> {
  const events = ownCopy(appended);
  await store.append(events);
  const runs = loaded.get(store);
  if (!runs) return;
  const ids = new Set(events.map(({ run }) => run));
  // All know them before the listeners of one use another.
  const publish = [...ids].map((id) =>
    runs
      .get(id)
      ?.run.deref()
      ?.learn(events.filter(({ run }) => run === id)),
  );
  for (const tell of publish) tell?.();
}
