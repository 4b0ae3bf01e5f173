import { describe, expect, it } from 'vitest';
import { all } from '../../../test/log/store-suite.ts';
import { calls, plays, says } from '../../../test/run/plays.ts';
import { permissions } from '../../execute/permission-rules.ts';
import { ToolmendError } from '../../json/toolmend-error.ts';
import type { Commands, RunCommand } from '../../log/control/commands.ts';
import { decideApproval } from '../../log/control/decide-approval.ts';
import type { RunFact } from '../../log/events.ts';
import { isAtRest, stateOf } from '../../log/fold.ts';
import type { RedactRun } from '../../log/journal.ts';
import { memoryStore } from '../../log/memory-store.ts';
import { redactor } from '../../log/redact/redact.ts';
import type { Store } from '../../log/store.ts';
import { type Tool, tool, toolFingerprint } from '../../tools/tool.ts';
import { agent } from '../agent.ts';
import { agentTool } from '../agent-tool.ts';
import { recordResult } from '../results/record-result.ts';
import { applyCommand, recordCommand } from './apply-command.ts';
import { controlWith, type RunControl } from './control.ts';

interface SceneOptions {
  readonly takeBack?: Commands['takeBack'];
  readonly redact?: RedactRun;
  readonly timeout?: number;
}

/** Commands for a run that a worker has, with the given replies to questions for their status. */
async function scene(
  replies: readonly (() => Awaited<ReturnType<Commands['status']>>)[],
  { takeBack = async () => false, redact, timeout = 1000 }: SceneOptions = {},
) {
  const store = memoryStore();
  const run = await agent({ store, tools: [], model: plays(() => [calls('none', '{}', 'a')]) }).submit('Go');
  const sent: string[] = [];
  const stored: RunCommand[] = [];
  let asked = 0;
  const commands: Commands = {
    newId: async () => '1',
    send: async (_id, _run, command) => {
      sent.push(command.type);
      stored.push(command);
    },
    status: async () => (replies[asked++] ?? replies.at(-1))?.() ?? { isAcknowledged: false },
    takeBack,
    withdraw: async () => false,
    isOrphaned: async () => false,
    receive: async () => [],
    takeOver: async () => [],
    listen: () => () => {},
    release: async () => {},
    acknowledge: async () => {},
    finish: async () => {},
  };
  const queries = { query: async () => ({ rows: [{ active: 1 }] }) };
  const runs = controlWith(store, { commands, queries, timeout, redact: redact && (() => redact) });
  return { run, sent, stored, store, runs };
}

const refuses = (error: unknown) => () => {
  throw error;
};
const gone = new ToolmendError('connection_failed', 'The database does not respond');
const confirms = () => ({ isAcknowledged: true });

describe('a command whose database goes away before a worker confirms it', () => {
  it.each([
    ['without a response', new ToolmendError('connection_failed', 'The database does not respond')],
    ['because it shuts down', Object.assign(new Error('terminating connection'), { code: '57P01' })],
  ])('is sent once, and confirmed when the database is back: %s', async (_, error) => {
    const { run, runs, sent } = await scene([refuses(error), refuses(error), confirms]);
    await runs.send(run, 'Hello');
    expect(sent).toEqual(['send']);
  });

  it('is reported as not confirmed if the database is back too late', async () => {
    const { run, runs, sent } = await scene([refuses(new ToolmendError('connection_failed', 'Gone'))]);
    await expect(runs.cancel(run)).rejects.toMatchObject({ code: 'not_acknowledged' });
    expect(sent).toEqual(['cancel']);
  });

  it('reports other errors at once', async () => {
    const { run, runs } = await scene([refuses(new Error('A bug')), confirms]);
    await expect(runs.cancel(run)).rejects.toThrow('A bug');
  });
});

