/** What tests of a run's odd moments share. */
import { afterAll, beforeAll, expect } from 'vitest';
import { z } from 'zod';
import type { CallState } from '../../src/log/state.ts';
import type { Model, ResultPart } from '../../src/model/index.ts';
import { type AgentOptions, agent } from '../../src/run/agent.ts';
import type { Run } from '../../src/run/run.ts';
import { tool } from '../../src/tools/tool.ts';
import { until } from '../until.ts';
import { type Played, plays } from './plays.ts';

/** Fails the file where something was rejected and nobody heard of it. */
export function noUnhandledRejections(): void {
  const rejections: unknown[] = [];
  const onRejection = (reason: unknown) => rejections.push(reason);
  beforeAll(() => void process.on('unhandledRejection', onRejection));
  afterAll(async () => {
    await wait(20);
    process.off('unhandledRejection', onRejection);
    expect(rejections).toEqual([]);
  });
}

export const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
/** So many turns of the event loop: promises settle in between, and timers of no length go off. */
export const turns = async (count: number): Promise<void> => {
  for (let at = 0; at < count; at += 1) await new Promise((resolve) => setImmediate(resolve));
};
/** Waits until a run's calls have come so far. */
export const untilCalls = (run: Run, ...states: readonly CallState[]): Promise<unknown> =>
  until(
    () =>
      states.join() ===
      run
        .calls()
        .map(({ state }) => state)
        .join(),
  );
/** Something that never settles, and knows whether it was begun. */
export function endless(): { readonly begin: () => Promise<never>; readonly begun: () => Promise<unknown> } {
  let begun = false;
  const begin = (): Promise<never> => {
    begun = true;
    return never();
  };
  return { begin, begun: () => until(() => begun) };
}
export const never = () => new Promise<never>(() => {});
export const n = z.object({ n: z.number() });
export const quick = tool({
  name: 'quick',
  description: 'Quick',
  inputSchema: n,
  effect: 'read',
  execute: (input) => input.n,
});
export const write = tool({
  name: 'write',
  description: 'Writes',
  inputSchema: n,
  execute: (input) => `wrote ${input.n}`,
});
export const stuck = tool({ name: 'stuck', description: 'Never ends', inputSchema: n, effect: 'read', execute: never });

/** A model that never says anything and heeds no signal. */
export const deafModel = (next: () => Promise<never> = never): Model => ({
  name: 'deaf',
  provider: 'test',
  stream: () => ({ [Symbol.asyncIterator]: () => ({ next }) }),
});

export const results = (run: Run): ResultPart[] =>
  run.messages().flatMap(({ parts }) => parts.filter((part) => part.type === 'result'));
export const words = (run: Run): string[] =>
  results(run).map(({ content }) => content.map((part) => ('text' in part ? part.text : '')).join(''));
export const start = (turns: readonly Played[], more: Partial<AgentOptions> = {}): Run =>
  agent({ model: plays(...turns), tools: [quick, write, stuck], ...more }).run('x');

/** Every call has one result, in call order. */
export const oneResultEach = (run: Run): void => {
  expect(results(run).map(({ callId }) => callId)).toEqual(run.calls().map(({ callId }) => callId));
};

/** Takes the process's own listeners for what nobody caught away while something is tried, and gives what came. */
export async function uncaughtDuring(work: () => Promise<unknown>): Promise<unknown[]> {
  const before = process.listeners('uncaughtException');
  const uncaught: unknown[] = [];
  process.removeAllListeners('uncaughtException');
  process.on('uncaughtException', (error) => uncaught.push(error));
  try {
    await work();
    await wait(5);
  } finally {
    process.removeAllListeners('uncaughtException');
    for (const listener of before) process.on('uncaughtException', listener);
  }
  return uncaught;
}
