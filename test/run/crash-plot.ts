import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { permissions } from '../../src/execute/permission-rules.ts';
import type { Store } from '../../src/log/store.ts';
import type { Model } from '../../src/model/index.ts';
import { scripted } from '../../src/provider/scripted/scripted.ts';
import { type Agent, agent } from '../../src/run/agent.ts';
import type { RunResult } from '../../src/run/loop.ts';
import type { Run } from '../../src/run/run.ts';
import { tool } from '../../src/tools/tool.ts';

/** Where tools leave a mark that outlives their process: `name key`, a line for each run of a tool. */
export interface Marks {
  add(name: string, key: string): void;
  all(): string[];
}

export const marksIn = (file: string): Marks => ({
  add: (name, key) => appendFileSync(file, `${name} ${key}\n`),
  all: () => (existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []),
});

export const marksInMemory = (): Marks => {
  const list: string[] = [];
  return { add: (name, key) => list.push(`${name} ${key}`), all: () => [...list] };
};

const call = (id: string, name: string, written: string) => ({ id, name, arguments: written });

/** Calls side by side that read and write, one that waits for a person beside one that does not, a bad one, the end. */
const turns = [
  {
    text: 'I look.',
    calls: [
      call('a1', 'look', '{"n": 1}'),
      call('a2', 'save', '{"n": 2}'),
      call('a3', 'look', "{n: '3',}"),
      call('a4', 'save', '{"n": 4}'),
    ],
  },
  { calls: [call('b1', 'send', '{"n": 5}'), call('b2', 'put', '{"n": 6}')] },
  { calls: [call('c1', 'save', '{}')] },
  'Done.',
] as const;

/** Goes by what it is told alone, so that it goes on after a crash as a real one would. */
export const model = (): Model =>
  scripted(({ messages }) => {
    const answered = messages.filter(({ role }) => role === 'assistant').length;
    return turns[Math.min(answered, turns.length - 1)] ?? 'Done.';
  });

const input = {
  type: 'object',
  properties: { n: { type: 'number' } },
  required: ['n'],
  additionalProperties: false,
} as const;

/** An agent whose run touches every kind of event boundary. */
export function crashAgent(store: Store, marks: Marks): Agent {
  const marking = (name: string, rest: object) =>
    tool({
      name,
      description: name,
      inputSchema: input,
      ...rest,
      execute: ({ n }, { key = '' }) => {
        marks.add(name, key);
        return n;
      },
    });
  return agent({
    model: model(),
    store,
    permissions: permissions({ ask: ['send'] }),
    tools: [
      marking('look', { effect: 'read' }),
      marking('save', {}),
      marking('put', { repeat: 'idempotent' }),
      marking('send', { effect: 'destructive' }),
    ],
  });
}

/** Takes a run to its end, and says yes to whatever waits for a person. */
export async function toEnd(run: Run): Promise<RunResult> {
  for (;;) {
    const result = await run.result;
    if (result.end !== 'awaiting_approval') return result;
    for (const { callId, state } of run.calls()) {
      if (state === 'approval_required') await run.approve(callId, { type: 'allow', by: 'test' });
    }
  }
}
