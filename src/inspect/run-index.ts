import { clip } from '../json/clip.ts';
import type { RepairKind } from '../json/repair.ts';
import type { RunEvent } from '../log/events.ts';
import type { Store } from '../log/store.ts';
import type { UserMessage } from '../model/index.ts';
import type { CallRow, CallStatus, RunFilter, RunList, RunRow } from './api.ts';

/** Called with new or changed rows, and their events. */
type IndexListener = (rows: readonly RunRow[], events: readonly RunEvent[]) => void;

const firstLook = 64;
const all = 1_000_000;
const atOnce = 100;
/** Runs to read between two requests, so that pages don't wait for the rest. */
const inPassing = 40;
/** Maximum difference between the clocks of writers, plus the delay of their writes, in milliseconds. */
const apart = 10_000;
const defaultLimit = 100;
const mostRows = 1000;

/** The place of a run in the list. */
type Placed = Pick<RunRow, 'run' | 'startedAt'>;

const newestFirst = (a: Placed, b: Placed): number =>
  b.startedAt - a.startedAt || (a.run === b.run ? 0 : a.run < b.run ? 1 : -1);

/** The most deleted runs whose places are remembered. */
const mostGone = 10_000;

/**
 * An in-memory index of the runs in a store, without their content. Other processes may write the store, so it is read
 * again on each request and while someone is watching.
 */
export class RunIndex {
  readonly #store: Store;
  readonly #runs = new Map<string, TrackedRun>();
  readonly #listeners = new Set<IndexListener>();
  /** Where deleted runs were in the list, for readers who continue after one. */
  readonly #gone = new Map<string, Placed>();
  /** Runs sorted from newest to oldest; rebuilt after a change. */
  #sorted: TrackedRun[] | undefined;
  #begun: Promise<void> | undefined;
  #looking: Promise<void> | undefined;
  #count = 0;

  constructor(store: Store) {
    this.#store = store;
  }