describe('a command that the worker of the run does not confirm', () => {
  it.each<[string, Commands['takeBack'], RegExp]>([
    ['because it is blocked and has not received it', async () => true, /withdrawn and has no effect.*Send it again/],
    ['though it has received it', async () => false, /has received the command.*may still take effect/],
    [
      'as far as the database says, which is away',
      () => Promise.reject(gone),
      /did not respond.*may still take effect/,
    ],
  ])('fails with what is known about it, and writes no log that the worker has: %s', async (_, takeBack, message) => {
    for (const command of ['cancel', 'send', 'interrupt', 'approve'] as const) {
      const { run, runs, sent, store } = await scene([() => ({ isAcknowledged: false })], { takeBack, timeout: 100 });
      const before = (await stateOf(store, run)).seq;
      const done = command === 'approve' ? runs.approve(run, 'a', { type: 'allow' }) : runs[command](run, 'Enough');
      await expect(done).rejects.toMatchObject({ code: 'not_acknowledged', message: expect.stringMatching(message) });
      expect(sent).toEqual([command]);
      expect((await stateOf(store, run)).seq).toBe(before);
    }
  });
});

const idle = { redact: redactor(), isAbandoned: true };

describe('a command that is received again after a crash', () => {
  it('says which events a cancellation is for, so that it does not stop what came later', async () => {
    const { run, runs, stored, store } = await scene([confirms]);
    await runs.cancel(run, 'Enough');
    const [cancel] = stored as [RunCommand];
    expect(cancel).toEqual({ type: 'cancel', reason: 'Enough', after: 2 });
    await recordCommand(store, run, { id: '1', command: cancel }, idle);
    expect((await stateOf(store, run)).ended?.end).toBe('aborted');
    await idleControl(store, '2').send(run, 'Continue');
    await recordCommand(store, run, { id: '1', command: cancel }, idle);
    expect((await stateOf(store, run)).ended).toBeUndefined();
    const active = await agent({ store, tools: [], model: plays(() => [says('Done.')]) }).resume(run);
    expect(await applyCommand(active, '1', cancel)).toBeUndefined();
    expect(await active.continue().result).toMatchObject({ end: 'done' });
  });

  it('confirms a decision that is in the log, and refuses another one', async () => {
    const { store, run } = await abandoned();
    const allow = { type: 'approve', callId: 'b', decision: { type: 'allow' } } as const;
    const decide = (id: string) => recordCommand(store, run, { id, command: allow }, idle);
    await decide('1');
    await decide('1');
    await expect(decide('2')).rejects.toMatchObject({ code: 'not_waiting' });
    const active = await agent({ store, tools, model: plays(() => [says('Done.')]) }).resume(run);
    expect(await applyCommand(active, '1', allow)).toBeUndefined();
    expect(await applyCommand(active, '2', allow)).toContain('is waiting');
  });
});

const tools = ['look', 'pay'].map((name) => tool({ name, description: name, effect: 'read', execute: () => name }));

/** A run whose worker died while a call ran and another one waited for approval. */
async function abandoned(queued = true) {
  const store = memoryStore();
  const run = 'run_abandoned';
  const parts = [calls('look', '{}', 'a'), calls('pay', '{}', 'b')];
  const judged = (callId: string, name: string) => ({ callId, name, input: {} });
  const facts: RunFact[] = [
    { type: 'run.started', model: { name: 'm', provider: 'p' }, tools: ['look', 'pay'], ...(queued && { queued }) },
    { type: 'message.added', message: { role: 'user', parts: [{ type: 'text', text: 'Go' }] } },
    { type: 'turn.requested', turn: 1 },
    { type: 'turn.completed', turn: 1, response: { message: { role: 'assistant', parts }, finish: 'tool_calls' } },
    { type: 'tool.started', ...judged('a', 'look'), key: `${run}/a`, effect: 'read', repeat: 'once' },
    {
      type: 'approval.requested',
      ...judged('b', 'pay'),
      effect: 'read',
      reason: 'a rule asks',
      fingerprint: toolFingerprint(tools[1] as Tool),
    },
  ];
  await store.append(facts.map((fact, index) => ({ ...fact, run, seq: index + 1, at: Date.now() })));
  return { store, run };
}

describe('a decision about a run whose worker died while another call ran', () => {
  it('is recorded, and takes effect when the run is resumed', async () => {
    const { store, run } = await abandoned();
    await idleControl(store).approve(run, 'b', { type: 'allow' });
    const resumed = await agent({ store, tools, model: plays(() => [says('Done.')]) }).resume(run);
    expect(await resumed.continue().result).toMatchObject({ end: 'done' });
    expect(resumed.calls()).toMatchObject([{ state: 'completed' }, { state: 'completed' }]);
  });

  it('is refused with what to do, if the run may be active in a process that is no worker', async () => {
    const { store, run } = await abandoned(false);
    await expect(idleControl(store).approve(run, 'b', { type: 'allow' })).rejects.toMatchObject({
      code: 'not_waiting',
      message: expect.stringMatching(/its process has died.*or resume it/),
    });
  });
});

