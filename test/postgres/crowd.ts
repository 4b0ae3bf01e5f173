/**
 * What workers that are killed work on: runs whose tools leave a line in a file for each effect. Started as a process it is
 * such a worker: `node crowd.ts URL FILE HOLD ATONCE HEARTBEAT ATTEMPTS AGENT`, where tools take HOLD milliseconds, or until
 * that file is there, and heartbeats may be missing for HEARTBEAT seconds.
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { permissions } from '../../src/execute/permission-rules.ts';
import { postgresStore } from '../../src/log/postgres-store.ts';
import type { Store } from '../../src/log/store.ts';
import type { ScriptedCall } from '../../src/provider/scripted/script.ts';
import { scripted } from '../../src/provider/scripted/scripted.ts';
import { type Agent, agent } from '../../src/run/agent.ts';
import { dispatch } from '../../src/run/workers/dispatch.ts';
import { tool } from '../../src/tools/tool.ts';

const call = (id: string, name: string) => ({ id, name, arguments: '{n: "1",}' });

/** What runs do, by the first word they are told: `look` reads, `put` may come again, `send` and `pay` must not, `pay` is asked for, `die` kills its worker. */
const plots: Readonly<Record<string, readonly ('Done.' | { readonly calls: readonly ScriptedCall[] })[]>> = {
  Go: [{ calls: [call('a', 'look'), call('b', 'send')] }, { calls: [call('c', 'put')] }, 'Done.'],
  Look: [{ calls: [call('a', 'look')] }, 'Done.'],
  Much: [
    { calls: [call('a', 'look'), call('b', 'send'), call('c', 'put'), call('d', 'look')] },
    { calls: [call('e', 'send')] },
    { calls: [call('f', 'put'), call('g', 'send'), call('h', 'look')] },
    'Done.',
  ],
  Die: [{ calls: [call('a', 'look')] }, { calls: [call('b', 'die')] }, 'Done.'],
  Pay: [{ calls: [call('a', 'look')] }, { calls: [call('b', 'pay'), call('c', 'put')] }, 'Done.'],
};

const plotOf = (told: string) => plots[told.split(' ')[0] ?? ''];

/** How many calls a run makes that was told so. */
export const callsIn = (told: string): number =>
  (plotOf(told) ?? []).reduce((sum, turn) => sum + (turn !== 'Done.' ? turn.calls.length : 0), 0);

const input = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] } as const;

/** An agent that goes by what it is told alone. Its tools leave `name key` in a file, and take as long as they are held. */
export function crowdAgent(
  store: Store,
  marks: string,
  hold: () => Promise<unknown> = async () => {},
  name = 'default',
): Agent {
  const marking = (name: string, rest: object) =>
    tool({
      name,
      description: name,
      inputSchema: input,
      ...rest,
      execute: async (_, { key = '' }) => {
        appendFileSync(marks, `${name} ${key}\n`);
        if (name === 'die') process.kill(process.pid, 'SIGKILL');
        await hold();
        return 'ok';
      },
    });
  return agent({
    name,
    store,
    model: scripted(({ messages }) => {
      const answered = messages.filter(({ role }) => role === 'assistant').length;
      const [told] = messages.find(({ role }) => role === 'user')?.parts ?? [];
      const plot = told?.type === 'text' ? plotOf(told.text) : undefined;
      if (!plot) throw new Error('There is no such plot');
      return plot[answered] ?? 'Done.';
    }),
    permissions: permissions({ ask: ['pay'] }),
    tools: [
      marking('look', { effect: 'read' }),
      marking('put', { repeat: 'idempotent' }),
      marking('send', {}),
      marking('pay', {}),
      marking('die', { repeat: 'idempotent' }),
    ],
  });
}

/** What the tools did. */
export const marksOf = (file: string): string[] =>
  existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];

if (import.meta.main) {
  const [url = '', marks = '', held = '50', atOnce = '10', beat = '10', attempts = '5', name] = process.argv.slice(2);
  const untilThere = async (): Promise<void> => {
    while (!existsSync(held)) await pause(20);
  };
  const hold = /^\d+$/.test(held) ? () => pause(Number(held)) : untilThere;
  const store = await postgresStore(url, { connections: 4 });
  const runs = await dispatch({
    agent: crowdAgent(store, marks, hold, name),
    store,
    url,
    heartbeatTimeout: Number(beat),
  });
  runs.work({
    maxAttempts: Number(attempts),
    concurrency: Number(atOnce),
    pollInterval: 100,
    on: (event) => process.stdout.write(`${JSON.stringify(event)}\n`),
  });
  process.send?.('working');
}
