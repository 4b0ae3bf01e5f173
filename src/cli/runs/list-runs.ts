import type { RunFailure } from '../../log/events.ts';
import { openCalls, stateOf } from '../../log/fold.ts';
import { harmless, visible } from '../../log/shown/visible.ts';
import type { CallRecord, RunState } from '../../log/state.ts';
import type { RunSummary, Store } from '../../log/store.ts';
import type { Page } from '../mend/show-outcome.ts';
import { callStatus } from '../run/call-lines.ts';
import { columnsOf, truncateTo } from '../terminal/layout.ts';

/** A run in the list. */
interface ListedRun extends RunSummary {
  /** How its loop ended; `waiting` for approval; or `open` if it is running or its process crashed. */
  readonly state: string;
  readonly model: string;
  readonly turns: number;
  readonly calls: number;
  readonly repairs: number;
  readonly problems: number;
  /** Its first prompt. */
  readonly asked: string;
  /** The last errors, if it ended because of them. */
  readonly errors?: readonly RunFailure[];
}

/** Which runs to list. */
interface ListOptions {
  readonly limit: number;
  /** Only runs that workers no longer retry. */
  readonly dead?: boolean;
}

const page = 100;

/** The newest runs of a store. */
export async function listRuns(store: Store, { limit, dead = false }: ListOptions): Promise<ListedRun[]> {
  const listed: ListedRun[] = [];
  for (let after: RunSummary | undefined; ; ) {
    const runs = await store.runs({ limit: dead ? page : limit, ...(after && { after }) });
    for (const summary of runs) {
      const row = await listedRun(store, summary);
      if (!dead || row.state === 'dead') listed.push(row);
      if (listed.length >= limit) return listed;
    }
    after = runs.at(-1);
    if (runs.length < page) return listed;
  }
}

async function listedRun(store: Store, summary: RunSummary): Promise<ListedRun> {
  const state = await stateOf(store, summary.run);
  const calls = [...state.calls.values()];
  const sum = (count: (call: CallRecord) => number): number => calls.reduce((total, call) => total + count(call), 0);
  return {
    ...summary,
    state: listedState(state),
    model: state.started?.model.name ?? '',
    turns: state.turn,
    calls: calls.length,
    // Repairs of a refused call don't count.
    repairs: sum((call) => (callStatus(call) === 'refused' ? 0 : call.repairs.length)),
    problems: sum(({ problems }) => problems.length),
    asked: firstWords(state),
    ...(state.ended?.errors && { errors: state.ended.errors }),
  };
}

function listedState(state: RunState): string {
  if (state.ended?.end === 'dead') return 'dead';
  if (openCalls(state).some((call) => call.state === 'approval_required')) return 'waiting';
  return state.ended?.end ?? 'open';
}

function firstWords({ history }: RunState): string {
  for (const entry of history) {
    if (entry.type !== 'message' || entry.message.role !== 'user') continue;
    return entry.message.parts.flatMap((part) => (part.type === 'text' ? part.text : [])).join(' ');
  }
  return '';
}

const heads = ['run', 'state', 'age', 'turns', 'calls', 'repairs'] as const;

/** The list as text: one line per run, with the prompt at the end. */
export function showList(runs: readonly ListedRun[], { paint, width }: Page, now = Date.now()): string {
  if (runs.length === 0) return 'No runs.\n';
  const rows = runs.map((run) => [
    shortId(visible(run.run)),
    run.state,
    age(now - run.updatedAt),
    ...[run.turns, run.calls, run.repairs].map(String),
  ]);
  const sizes = heads.map((head, at) => Math.max(head.length, ...rows.map((row) => columnsOf(row[at] ?? ''))));
  const line = (cells: readonly string[]): string => cells.map((cell, at) => cell.padEnd(sizes[at] ?? 0)).join('  ');
  const room = width - sizes.reduce((sum, size) => sum + size + 2, 0);
  const asked = ({ asked: text, errors: [error] = [] }: ListedRun): string =>
    room < 8 ? '' : `  ${truncateTo(harmless(error ? `${error.name}: ${error.message}` : text), room)}`;
  const lines = runs.map((run, at) => `${line(rows[at] ?? [])}${asked(run)}`.trimEnd());
  return `${[paint.dim(`${line(heads)}${room < 8 ? '' : '  prompt'}`.trimEnd()), ...lines].join('\n')}\n`;
}

/** Enough of an id to find the run. */
const shortId = (id: string): string => id.slice(0, 16);

const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
] as const;

function age(ms: number): string {
  const unit = units.find(([, size]) => ms >= size);
  return unit ? `${Math.floor(ms / unit[1])}${unit[0]}` : `${Math.max(0, Math.floor(ms / 1000))}s`;
}
