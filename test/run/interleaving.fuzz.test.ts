/**
 * Whatever is said, allowed, interrupted and aborted, in whatever moment: each call has one result, no tool runs twice, the
 * conversation is one a provider takes, and the log folds to what the run is.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { permissions } from '../../src/execute/permission-rules.ts';
import { fold, history } from '../../src/log/fold.ts';
import { memoryStore } from '../../src/log/memory-store.ts';
import type { Message } from '../../src/model/index.ts';
import { agent } from '../../src/run/agent.ts';
import type { Run } from '../../src/run/run.ts';
import { tool } from '../../src/tools/tool.ts';
import { all } from '../log/store-suite.ts';
import { isLong } from '../sample.ts';
import { noUnhandledRejections, turns } from './odd-moments.ts';
import { calls, plays, says } from './plays.ts';

noUnhandledRejections();

const runs = Number(process.env.TOOLMEND_TRIES ?? (isLong ? 12 : 2)) * 25;

type Act = { readonly after: number; readonly what: 'send' | 'interrupt' | 'abort' | 'approve' | 'continue' | 'deny' };

const act = fc.record({
  after: fc.nat({ max: 6 }),
  what: fc.constantFrom<Act['what']>('send', 'interrupt', 'abort', 'approve', 'continue', 'deny'),
});
const called = fc.record({ name: fc.constantFrom('read', 'write', 'stuck', 'nope'), n: fc.option(fc.nat({ max: 5 })) });
const script = fc.array(fc.array(called, { maxLength: 3 }), { minLength: 1, maxLength: 4 });

function play(run: Run, { what }: Act): void {
  const waiting = run.calls().find(({ state, decision }) => state === 'approval_required' && !decision);
  if (what === 'send') run.send('more');
  else if (what === 'interrupt') run.interrupt('something else');
  else if (what === 'abort') run.abort();
  else if (what === 'continue') run.continue();
  else if (waiting) void run.approve(waiting.callId, { type: what === 'approve' ? 'allow' : 'deny' }).catch(isTooLate);
}

/** A call may stop waiting before a decision about it is recorded. Any other error fails the test. */
function isTooLate(error: { readonly code?: unknown }): void {
  if (error.code !== 'not_waiting') throw error;
}

/** What is wrong with a conversation: calls without their results right behind them, two answers in a row. */
function faultsOf(messages: readonly Message[]): string[] {
  return messages.flatMap((message, at) => {
    const next = messages[at + 1];
    if (message.role !== 'assistant') return [];
    const ids = message.parts.flatMap((part) => (part.type === 'call' ? part.id : []));
    const answered = next?.parts.flatMap((part) => (part.type === 'result' ? part.callId : [])) ?? [];
    if (ids.join() !== answered.join()) return [`${ids.join()} is followed by ${answered.join()}`];
    return next?.role === 'assistant' ? ['two answers in a row'] : [];
  });
}

it('keeps its guarantees when everything happens at the same time', async () => {
  await fc.assert(
    fc.asyncProperty(script, fc.array(act, { maxLength: 8 }), fc.nat({ max: 4 }), async (said, acts, pace) => {
      const ran: (string | undefined)[] = [];
      const input = z.object({ n: z.number() });
      const does = (effect: 'read' | 'write') => ({
        description: effect,
        inputSchema: input,
        effect,
        execute: async (given: { n: number }, { callId }: { callId?: string | undefined }) => {
          ran.push(callId);
          await turns(given.n);
          return given.n;
        },
      });
      const stuck = tool({
        name: 'stuck',
        description: 'S',
        inputSchema: input,
        timeout: 20,
        execute: () => new Promise(() => {}),
      });
      const model = plays(
        ...said.map((turn) => [says('I call.'), ...turn.map(({ name, n }) => calls(name, n === null ? {} : { n }))]),
        [says('Done.')],
      );
      const store = memoryStore();
      const helper = agent({
        model,
        store,
        tools: [tool({ name: 'read', ...does('read') }), tool({ name: 'write', ...does('write') }), stuck],
        permissions: permissions({ ask: ['write'] }),
        hooks: { before: () => turns(pace) },
      });
      const run = helper.run('begin');
      for (const one of acts) {
        await turns(one.after);
        play(run, one);
      }
      let { end } = await run.result;
      if (end === 'awaiting_approval') {
        expect(run.calls().some(({ state }) => state === 'approval_required')).toBe(true);
        run.abort();
        ({ end } = await run.result);
      }
      expect(run.calls().filter(({ result }) => !result)).toEqual([]);
      expect(new Set(ran).size).toBe(ran.length);
      expect(faultsOf(run.messages())).toEqual([]);
      const events = await all(store, run.id);
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_, at) => at + 1));
      expect(history(fold(events))).toEqual(run.messages());
      for (const id of run.calls().map(({ callId }) => callId)) {
        const told = events.filter((event) => 'result' in event && event.callId === id);
        expect(told.map(({ type }) => type)).toHaveLength(1);
      }
      expect(events.filter(({ type }) => type === 'run.ended').at(-1)).toMatchObject({ end });
    }),
    { numRuns: runs },
  );
}, 300_000);
