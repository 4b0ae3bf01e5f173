import { z } from 'zod';
import { permissions } from '../../src/execute/permission-rules.ts';
import type { Decision, RunEvent } from '../../src/log/events.ts';
import { memoryStore } from '../../src/log/memory-store.ts';
import { sqliteStore } from '../../src/log/sqlite-store.ts';
import type { Store } from '../../src/log/store.ts';
import { type Agent, type AgentOptions, agent } from '../../src/run/agent.ts';
import type { Run } from '../../src/run/run.ts';
import { type Tool, type ToolDefinition, tool } from '../../src/tools/tool.ts';
import { calls, plays, says } from '../run/plays.ts';

/** The stores every table is played on. */
export const stores: readonly [string, () => Store][] = [
  ['memory', () => memoryStore()],
  ['SQLite', () => sqliteStore(':memory:')],
];

/** A process: an agent with a tool that keeps what it ran with. */
export interface Process extends Agent {
  readonly ran: unknown[];
  readonly asked: unknown[];
}

type Change = Partial<AgentOptions> & { readonly definition?: Partial<ToolDefinition>; readonly without?: boolean };

/** A new process on a store; the model calls `drop` once in its first answer, and then says that it is done. */
export function processOn(store: Store, { definition, without, ...options }: Change = {}): Process {
  const ran: unknown[] = [];
  const asked: unknown[] = [];
  const drop = tool({
    name: 'drop',
    description: 'Drops a table',
    effect: 'destructive',
    inputSchema: z.object({ table: z.string(), rows: z.number().optional() }),
    execute: (input: unknown) => {
      ran.push(input);
      return 'dropped';
    },
    ...definition,
  } as ToolDefinition) as Tool;
  const model = plays(({ messages }) =>
    messages.some(({ role }) => role === 'assistant')
      ? [says('Done.')]
      : [calls('drop', '{"table": "logs", "rows": 3}', 'c1')],
  );
  const given = { model, tools: without ? [] : [drop], store, permissions: permissions({ mode: 'ask' }), ...options };
  return Object.assign(agent(given), { ran, asked });
}

/** Begins a run that waits for a decision about its call. */
export async function waiting(process: Agent): Promise<Run> {
  const run = process.run('Clean up');
  await run.result;
  return run;
}

/** Writes a decision to the log as a process does that ends right after it. */
export async function decidedThenKilled(store: Store, run: Run, decision: Decision): Promise<void> {
  await append(store, run.id, { type: 'approval.decided', callId: 'c1', decision });
}

/** Writes a fact behind the last event. */
export async function append(store: Store, run: string, fact: object): Promise<void> {
  const events = await eventsOf(store, run);
  await store.append([{ ...fact, run, seq: events.length + 1, at: Date.now() } as RunEvent]);
}

export async function eventsOf(store: Store, run: string): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  for await (const event of store.read(run)) events.push(event);
  return events;
}

/** What the model was told of its call. */
export const told = (run: Run): string =>
  JSON.stringify(run.calls().find(({ callId }) => callId === 'c1')?.result?.content ?? null);

/** The store of a process that ends after so many events: from then on it takes nothing. */
export function mortal(store: Store, events: number): Store {
  let left = events;
  return {
    ...store,
    append: async (batch) => {
      if (batch.length > left) {
        left = 0;
        throw new Error('The process has ended');
      }
      left -= batch.length;
      await store.append(batch);
    },
  };
}
