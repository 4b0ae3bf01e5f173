import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RunEvent, RunFact } from '../../src/log/events.ts';
import { applyEvent, fold, history, openCalls } from '../../src/log/fold.ts';
import { Journal } from '../../src/log/journal.ts';
import { memoryStore } from '../../src/log/memory-store.ts';
import { newRunState, type RunState } from '../../src/log/state.ts';
import type { CallPart, Message, Part } from '../../src/model/index.ts';
import { runs } from '../sample.ts';
import { plain, play, playing, playOut } from './random-runs.ts';
import { all } from './store-suite.ts';

const parts = (messages: readonly Message[]): Part[] => messages.flatMap((message): readonly Part[] => message.parts);
const called = (messages: readonly Message[]): string[] =>
  parts(messages).flatMap((part) => (part.type === 'call' ? part.id : []));
const answered = (messages: readonly Message[]): string[] =>
  parts(messages).flatMap((part) => (part.type === 'result' ? part.callId : []));

const result = (callId: string) => ({ type: 'result', callId, content: [] }) as const;
const callPart = (id: string): CallPart => ({ type: 'call', id, name: 'look', arguments: '' });
const judged = (callId: string) => ({ callId, name: 'look', input: { n: 1 }, repairs: [], call: callPart(callId) });
const started = (callId: string): RunFact => ({
  type: 'tool.started',
  callId,
  name: 'look',
  input: {},
  key: callId,
  effect: 'read',
  repeat: 'once',
});
const finished = (callId: string): RunFact => ({
  type: 'tool.finished',
  callId,
  name: 'look',
  ok: true,
  result: result(callId),
  ms: 1,
});

/** The lives a call can have. */
const lives: readonly ((callId: string) => RunFact[])[] = [
  (callId) => [{ type: 'call.accepted', ...judged(callId) }, started(callId), finished(callId)],
  (callId) => [{ type: 'call.mended', ...judged(callId) }, started(callId), finished(callId)],
  (callId) => [
    { type: 'call.accepted', ...judged(callId) },
    { type: 'approval.requested', callId, name: 'look', input: {}, effect: 'write', reason: 'rule' },
    { type: 'approval.decided', callId, decision: { type: 'edit', input: { n: 2 } } },
    started(callId),
    finished(callId),
    { type: 'tool.orphaned', callId, name: 'look', outcome: 'late' },
  ],
  (callId) => [
    { type: 'call.accepted', ...judged(callId) },
    { type: 'approval.requested', callId, name: 'look', input: {}, effect: 'write', reason: 'rule' },
    { type: 'approval.decided', callId, decision: { type: 'deny' } },
    { type: 'call.denied', callId, name: 'look', reason: 'no', result: result(callId) },
  ],
  (callId) => [
    { type: 'call.accepted', ...judged(callId) },
    started(callId),
    { type: 'result.requested', callId, name: 'look', input: {}, key: 'job' },
    { type: 'result.received', callId, value: 1 },
    finished(callId),
  ],
  (callId) => [
    { type: 'call.accepted', ...judged(callId) },
    started(callId),
    { type: 'call.settled', callId, name: 'look', was: 'unknown', result: result(callId) },
  ],
];

/** Events side by side: whose turn it is, is drawn. */
function interleave(streams: readonly (readonly RunFact[])[], draws: readonly number[]): RunFact[] {
  const rest = streams.map((stream) => [...stream]);
  const facts: RunFact[] = [];
  for (let at = 0; ; at += 1) {
    const open = rest.filter((stream) => stream.length > 0);
    if (open.length === 0) return facts;
    const fact = open[(draws[at % draws.length] ?? 0) % open.length]?.shift();
    if (fact) facts.push(fact);
  }
}

const opening = (ids: readonly string[]): RunFact[] => [
  { type: 'run.started', model: { name: 'm', provider: 'p' }, tools: ['look'] },
  { type: 'message.added', message: { role: 'user', parts: [{ type: 'text', text: 'x' }] } },
  { type: 'turn.requested', turn: 1 },
  {
    type: 'turn.completed',
    turn: 1,
    response: {
      finish: 'tool_calls',
      message: { role: 'assistant', parts: ids.map(callPart) },
    },
  },
];