describe("a control with the agent's own redact", () => {
  const redact: RedactRun = (event, { run, context }) => {
    const { tenant } = context as { tenant: string };
    expect(run).toMatch(/^run_/);
    return JSON.parse(JSON.stringify(event).replaceAll(tenant, '<tenant>'));
  };
  const submit = (store: Store) =>
    agent({ store, tools, model: plays(() => []), redact: false }).submit('Go', { context: { tenant: 'Acme' } });

  it.each<[string, (runs: RunControl, run: string) => Promise<void>]>([
    ['a message', (runs, run) => runs.send(run, 'For Acme')],
    ['an interruption', (runs, run) => runs.interrupt(run, 'For Acme')],
    ['the reason of a cancellation', (runs, run) => runs.cancel(run, 'Acme said so')],
    ['a denial', (runs, run) => runs.approve(run, 'b', { type: 'deny', reason: 'Acme said so' })],
  ])('stores no secret of its own, in a command or in the log: %s', async (_, command) => {
    const { run, runs, stored, store } = await scene([confirms], { redact });
    await store.remove(run);
    const id = await submit(store);
    await command(runs, id);
    expect(JSON.stringify(stored)).toContain('<tenant>');
    expect(JSON.stringify(stored)).not.toContain('Acme');
    const idle = idleControl(store, '2', redact);
    // No call waits in this run, so there is no decision to record.
    await command(idle, id).catch((error) => expect(error).toMatchObject({ code: 'not_waiting' }));
    const events = (await all(store, id)).slice(1);
    expect(JSON.stringify(events)).not.toContain('Acme');
  });

  it('gives an agent that completes a call the run that its redact needs', async () => {
    const store = memoryStore();
    const ask = tool({ name: 'ask', description: 'Asks' });
    const model = plays(({ messages }) => (messages.length > 2 ? [says('Done.')] : [calls('ask', '{}', 'a')]));
    const keepsContext: RedactRun = (event, run) => (event.type === 'run.started' ? event : redact(event, run));
    const own = { store, model, tools: [ask], redact: keepsContext, guidance: false };
    const run = agent(own).run('Go', { context: { tenant: 'Acme' } });
    await run.result;
    await recordResult(store, run.id, 'a', 'From Acme', { redact: keepsContext });
    const received = (await all(store, run.id)).find(({ type }) => type === 'result.received');
    expect(received).toMatchObject({ value: 'From <tenant>' });
  });
});

describe('a message whose confirmation gets lost with the database', () => {
  it('is in the log once', async () => {
    const kept = memoryStore();
    let outages = 2;
    const store: typeof kept = {
      ...kept,
      async append(events) {
        await kept.append(events);
        if (events.some(({ type }) => type === 'message.added') && outages-- > 0)
          throw new ToolmendError('connection_failed', 'The database does not respond');
      },
    };
    const run = await agent({ store: kept, tools: [], model: plays(() => []) }).submit('Go');
    const queries = { query: async () => ({ rows: [] }) };
    const commands = { newId: async () => '7' } as Partial<Commands> as Commands;
    await controlWith(store, { commands, queries, timeout: 5000 }).send(run, 'Hello');
    const messages: string[] = [];
    for await (const event of kept.read(run)) if (event.type === 'message.added') messages.push(event.command ?? '');
    expect(messages).toEqual(['', '7']);
  });
});

/** The control of runs that no worker has. */
const idleControl = (store: Store, id = '1', redact?: RedactRun) => {
  const commands = { newId: async () => id } as Partial<Commands> as Commands;
  return controlWith(store, {
    commands,
    queries: { query: async () => ({ rows: [] }) },
    redact: redact && (() => redact),
  });
};

