/**
 * F27 Any sequence of decisions, changed rules, redefined tools, hooks, crashes and resumes, against what a person remembers:
 * what was shown, and what was said to it. Nothing runs that this does not cover.
 */
import fc from 'fast-check';
import '../seed.ts';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type PermissionOptions, permissions } from '../../src/execute/permission-rules.ts';
import { equal } from '../../src/json/value.ts';
import { decideApproval } from '../../src/log/control/decide-approval.ts';
import type { Decision } from '../../src/log/events.ts';
import type { CallRecord } from '../../src/log/state.ts';
import type { Store } from '../../src/log/store.ts';
import { type Agent, agent } from '../../src/run/agent.ts';
import { InvalidEdit } from '../../src/run/invoke/invalid-edit.ts';
import type { Run } from '../../src/run/run.ts';
import { type Tool, tool, toolFingerprint } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import { calls, plays, says } from '../run/plays.ts';
import { eventsOf } from './scene.ts';

type Said = 'allow' | 'always' | 'edit' | 'bad edit' | 'deny';
type Step =
  | { readonly do: 'say' | 'say elsewhere'; readonly call: number; readonly said: Said }
  | { readonly do: 'rules'; readonly rules: keyof typeof ruleSets }
  | { readonly do: 'redefine' | 'hook' | 'resume' | 'continue' }
  | { readonly do: 'crash'; readonly after: number };

const ruleSets = {
  ask: { mode: 'ask' },
  lax: { mode: 'auto' },
  strict: { mode: 'ask', deny: ['drop(table=logs)'] },
} as const satisfies Record<string, PermissionOptions>;

const said = fc.constantFrom<Said>('allow', 'always', 'edit', 'bad edit', 'deny');
const call = fc.integer({ min: 0, max: 2 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('say' as const), call, said }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('say elsewhere' as const), call, said }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('rules' as const), rules: fc.constantFrom('ask', 'lax', 'strict') }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('redefine', 'hook', 'resume', 'continue') }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('crash' as const), after: fc.integer({ min: 0, max: 9 }) }) },
) as fc.Arbitrary<Step>;

/** A process may end before any of its events is on disk: from then on its store takes nothing. */
function mortal(store: Store) {
  const life = { left: Number.POSITIVE_INFINITY };
  const own: Store = {
    ...store,
    read: (...given) => store.read(...given),
    append: async (events) => {
      if (events.length > life.left) {
        life.left = 0;
        throw new Error('The process has ended');
      }
      life.left -= events.length;
      await store.append(events);
    },
  };
  return { own, life };
}

interface Ran {
  readonly callId: string;
  readonly input: unknown;
  readonly version: number;
}

const inputs = [{ table: 'logs', rows: 3 }, { table: 'tmp' }, { table: 'late' }] as const;
const model = () =>
  plays(({ messages }) => {
    const turns = messages.filter(({ role }) => role === 'assistant').length;
    if (turns === 0) return [calls('drop', inputs[0], 'c0'), calls('drop', inputs[1], 'c1')];
    return turns === 1 ? [calls('drop', JSON.stringify(inputs[2]), 'c2')] : [says('Done.')];
  });

/** What a person was shown and has said, and everything that ran. */
class Play {
  readonly store: Store;
  readonly ran: Ran[] = [];
  readonly denied = new Set<string>();
  readonly always = new Set<number>();
  readonly allowed = new Map<string, { readonly input: unknown; readonly version: number }>();
  readonly faults: string[] = [];
  rules: keyof typeof ruleSets = 'ask';
  version = 1;
  hooked = false;
  id = '';
  run: Run;
  life = { left: Number.POSITIVE_INFINITY };
  toolbox: Toolbox = new Toolbox([]);
  process: Agent;

  constructor(store: Store) {
    this.store = store;
    this.process = this.begin();
    this.run = this.process.run('Clean up');
    this.id = this.run.id;
  }

  made(version: number): Tool {
    return tool({
      name: 'drop',
      description: `Drops, version ${version}`,
      effect: 'destructive',
      inputSchema: z.object({ table: z.string(), rows: z.number().optional() }),
      execute: async (input: unknown, { callId }: { callId: string }) => {
        await this.judge({ callId, input, version });
        return 'dropped';
      },
    } as never) as Tool;
  }

  begin(): Agent {
    const { own, life } = mortal(this.store);
    this.life = life;
    this.toolbox = new Toolbox([this.made(this.version)]);
    this.process = agent({
      model: model(),
      tools: this.toolbox,
      store: own,
      permissions: { decide: (call) => permissions(ruleSets[this.rules]).decide(call) },
      hooks: { before: ({ input }) => (this.hooked ? { input: { ...(input as object), rows: 99 } } : undefined) },
    });
    return this.process;
  }

  async resume(): Promise<void> {
    await this.run.result;
    this.begin();
    const [started] = await eventsOf(this.store, this.id);
    // Nothing was on disk when the first process ended: it is as if nobody had asked.
    if (!started) {
      this.run = this.process.run('Clean up');
      this.id = this.run.id;
      return;
    }
    this.run = await this.process.resume(this.id);
  }

  /** Whether something may run, by what a person remembers and the log holds at this moment. */
  async judge(ran: Ran): Promise<void> {
    const { callId, input, version } = ran;
    const fault = (words: string): unknown => this.faults.push(`${callId} ${words}: ${JSON.stringify(ran)}`);
    if (this.ran.some((one) => one.callId === callId)) fault('ran twice');
    this.ran.push(ran);
    if (this.denied.has(callId)) fault('was denied');
    if (this.rules === 'strict' && (input as { table: string }).table === 'logs') fault('is forbidden');
    const events = await eventsOf(this.store, this.id);
    const isAsked = events.some((event) => event.type === 'approval.requested' && event.callId === callId);
    const allowed = this.allowed.get(callId);
    if (allowed) {
      if (!equal(allowed.input, input)) fault('ran with other arguments than were allowed');
      if (allowed.version !== version) fault('ran under another definition');
    } else if (isAsked) fault('ran though nobody decided');
    else if (this.rules !== 'lax' && !this.always.has(version)) fault('ran unasked');
  }