/** The state after these facts went through a journal, as a run holds it; and what is in the store. */
async function lived(facts: readonly RunFact[]): Promise<{ live: RunState; stored: RunEvent[] }> {
  const store = memoryStore();
  const live = newRunState('r');
  const journal = new Journal(store, { run: 'r', apply: (event) => applyEvent(live, event), now: () => 0 });
  for (const [at, fact] of facts.entries()) await (at % 3 === 0 ? journal.commit(fact) : journal.note(fact));
  await journal.commit();
  return { live, stored: await all(store, 'r') };
}

/** A state without the numbers that tell the order of calls apart. */
const unordered = (state: RunState): unknown =>
  JSON.parse(JSON.stringify(plain(state), (key, value) => (key === 'seq' ? undefined : value)));

const kinds = fc.array(fc.nat(lives.length - 1), { minLength: 1, maxLength: 5 });
const draws = fc.array(fc.nat(100), { minLength: 1, maxLength: 20 });

describe('the log', () => {
  it('folds to the state it had live, whatever the order of events side by side, and to the same in any order', async () => {
    await fc.assert(
      fc.asyncProperty(kinds, draws, draws, async (chosen, one, other) => {
        const ids = chosen.map((_, at) => `c${at}`);
        const streams = chosen.map((kind, at) => lives[kind]?.(`c${at}`) ?? []);
        const first = await lived([...opening(ids), ...interleave(streams, one)]);
        const second = await lived([...opening(ids), ...interleave(streams, other)]);
        expect(plain(fold(first.stored))).toEqual(plain(first.live));
        expect(unordered(second.live)).toEqual(unordered(first.live));
        expect(answered(history(first.live))).toEqual(ids);
      }),
      { numRuns: runs(300) },
    );
  });

  it('of any run folds to its state, and at every point to one result per call at most', async () => {
    await fc.assert(
      fc.asyncProperty(play, async (plot) => {
        const store = memoryStore();
        const run = playing(plot, store).run('x');
        await playOut(run, plot);
        const events = await all(store, run.id);
        expect(plain(fold(events))).toEqual(plain(run.state));
        expect(answered(run.messages())).toEqual(called(run.messages()));
        const state = newRunState();
        for (const event of events) {
          applyEvent(state, event);
          const messages = history(state);
          const results = answered(messages);
          expect(new Set(results).size).toBe(results.length);
          const open = new Set(openCalls(state).map(({ callId }) => callId));
          expect(results).toEqual(called(messages).filter((id) => !open.has(id)));
        }
      }),
      { numRuns: runs(60) },
    );
  });

  it('can be cut and forked at every point: one result per call, and the fork goes on to an end', async () => {
    await fc.assert(
      fc.asyncProperty(play, fc.nat(1000), async (plot, draw) => {
        const store = memoryStore();
        const helper = playing(plot, store);
        const run = helper.run('x');
        await playOut(run, plot);
        const events = await all(store, run.id);
        for (const { seq } of events) {
          const fork = await helper.fork(run.id, seq);
          const waiting = new Set(openCalls(fork.state).map(({ callId }) => callId));
          // What only reads may run again; nothing else that had begun is open.
          const begun = [...waiting]
            .map((id) => fork.state.calls.get(id))
            .filter((call) => call?.state === 'executing');
          expect(begun.every((call) => call?.name === 'look')).toBe(true);
          const messages = fork.messages();
          expect(answered(messages)).toEqual(called(messages).filter((id) => !waiting.has(id)));
          expect(plain(fold(await all(store, fork.id)))).toEqual(plain(fork.state));
        }
        const again = await helper.fork(run.id, 1 + (draw % events.length));
        expect(await playOut(again.send('go on'), plot)).not.toBe('storage');
        expect(answered(again.messages())).toEqual(called(again.messages()));
      }),
      { numRuns: 40 },
    );
  });
});
