import type { RepairKind } from '../json/repair.ts';
import type { RunEvent } from '../log/event.ts';
import type { UserMessage } from '../turn/turn.ts';
import type { CallRow, CallStatus, RunRow } from './api.ts';

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
export const newTrackedRun = (run: string): TrackedRun => ({
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
export const rowOf = ({ row, calls }: TrackedRun): RunRow => ({ ...row, calls: [...calls.values()] });

/** Moves a run on by one event. */
export function track(run: TrackedRun, event: RunEvent): void {
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
  'turn.asked': ({ row }, { turn }) => {
    row.turns = turn;
  },
  'turn.answered': (run, { response }) => {
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
  'approval.asked': (run, { callId }) => move(run, callId, 'waiting'),
  'approval.given': (run, { callId, decision }) => {
    if (decision.type !== 'deny') move(run, callId, 'open');
  },
  'tool.started': (run, { callId }) => move(run, callId, 'open'),
  'call.denied': (run, { callId }) => move(run, callId, 'denied', 'denied'),
  'tool.finished': (run, { callId, ok, errorType }) => {
    if (!ok) move(run, callId, 'failed', errorType);
    else move(run, callId, run.calls.get(callId)?.repairs.length ? 'mended' : 'ok');
  },
  'call.sealed': (run, { callId }) => move(run, callId, 'unknown'),
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
  return flat.length > longestLine ? `${flat.slice(0, longestLine)}…` : flat;
}
