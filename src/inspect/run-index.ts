import { clip } from '../json/clip.ts';
import type { RepairKind } from '../json/repair.ts';
import type { RunEvent } from '../log/events.ts';
import type { Store } from '../log/store.ts';
import type { UserMessage } from '../model/index.ts';
import type { CallRow, CallStatus, RunFilter, RunList, RunRow } from './api.ts';

/** Told of what a look into the store found: rows that are new or have changed, and the events that changed them. */
type IndexListener = (rows: readonly RunRow[], events: readonly RunEvent[]) => void;

const firstLook = 64;
const all = 1_000_000;
const atOnce = 100;
/** So many are read between two requests while the rest is read: a page must not wait for it. */
const inPassing = 40;
/** How far the clocks of those who write may be apart, in milliseconds, and how late what they wrote may be on disk. */
const apart = 10_000;
const defaultLimit = 100;
const mostRows = 1000;

/**
 * What is known of the runs of a store, kept in memory without their content. The store may be written by others: it is
 * looked into when somebody asks, and while somebody watches.
 */
export class RunIndex {
  readonly #store: Store;
  readonly #runs = new Map<string, TrackedRun>();
  readonly #listeners = new Set<IndexListener>();
  /** Runs from the newest on; made anew when one has changed. */
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

  /** Settles when the newest runs are read; the rest follows by itself. */
  begin(): Promise<void> {
    this.#begun ??= this.#readAll().catch((error: unknown) => {
      // A store that can't be read now may be read later.
      this.#begun = undefined;
      throw error;
    });
    return this.#begun;
  }

  /** Looks for what is new. Those who ask while somebody looks share that look. */
  async look(): Promise<void> {
    const first = this.#begun === undefined;
    await this.begin();
    // What was read this moment needs no further look.
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

  /** Every run, the newest first. */
  rows(): readonly TrackedRun[] {
    this.#sorted ??= [...this.#runs.values()].sort(
      (a, b) => b.row.startedAt - a.row.startedAt || (a.row.run < b.row.run ? 1 : -1),
    );
    return this.#sorted;
  }

  list(filter: RunFilter): RunList {
    const runs = this.rows();
    const fitting = runs.filter((run) => matches(run, filter));
    const from = filter.after === undefined ? 0 : fitting.findIndex(({ row }) => row.run === filter.after) + 1;
    const limit = Math.min(mostRows, filter.limit ?? defaultLimit);
    const calls = runs.flatMap((run) => [...run.calls.values()]);
    return {
      runs: fitting.slice(from, from + limit).map(rowOf),
      total: fitting.length,
      tools: sorted(calls.map(({ name }) => name)),
      models: sorted(runs.map(({ row }) => row.model)),
      repairs: sorted(calls.flatMap(({ repairs }) => repairs)),
      read: { runs: runs.length, of: Math.max(this.#count, runs.length) },
    };
  }

  /** A run that is not in the store any more. */
  forget(run: string): void {
    if (!this.#runs.delete(run)) return;
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
    // A store that was closed meanwhile has no more to tell.
    void rest().catch(() => {});
  }

  /** Stores forget the oldest runs first, so that none is gone where the oldest is still there. */
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

  /** The newest first: the look is over where a run is known as it is, and everything after it is older than clocks differ. */
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

  /** Reads what is not known yet of a run. */
  async #read(run: string): Promise<RunEvent[]> {
    const known = this.#runs.get(run) ?? newTrackedRun(run);
    const events: RunEvent[] = [];
    for await (const event of this.#store.read(run, known.row.seq)) {
      // Two looks at once may have read it both.
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

/** A run as the list needs it, moved on event by event; its content is not kept. */
export interface TrackedRun {
  readonly row: Mutable<Omit<RunRow, 'calls'>>;
  readonly calls: Map<string, Mutable<CallRow>>;
  /** What a search looks through, in lower case. */
  words: string;
}

const longestLine = 200;
const longestWords = 4000;

/** A run of which nothing is known yet. */
const newTrackedRun = (run: string): TrackedRun => ({
  row: {
    ...{
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
  },
  calls: new Map(),
  words: run.toLowerCase(),
});

/** The run as the list shows it. */
const rowOf = ({ row, calls }: TrackedRun): RunRow => ({ ...row, calls: [...calls.values()] });

/** Moves a run on by one event. */
function track(run: TrackedRun, event: RunEvent): void {
  const { row } = run;
  if (row.seq === 0) row.startedAt = event.at;
  row.seq = event.seq;
  row.updatedAt = event.at;
  const step = steps[event.type] as ((run: TrackedRun, event: RunEvent) => void) | undefined;
  try {
    step?.(run, event);
  } catch {
    // A store may hold what nobody of ours wrote: an event that lacks its parts tells nothing, and costs no other its place.
  }
}

type Steps = { readonly [T in RunEvent['type']]?: (run: TrackedRun, event: Extract<RunEvent, { type: T }>) => void };

const steps: Steps = {
  'run.started': (run, { model }) => {
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
  'turn.broken': (run, { error }) => {
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
  'call.denied': (run, { callId }) => move(run, callId, 'denied', 'denied'),
  'tool.finished': (run, { callId, ok, errorType }) => {
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

/** What a request says that brings nothing but the results of calls. */
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

/** Whether a run is one of those that are asked for: what a filter says of calls must hold for one call together. */
function matches({ row, calls, words }: TrackedRun, filter: RunFilter): boolean {
  const { outcome, tool, repair, model, text } = filter;
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
