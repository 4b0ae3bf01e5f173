import { describe, expect, it } from 'vitest';
import { calls, plays } from '../../../test/run/plays.ts';
import { permissions } from '../../execute/permission-rules.ts';
import { ToolmendError } from '../../json/toolmend-error.ts';
import type { Commands } from '../../log/control/commands.ts';
import { decideApproval } from '../../log/decide-approval.ts';
import { isAtRest, stateOf } from '../../log/fold.ts';
import { memoryStore } from '../../log/memory-store.ts';
import type { Store } from '../../log/store.ts';
import { tool } from '../../tools/tool.ts';
import { agent } from '../agent.ts';
import { recordResult } from '../results/record-result.ts';
import { controlWith } from './control.ts';

/** Commands for a run that a worker has, with the given replies to questions for their status. */
async function scene(replies: readonly (() => Awaited<ReturnType<Commands['status']>>)[]) {
  const store = memoryStore();
  const run = await agent({ store, tools: [], model: plays(() => [calls('none', '{}', 'a')]) }).submit('Go');
  const sent: string[] = [];
  let asked = 0;
  const commands: Commands = {
    newId: async () => '1',
    send: async (_id, _run, { type }) => void sent.push(type),
    status: async () => (replies[asked++] ?? replies.at(-1))?.() ?? { isAcknowledged: false },
    ...{ takeBack: async () => false, withdraw: async () => false, isOrphaned: async () => false },
    ...{ receive: async () => [], takeOver: async () => [], listen: () => () => {} },
    ...{ release: async () => {}, acknowledge: async () => {}, finish: async () => {} },
  };
  const queries = { query: async () => ({ rows: [{ active: 1 }] }) };
  return { run, sent, runs: controlWith(store, { commands, queries, timeout: 1000 }) };
}

const refuses = (error: unknown) => () => {
  throw error;
};
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
const idleControl = (store: Store) => {
  const commands = { newId: async () => '1' } as Partial<Commands> as Commands;
  return controlWith(store, { commands, queries: { query: async () => ({ rows: [] }) } });
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
