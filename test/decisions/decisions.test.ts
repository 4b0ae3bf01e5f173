/**
 * F27 Every order of decision, crash, resume, rule change and redefinition. What a person decided is final; what runs is
 * exactly what was approved, under the definition that was approved; everything else is asked again.
 */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { permissions } from '../../src/execute/permission-rules.ts';
import type { Decision } from '../../src/log/events.ts';
import { append, decidedThenKilled, eventsOf, type Process, processOn, stores, told, waiting } from './scene.ts';

const original = { table: 'logs', rows: 3 };
const edited = { table: 'old_logs', rows: 1 };
const deny: Decision = { type: 'deny', reason: 'we need them' };
const allow: Decision = { type: 'allow' };
const edit: Decision = { type: 'edit', input: edited };

/** How the process that resumes the run differs from the one that asked. */
const laters: Readonly<Record<string, Parameters<typeof processOn>[1]>> = {
  'the same process again': {},
  'rules that allow everything': { permissions: permissions({ mode: 'auto' }) },
  'a rule that allows it': { permissions: permissions({ mode: 'ask', allow: ['drop'] }) },
  'no rules': { permissions: permissions() },
  'rules that forbid it': { permissions: permissions({ mode: 'ask', deny: ['drop'] }) },
  'read-only rules': { permissions: permissions({ mode: 'readonly' }) },
  'a hook that changes arguments': { hooks: { before: () => ({ input: { table: 'users' } }) } },
  'a hook that denies': { hooks: { before: () => ({ deny: 'never' }) } },
  'an approver who allows everything': { approve: () => ({ type: 'allow', always: true }) },
  'another description': { definition: { description: 'Drops a table and its backups' } },
  'another schema': {
    definition: { inputSchema: z.object({ table: z.string(), rows: z.number().max(9).optional() }) },
  },
  'another effect': { definition: { effect: 'write' } },
  'another definition and lax rules': {
    definition: { description: 'Drops everything' },
    permissions: permissions({ mode: 'auto' }),
  },
  'the tool gone': { without: true },
};

type Later = keyof typeof laters;
/** What ran, and how the run stands: done, waiting for a person again. */
type Cell = readonly [ran: readonly unknown[], end: 'done' | 'awaiting_approval'];

const kept: Cell = [[], 'done'];
const again: Cell = [[], 'awaiting_approval'];
const ranWith = (input: unknown): Cell => [[input], 'done'];

/** The table: what a decision that was recorded right before a crash comes to. */
const table: readonly [Later, onDeny: Cell, onAllow: Cell, onEdit: Cell][] = [
  ['the same process again', kept, ranWith(original), ranWith(edited)],
  ['rules that allow everything', kept, ranWith(original), ranWith(edited)],
  ['a rule that allows it', kept, ranWith(original), ranWith(edited)],
  ['no rules', kept, ranWith(original), ranWith(edited)],
  ['rules that forbid it', kept, kept, kept],
  ['read-only rules', kept, kept, kept],
  ['a hook that changes arguments', kept, ranWith(original), ranWith(edited)],
  ['a hook that denies', kept, ranWith(original), ranWith(edited)],
  ['an approver who allows everything', kept, ranWith(original), ranWith(edited)],
  ['another description', kept, again, again],
  ['another schema', kept, again, again],
  ['another effect', kept, again, again],
  ['another definition and lax rules', kept, again, again],
  ['the tool gone', kept, kept, kept],
];

/** What held before there were fingerprints, and must not be lost. */
const guarded: Readonly<Record<Later, readonly Decision['type'][]>> = {
  'the same process again': ['deny', 'allow', 'edit'],
  'rules that allow everything': ['allow'],
  'a rule that allows it': ['allow'],
  'no rules': ['allow'],
  'rules that forbid it': ['allow', 'edit'],
  'read-only rules': ['allow', 'edit'],
  'a hook that changes arguments': ['deny', 'edit'],
  'an approver who allows everything': ['deny', 'allow', 'edit'],
  'another description': ['deny'],
  'another schema': ['deny'],
  'another effect': ['deny'],
  'the tool gone': ['allow', 'edit'],
};

const cells = table.flatMap(([later, ...row]) =>
  [deny, allow, edit].map((decision, at) => {
    const title = guarded[later]?.includes(decision.type) ? `guard: ${decision.type}` : decision.type;
    return [title, later, decision, row[at] as Cell] as const;
  }),
);