  listen(listener: IndexListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Resolves when the newest runs are read. The rest follows in the background. */
  begin(): Promise<void> {
    this.#begun ??= this.#readAll().catch((error: unknown) => {
      // Allows a retry if the store can't be read.
      this.#begun = undefined;
      throw error;
    });
    return this.#begun;
  }

  /** Reads what is new. Concurrent callers share one read. */
  async look(): Promise<void> {
    const first = this.#begun === undefined;
    await this.begin();
    // Everything was just read.
    if (first) return;
    this.#looking ??= this.#lookNow().finally(() => {
      this.#looking = undefined;
    });
    await this.#looking;
  }

  row(run: string): RunRow | undefined {
    const known = this.#runs.get(run);
    return known && rowOf(known);
  }

  /** All runs, newest first. */
  rows(): readonly TrackedRun[] {
    this.#sorted ??= [...this.#runs.values()].sort((a, b) => newestFirst(a.row, b.row));
    return this.#sorted;
  }

  list(filter: RunFilter): RunList {
    const runs = this.rows();
    const fitting = runs.filter((run) => matches(run, filter));
    const from = filter.after === undefined ? 0 : this.#indexAfter(filter.after, fitting);
    const limit = Math.min(mostRows, filter.limit ?? defaultLimit);
    const calls = runs.flatMap((run) => [...run.calls.values()]);
    return {
      runs: fitting.slice(from, from + limit).map(rowOf),
      total: fitting.length,
      dead: runs.filter(({ row }) => row.end === 'dead').length,
      tools: sorted(calls.map(({ name }) => name)),
      models: sorted(runs.map(({ row }) => row.model)),
      repairs: sorted(calls.flatMap(({ repairs }) => repairs)),
      read: { runs: runs.length, of: Math.max(this.#count, runs.length) },
    };
  }

  /** The index of the first run that follows another one, which may have been deleted since. */
  #indexAfter(run: string, rows: readonly TrackedRun[]): number {
    const last = this.#runs.get(run)?.row ?? this.#gone.get(run);
    const next = last ? rows.findIndex(({ row }) => newestFirst(last, row) < 0) : -1;
    return next < 0 ? rows.length : next;
  }

  /** The runs that calls of a run started, newest first. */
  children(run: string): Pick<RunRow, 'run' | 'end' | 'asked'>[] {
    return this.rows()
      .filter(({ row }) => row.parent?.run === run)
      .map(({ row: { run: id, end, asked } }) => ({ run: id, asked, ...(end && { end }) }));
  }

  /** Removes a run that is no longer in the store. */
  forget(run: string): void {
    const known = this.#runs.get(run);
    if (!known) return;
    this.#runs.delete(run);
    if (this.#gone.size >= mostGone) this.#gone.clear();
    this.#gone.set(run, { run, startedAt: known.row.startedAt });
    this.#sorted = undefined;
    this.#count -= 1;
  }

  async #readAll(): Promise<void> {
    const found = await this.#store.runs({ limit: all });
    this.#count = found.length;
    const read = async (from: number, to: number): Promise<void> => {
      for (const { run } of found.slice(from, to)) await this.#read(run);
    };
    await read(0, atOnce);
    const rest = async (): Promise<void> => {
      for (let from = atOnce; from < found.length; from += inPassing) {
        await new Promise((resolve) => setImmediate(resolve));
        await read(from, from + inPassing);
      }
    };
    // Ignores errors, because the store may have been closed.
    void rest().catch(() => {});
  }

  /** Removes deleted runs. Stores delete the oldest first, so if the oldest still exists, all do. */
  async #forgetGone(): Promise<void> {
    const rows = [...this.#runs.values()].map(({ row }) => row);
    let [oldest] = rows;
    for (const row of rows) if (oldest && row.updatedAt < oldest.updatedAt) oldest = row;
    if (!oldest || (await this.#isKept(oldest))) return;
    for (const row of rows.sort((a, b) => a.updatedAt - b.updatedAt)) {
      if (await this.#isKept(row)) return;
      this.forget(row.run);
    }
  }

  async #isKept({ run, seq }: TrackedRun['row']): Promise<boolean> {
    for await (const _ of this.#store.read(run, seq - 1)) return true;
    return false;
  }

  /**
   * Reads from newest to oldest, until a run is unchanged and the remaining ones are older than the clock difference.
   */
  async #lookNow(): Promise<void> {
    await this.#forgetGone();
    const rows: RunRow[] = [];
    const events: RunEvent[] = [];
    for (let limit = firstLook; ; limit *= 8) {
      const found = await this.#store.runs({ limit });
      const fresh = found.filter(({ run, seq }) => (this.#runs.get(run)?.row.seq ?? 0) < seq);
      for (const { run } of fresh) {
        events.push(...(await this.#read(run)));
        const row = this.row(run);
        if (row) rows.push(row);
      }
      const [newest, oldest] = [found[0]?.updatedAt ?? 0, found.at(-1)?.updatedAt ?? 0];
      if (found.length < limit || (fresh.length < found.length && newest - oldest > apart)) break;
    }
    if (rows.length > 0) for (const listener of this.#listeners) listener(rows, events);
  }

  /** Reads the new events of a run. */
  async #read(run: string): Promise<RunEvent[]> {
    const known = this.#runs.get(run) ?? newTrackedRun(run);
    const events: RunEvent[] = [];
    for await (const event of this.#store.read(run, known.row.seq)) {
      // Two concurrent reads may return the same event.
      if (event.seq <= known.row.seq) continue;
      track(known, event);
      events.push(event);
    }
    if (known.row.seq > 0) this.#runs.set(run, known);
    if (events.length > 0) this.#sorted = undefined;
    return events;
  }
}

const sorted = <T extends string>(names: readonly T[]): T[] => [...new Set(names)].filter(Boolean).sort();

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** A run's list entry, updated with each event. Content isn't kept. */
export interface TrackedRun {
  readonly row: Mutable<Omit<RunRow, 'calls'>>;
  readonly calls: Map<string, Mutable<CallRow>>;
  /** Text to search, in lower case. */
  words: string;
}

const longestLine = 200;
const longestWords = 4000;

/** Initial entry of a run. */
const newTrackedRun = (run: string): TrackedRun => ({
  row: {
    run,
    startedAt: 0,
    updatedAt: 0,
    seq: 0,
    model: '',
    provider: '',
    asked: '',
    answered: '',
    turns: 0,
    tokens: 0,
  },
  calls: new Map(),
  words: run.toLowerCase(),
});

/** The list row of a run. */
const rowOf = ({ row, calls }: TrackedRun): RunRow => ({ ...row, calls: [...calls.values()] });

/** Applies an event to a run. */
function track(run: TrackedRun, event: RunEvent): void {
  const { row } = run;
  if (row.seq === 0) row.startedAt = event.at;
  row.seq = event.seq;
  row.updatedAt = event.at;
  const step = steps[event.type] as ((run: TrackedRun, event: RunEvent) => void) | undefined;
  try {
    step?.(run, event);
  } catch {
    // Ignores malformed events, which other writers may have stored.
  }
}

type Steps = { readonly [T in RunEvent['type']]?: (run: TrackedRun, event: Extract<RunEvent, { type: T }>) => void };

const steps: Steps = {
  'run.started': (run, { model, parent }) => {
    if (parent) run.row.parent = parent;
    run.row.model = model.name;
    run.row.provider = model.provider;
    remember(run, `${model.name} ${model.provider}`);
  },
  'run.resumed': ({ row }) => {
    delete row.end;
  },
  'run.ended': ({ row }, { end, own }) => {
    row.end = end;
    if (own !== undefined) row.own = own;
  },
  'message.added': (run, { message }) => {
    delete run.row.end;
    const text = textOf(message.parts) || resultsOf(message.parts);
    if (run.row.asked === '') run.row.asked = line(text);
    remember(run, text);
  },
  'turn.requested': ({ row }, { turn }) => {
    row.turns = turn;
  },
  'turn.completed': (run, { response }) => {
    const { usage, message } = response;
    run.row.tokens += (usage?.input ?? 0) + (usage?.output ?? 0);
    const text = textOf(message.parts);
    if (text.trim() !== '') run.row.answered = line(text);
    remember(run, text);
    for (const part of message.parts) {
      if (part.type !== 'call') continue;
      run.calls.set(part.id, {
        callId: part.id,
        name: typeof part.name === 'string' ? part.name : '',
        status: 'open',
        repairs: [],
      });
      remember(run, `${part.name} ${part.id}`);
    }
  },
  'turn.failed': (run, { error }) => {
    run.row.answered = line(error.message);
    remember(run, error.message);
  },
  'call.accepted': (run, event) => judge(run, event, 'ok'),
  'call.mended': (run, event) => judge(run, event, 'mended'),
  'call.refused': (run, event) => {
    judge(run, event, 'invalid');
    const call = run.calls.get(event.callId);
    if (call) call.errorType = event.errorType;
    remember(run, event.errorType);
  },
  'approval.requested': (run, { callId }) => move(run, callId, 'waiting'),
  'approval.decided': (run, { callId, decision }) => {
    if (decision.type !== 'deny') move(run, callId, 'open');
  },
  'tool.started': (run, { callId }) => move(run, callId, 'open'),
  'result.requested': (run, { callId }) => move(run, callId, 'waiting'),
  'result.received': (run, { callId }) => move(run, callId, 'open'),
  'call.denied': (run, { callId }) => move(run, callId, 'denied', 'denied'),
  'tool.finished': (run, { callId, ok, errorType, usage }) => {
    run.row.tokens += (usage?.input ?? 0) + (usage?.output ?? 0);
    if (!ok) move(run, callId, 'failed', errorType);
    else move(run, callId, run.calls.get(callId)?.repairs.length ? 'mended' : 'ok');
  },
  'call.settled': (run, { callId }) => move(run, callId, 'unknown'),
};

interface Judged {
  readonly callId: string;
  readonly name: string;
  readonly repairs: readonly { readonly kind: RepairKind }[];
}

function judge(run: TrackedRun, { callId, name, repairs }: Judged, status: CallStatus): void {
  const kinds = [...new Set(repairs.map(({ kind }) => kind))];
  run.calls.set(callId, { ...run.calls.get(callId), callId, name, status, repairs: kinds });
  remember(run, `${name} ${callId} ${kinds.join(' ')}`);
}

function move(run: TrackedRun, callId: string, status: CallStatus, errorType?: string): void {
  const call = run.calls.get(callId);
  if (!call) return;
  call.status = status;
  if (errorType !== undefined) call.errorType = errorType;
}

function remember(run: TrackedRun, words: string): void {
  if (run.words.length < longestWords) run.words += ` ${words.slice(0, longestWords).toLowerCase()}`;
}

const textOf = (parts: readonly { readonly type: string; readonly text?: unknown }[]): string =>
  parts.flatMap((part) => (part.type === 'text' && typeof part.text === 'string' ? [part.text] : [])).join(' ');

/** Text of a request that only contains results. */
const resultsOf = (parts: readonly UserMessage['parts'][number][]): string =>
  parts
    .flatMap((part) => (part.type === 'result' ? [`↩ ${part.name ?? 'result'}: ${textOf(part.content)}`] : []))
    .join(' ');

function line(text: string): string {
  const flat = text
    .slice(0, 4 * longestLine)
    .replaceAll(/\s+/g, ' ')
    .trim();
  return clip(flat, longestLine);
}

/** Whether a run matches a filter. Conditions on calls must all match the same call. */
function matches({ row, calls, words }: TrackedRun, filter: RunFilter): boolean {
  const { outcome, end, tool, repair, model, text } = filter;
  if (end !== undefined && row.end !== end) return false;
  if (model !== undefined && row.model !== model) return false;
  if (
    text !== undefined &&
    !text
      .toLowerCase()
      .split(/\s+/)
      .every((word) => words.includes(word))
  )
    return false;
  if (outcome === undefined && tool === undefined && repair === undefined) return true;
  return [...calls.values()].some(
    (call) =>
      (outcome === undefined || call.status === outcome) &&
      (tool === undefined || call.name === tool) &&
      (repair === undefined || call.repairs.includes(repair)),
  );
}
