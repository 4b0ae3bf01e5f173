/** How many commits calls cost, and that none of them is missing where something could take long. */
import { expect, it } from 'vitest';
import type { RunEvent } from '../../src/log/events.ts';
import { memoryStore } from '../../src/log/memory-store.ts';
import { type AgentOptions, agent } from '../../src/run/agent.ts';
import { tool } from '../../src/tools/tool.ts';
import { calls, plays, says } from './plays.ts';

/** The types of the events of each commit. */
async function commitsOf(more: Partial<AgentOptions> = {}): Promise<string[][]> {
  const commits: string[][] = [];
  const store = memoryStore();
  const { append } = store;
  store.append = (events: readonly RunEvent[]) => {
    commits.push(events.map(({ type }) => type));
    return append(events);
  };
  const slow = tool({
    name: 'slow',
    description: 'S',
    effect: 'read',
    execute: () => new Promise((resolve) => setTimeout(resolve, 20)),
  });
  const quick = tool({ name: 'quick', description: 'Q', effect: 'read', execute: () => 'ok' });
  const model = plays([calls('quick', '')], [calls('quick', ''), calls('slow', '')], [says('Done.')]);
  await agent({ model, tools: [quick, slow], store, ...more }).run('Go').result;
  return commits;
}

it('the last result of a turn is committed with the next request, and others at once', async () => {
  expect(await commitsOf()).toEqual([
    ['run.started', 'message.added', 'turn.requested'],
    ['turn.completed', 'call.mended', 'tool.started'],
    ['tool.finished', 'turn.requested'],
    ['turn.completed', 'call.mended', 'call.mended', 'tool.started', 'tool.started'],
    ['tool.finished'],
    ['tool.finished', 'turn.requested'],
    ['turn.completed', 'run.ended'],
  ]);
});

it('guard: results and messages are committed before code of the user runs, and before a budget ends the run', async () => {
  const prepared = await commitsOf({ prepareStep: () => undefined });
  expect(prepared.filter((types) => types.includes('tool.finished'))).toEqual(
    [...Array(3)].map(() => ['tool.finished']),
  );
  expect(prepared[0]).toEqual(['run.started', 'message.added']);
  const conditions = await commitsOf({ stopWhen: () => false });
  expect(conditions.filter((types) => types.includes('tool.finished'))).toHaveLength(3);
  expect((await commitsOf({ budgets: { steps: 1 } })).slice(-2)).toEqual([['tool.finished'], ['run.ended']]);
});