describe.each(stores)('F27 in a %s store, a decision that was recorded before a crash', (_, open) => {
  const afterCrash = async (later: Later, decision: Decision) => {
    const store = open();
    const run = await waiting(processOn(store));
    await decidedThenKilled(store, run, decision);
    const process: Process = processOn(store, laters[later]);
    const resumed = await process.resume(run.id);
    const { end } = await resumed.continue().result;
    return { process, resumed, end, store };
  };

  it.each(cells)('%s, then %s', async (_type, later, decision, [ran, end]) => {
    const found = await afterCrash(later, decision);
    expect([found.process.ran, found.end]).toEqual([ran, end]);
    if (decision.type === 'deny') expect(told(found.resumed)).toContain('we need them');
  });

  it.each([
    ['allow', allow, original],
    ['edit', edit, edited],
  ] as const)(
    '%s, then another definition: it is shown anew, and runs once that is allowed',
    async (_type, decision, input) => {
      const { process, resumed, store } = await afterCrash('another description', decision);
      expect((await eventsOf(store, resumed.id)).findLast(({ type }) => type === 'approval.requested')).toMatchObject({
        input,
        reason: 'its definition has changed since it was allowed',
      });
      await resumed.approve('c1', { type: 'allow' });
      expect([(await resumed.result).end, process.ran]).toEqual(['done', [input]]);
    },
  );

  it('an edit that does not fit the schema, written by another process, is given back with its problems', async () => {
    const bad: Decision = { type: 'edit', input: { table: 7 } };
    const { process, resumed, end, store } = await afterCrash('rules that allow everything', bad);
    expect([end, process.ran]).toEqual(['awaiting_approval', []]);
    expect((await eventsOf(store, resumed.id)).findLast(({ type }) => type === 'approval.requested')).toMatchObject({
      input: original,
      problems: [{ path: ['table'], message: "Field 'table' expected string, got number" }],
    });
    await resumed.approve('c1', edit);
    expect([(await resumed.result).end, process.ran]).toEqual(['done', [edited]]);
  });

  it('a log of before there were fingerprints is asked about again', async () => {
    const store = open();
    const run = await waiting(processOn(store));
    await append(store, run.id, {
      type: 'approval.requested',
      callId: 'c1',
      name: 'drop',
      input: original,
      effect: 'write',
      reason: '',
    });
    await decidedThenKilled(store, run, allow);
    const process = processOn(store);
    const { end } = await (await process.resume(run.id)).continue().result;
    expect([end, process.ran]).toEqual(['awaiting_approval', []]);
  });
});

describe.each(stores)('F27 in a %s store, while the process lives', (_, open) => {
  it('an edit that does not fit is refused with its problems, and the approval still stands', async () => {
    const process = processOn(open());
    const run = await waiting(process);
    for (const input of [
      { table: 7 },
      {},
      { table: 'a', extra: 1 },
      { table: 'a', rows: '3' },
      null,
      '{"table":"a"}',
      [],
    ])
      await expect(run.approve('c1', { type: 'edit', input })).rejects.toThrow(/still waiting/);
    expect(run.calls()[0]).toMatchObject({ state: 'approval_required' });
    await run.approve('c1', edit);
    expect([(await run.result).end, process.ran]).toEqual(['done', [edited]]);
  });

  it('asks an approver again after an invalid edit, with the problems', async () => {
    const heard: unknown[] = [];
    const process = processOn(open(), {
      approve: ({ input, problems }) => {
        heard.push([input, problems?.map(({ message }) => message)]);
        return heard.length === 1 ? { type: 'edit', input: { rows: 1 } } : edit;
      },
    });
    const run = await waiting(process);
    expect((await run.result).end).toBe('done');
    expect(heard).toEqual([
      [original, undefined],
      [original, ["Field 'table' is required but missing"]],
    ]);
    expect(process.ran).toEqual([edited]);
  });

  it('an approver who knows nothing but bad edits leaves the call waiting', async () => {
    const process = processOn(open(), { approve: () => ({ type: 'edit', input: {} }) });
    const run = await waiting(process);
    expect([(await run.result).end, process.ran]).toEqual(['awaiting_approval', []]);
  });

  it('a no that comes from elsewhere while an approver thinks is final', async () => {
    const { promise, resolve } = Promise.withResolvers<Decision>();
    let signal: AbortSignal | undefined;
    const process = processOn(open(), {
      approve: (_call, options) => {
        signal = options.signal;
        return promise;
      },
    });
    const run = process.run('Clean up');
    for await (const event of run.watch({ after: 0 })) if (event.type === 'approval.requested') break;
    await run.approve('c1', deny);
    resolve({ type: 'allow', always: true });
    expect([(await run.result).end, process.ran]).toEqual(['done', []]);
    expect(told(run)).toContain('we need them');
    expect(signal?.aborted).toBe(true);
  });

  it('requests approval again for a tool redefined in the meantime', async () => {
    const heard: string[] = [];
    const process = processOn(open(), {
      approve: ({ tool: { description }, name }) => {
        heard.push(description);
        if (heard.length > 1) return deny;
        const old = process.toolbox.get(name);
        if (old) {
          process.toolbox.remove(name);
          process.toolbox.add({ ...old, description: 'Drops everything' });
        }
        return allow;
      },
    });
    const run = await waiting(process);
    expect([(await run.result).end, process.ran, heard]).toEqual(['done', [], ['Drops a table', 'Drops everything']]);
  });

  it('hooks run once, before the approval', async () => {
    let hooked = 0;
    const hooks = {
      before: () => {
        hooked += 1;
        return { input: { table: `logs_${hooked}` } };
      },
    };
    const process = processOn(open(), { hooks });
    const run = await waiting(process);
    expect(run.calls()[0]?.approval?.input).toEqual({ table: 'logs_1' });
    await run.approve('c1', allow);
    await run.result;
    expect([process.ran, hooked]).toEqual([[{ table: 'logs_1' }], 1]);
  });
});