describe('cancelling a run that no worker has', () => {
  it('gives its calls the results and denials that are recorded', async () => {
    const store = memoryStore();
    const ask = tool({ name: 'ask', description: 'Asks' });
    const pay = tool({ name: 'pay', description: 'Pays', execute: () => 'paid' });
    const model = plays([calls('ask', '{}', 'a'), calls('pay', '{}', 'b'), calls('ask', '{}', 'c')]);
    const { id, result } = agent({ store, model, tools: [ask, pay], permissions: permissions({ ask: ['pay'] }) }).run(
      'Go',
    );
    await result;
    await recordResult(store, id, 'a', 'both');
    await decideApproval(store, id, 'b', { type: 'deny', reason: 'too risky' });
    await idleControl(store).cancel(id, 'Enough');
    const state = await stateOf(store, id);
    const texts = [...state.calls.values()].map(({ result }) => JSON.stringify(result?.content));
    expect(texts[0]).toContain('both');
    expect(texts[1]).toContain('too risky');
    expect(texts[2]).toContain('No result has arrived for the call: Enough');
    expect(state.ended).toMatchObject({ end: 'aborted', message: 'Enough' });
    expect(isAtRest(state)).toBe(true);
  });
});

describe('waiting for a run', () => {
  it('fails if the run is deleted before it ends', async () => {
    const store = memoryStore();
    const run = await agent({ store, tools: [], model: plays(() => []) }).submit('Go');
    const waiting = idleControl(store).wait(run, { pollInterval: 5 });
    setTimeout(() => store.remove(run), 20);
    await expect(waiting).rejects.toMatchObject({ code: 'unknown_run', message: expect.stringContaining('deleted') });
  });
});

describe('a fork of a run that waits for a child', () => {
  it('continues without the child, which belongs to the original run', async () => {
    const store = memoryStore();
    const reply = (call: ReturnType<typeof calls>) =>
      plays(({ messages }) => [messages.some(({ role }) => role === 'assistant') ? says('Done.') : call]);
    const pay = tool({ name: 'pay', description: 'Pays', execute: () => 'paid' });
    const helper = agent({
      name: 'helper',
      store,
      tools: [pay],
      permissions: permissions({ mode: 'ask' }),
      model: reply(calls('pay', '{}', 'w')),
    });
    const ask = agentTool(helper, { name: 'ask', description: 'Asks the helper' });
    const boss = agent({ store, tools: [ask], model: reply(calls('ask', '{"prompt": "Pay"}', 'a')) });
    await boss.run('Go', { id: 'p' }).result;
    const fork = await idleControl(store).fork('p');
    // A worker takes only a run that has work.
    expect(isAtRest(await stateOf(store, fork))).toBe(false);
    const run = (await boss.resume(fork)).continue();
    expect(await run.result).toMatchObject({ end: 'done' });
    expect(JSON.stringify(run.calls()[0]?.result)).toContain('belongs to the run that this one was forked from');
    expect((await stateOf(store, 'p')).ended?.end).toBe('awaiting_result');
  });
});

describe('the result of a run that a tool ended', () => {
  it('has the text of the tool, like the result in its own process', async () => {
    const store = memoryStore();
    const look = tool({ name: 'look', description: 'Looks', execute: () => 'nothing' });
    const answer = tool({ name: 'answer', description: 'Answers', endsRun: true, execute: () => '42' });
    const model = plays([calls('look', '{}', 'a'), calls('answer', '{}', 'b')]);
    const run = agent({ store, tools: [look, answer], model }).run('Go');
    const runs = idleControl(store);
    expect(await run.result).toMatchObject({ end: 'done', text: '42' });
    expect(await runs.result(run.id)).toMatchObject({ end: 'done', text: '42' });
    expect(await runs.wait(run.id)).toMatchObject({ text: '42' });
  });
});

describe('a decision about a call of a run that a worker has', () => {
  it('is refused if its arguments contain a secret, which the worker would not get', async () => {
    const { run, runs, sent } = await scene([confirms]);
    const edit = (input: object) => runs.approve(run, 'a', { type: 'edit', input });
    await expect(edit({ password: 'correct-horse-9' })).rejects.toMatchObject({ code: 'unstorable_edit' });
    await expect(edit({ note: '[redacted]' })).rejects.toMatchObject({ code: 'unstorable_edit' });
    expect(sent).toEqual([]);
    await edit({ note: 'Hello' });
    expect(sent).toEqual(['approve']);
  });
});