  record(callId: string): CallRecord | undefined {
    return this.run.calls().find((one) => one.callId === callId);
  }

  async say(callId: string, word: Said, elsewhere: boolean): Promise<void> {
    const record = this.record(callId);
    const isWaiting = record?.state === 'approval_required' && !record.decision && this.life.left > 0;
    const shown = record?.approval;
    const decision = decisions[word];
    const seen = [1, 2].find((version) => shown?.fingerprint === toolFingerprint(this.made(version))) ?? 0;
    let error: unknown;
    // A decision counts from the moment it is given, also where what follows fails.
    const before = {
      denied: this.denied.has(callId),
      allowed: this.allowed.get(callId),
      always: this.always.has(seen),
    };
    if (isWaiting) this.remember(callId, decision, shown?.input, seen);
    const back = (): void => {
      if (!before.denied) this.denied.delete(callId);
      if (before.allowed) this.allowed.set(callId, before.allowed);
      else this.allowed.delete(callId);
      if (!before.always) this.always.delete(seen);
    };
    try {
      if (elsewhere) await decideApproval(this.store, this.id, callId, decision);
      else await this.run.approve(callId, decision);
    } catch (thrown) {
      error = thrown;
      if (isWaiting && !(await this.isOnRecord(callId, decision))) back();
    }
    if (isWaiting && word === 'bad edit' && !elsewhere && this.life.left > 0) {
      if (!(error instanceof InvalidEdit)) this.faults.push('a bad edit was taken');
      if (this.record(callId)?.state !== 'approval_required') this.faults.push('a bad edit used up the request');
    }
    if (!isWaiting && !elsewhere && !error) this.faults.push(`a decision was taken that nobody asked for: ${word}`);
  }

  remember(callId: string, decision: Decision, input: unknown, version: number): void {
    if (decision.type === 'deny') this.denied.add(callId);
    else this.allowed.set(callId, { input: decision.type === 'edit' ? decision.input : input, version });
    if (decision.type === 'allow' && decision.always) this.always.add(version);
  }

  async isOnRecord(callId: string, decision: Decision): Promise<boolean> {
    const given = (await eventsOf(this.store, this.id)).findLast(
      (event) => event.type === 'approval.decided' && event.callId === callId,
    );
    return given?.type === 'approval.decided' && given.decision.type === decision.type;
  }

  async take(step: Step): Promise<void> {
    await this.run.result;
    if (this.life.left <= 0) await this.resume();
    switch (step.do) {
      case 'say':
        await this.say(`c${step.call}`, step.said, false);
        break;
      case 'say elsewhere':
        await this.say(`c${step.call}`, step.said, true);
        // Whoever holds the run has lost it to that event.
        await this.resume();
        break;
      case 'rules':
        this.rules = step.rules;
        break;
      case 'hook':
        this.hooked = !this.hooked;
        break;
      case 'redefine':
        this.version = 3 - this.version;
        this.toolbox.remove('drop');
        this.toolbox.add(this.made(this.version));
        break;
      case 'resume':
        await this.resume();
        break;
      case 'continue':
        this.run.continue();
        break;
      case 'crash':
        this.life.left = step.after;
    }
    await this.run.result;
  }

  /** Says no to what is left; every call then has one result, and the run is over. */
  async end(): Promise<void> {
    this.rules = 'ask';
    await this.resume();
    for (let at = 0; at < 12; at += 1) {
      const { end } = await this.run.continue().result;
      const waiting = this.run.calls().filter(({ state }) => state === 'approval_required');
      if (end !== 'awaiting_approval' && waiting.length === 0) break;
      for (const { callId } of waiting) await this.say(callId, 'deny', false);
    }
    const { end } = await this.run.result;
    if (end !== 'done') this.faults.push(`the run ended as ${end}`);
    const events = await eventsOf(this.store, this.id);
    for (const record of this.run.calls()) {
      const results = events.filter(
        (event) => 'result' in event && 'callId' in event && event.callId === record.callId,
      );
      if (results.length !== 1) this.faults.push(`${record.callId} has ${results.length} results`);
      if (this.denied.has(record.callId) && record.state !== 'denied')
        this.faults.push(`${record.callId} was denied and is ${record.state}`);
    }
  }
}

const decisions: Readonly<Record<Said, Decision>> = {
  allow: { type: 'allow' },
  always: { type: 'allow', always: true },
  edit: { type: 'edit', input: { table: 'edited' } },
  'bad edit': { type: 'edit', input: { rows: 'many' } },
  deny: { type: 'deny', reason: 'no' },
};

/** Plays so many random sequences, each on a store of its own or all on one. */
export function sequenceSuite(name: string, open: () => Store | Promise<Store>, numRuns: number): void {
  describe(`F27 in a ${name} store`, () => {
    it('whatever happens in whatever order, only what a person allowed runs, and only so', {
      timeout: 120_000,
    }, async () => {
      let ran = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
          const play = new Play(await open());
          for (const one of steps) await play.take(one);
          await play.end();
          ran += play.ran.length;
          expect(play.faults).toEqual([]);
        }),
        { numRuns },
      );
      // A play in which nothing runs would show nothing.
      expect(ran).toBeGreaterThan(numRuns / 5);
    });
  });
}
