import { describe, expect, it } from 'vitest';
import { all } from '../../../test/log/store-suite.ts';
import { plays } from '../../../test/run/plays.ts';
import type { Commands } from '../../log/control/commands.ts';
import { stateOf } from '../../log/fold.ts';
import type { RedactRun } from '../../log/journal.ts';
import { memoryStore } from '../../log/memory-store.ts';
import type { Store } from '../../log/store.ts';
import { agent } from '../agent.ts';
import { recordAttempt } from './attempts.ts';
import { controlWith, type RunControl } from './control.ts';

const crash = { name: 'heartbeat_timeout', message: 'The worker died' };

/** A run that has died of five failed attempts, and the control of its store. */
async function deadRun(): Promise<{ store: Store; run: string; runs: RunControl }> {
  const store = memoryStore();
  const run = await agent({ store, tools: [], model: plays(() => []) }).submit('Go');
  for (let attempt = 1; attempt < 5; attempt += 1)
    expect(await recordAttempt(store, run, crash, { maxAttempts: 5 })).toEqual({ failed: attempt, isDead: false });
  expect(await recordAttempt(store, run, crash, { maxAttempts: 5 })).toEqual({ failed: 5, isDead: true });
  const commands = { newId: async () => '1' } as Partial<Commands> as Commands;
  return { store, run, runs: controlWith(store, { commands, queries: { query: async () => ({ rows: [] }) } }) };
}

describe('a dead run that continues', () => {
  it.each<[string, (runs: RunControl, run: string) => Promise<unknown>]>([
    ['with a message', (runs, run) => runs.send(run, 'Again')],
    ['with an interruption', (runs, run) => runs.interrupt(run, 'Again')],
    ['as it is requeued', (runs, run) => runs.requeue(run)],
    ['as a fork', (runs, run) => runs.fork(run)],
    ['as a fork with a message', async (runs, run) => runs.send(await runs.fork(run), 'Again')],
  ])('has all of its attempts again: %s', async (_, command) => {
    const { store, run, runs } = await deadRun();
    await command(runs, run);
    const id = (await store.runs()).find((one) => one.run !== run)?.run ?? run;
    expect((await stateOf(store, id)).ended).toBeUndefined();
    expect((await stateOf(store, id)).attempts).toEqual({ failed: 0, withoutProgress: 0, errors: [] });
    for (let attempt = 1; attempt < 5; attempt += 1)
      expect(await recordAttempt(store, id, crash, { maxAttempts: 5 })).toEqual({ failed: attempt, isDead: false });
    expect(await recordAttempt(store, id, crash, { maxAttempts: 5 })).toEqual({ failed: 5, isDead: true });
  });
});

describe('the error of a failed attempt', () => {
  const secret = { name: 'Error', message: 'Failed: postgres://me:hunter2-Z9x@db, tenant acme' };
  const texts = async (store: Store, run: string) => JSON.stringify(await all(store, run));
  const options = { store: memoryStore(), tools: [], model: plays(() => []) };

  it('is recorded without secrets, and with the redact of the agent', async () => {
    const run = await agent(options).submit('Go', { context: { hides: 'acme' } });
    const redact: RedactRun = (event, { context }) =>
      JSON.parse(JSON.stringify(event).replaceAll((context as { hides: string }).hides, '***'));
    const { store } = options;
    await recordAttempt(store, run, secret, { maxAttempts: 3 });
    expect(await texts(store, run)).not.toContain('hunter2');
    await recordAttempt(store, run, { name: 'Error', message: 'tenant acme' }, { maxAttempts: 3, redact });
    expect((await all(store, run)).at(-1)).toMatchObject({ error: { message: 'tenant ***' } });
    await recordAttempt(store, run, secret, { maxAttempts: 3 });
    expect((await stateOf(store, run)).ended).toMatchObject({ end: 'dead' });
    expect(await texts(store, run)).not.toContain('hunter2');
  });

  it('counts, though redact itself throws', async () => {
    const { store } = options;
    const run = await agent(options).submit('Go');
    const redact = (): never => {
      throw new Error('No');
    };
    expect(await recordAttempt(store, run, secret, { maxAttempts: 1, redact })).toEqual({ failed: 1, isDead: true });
    expect(await texts(store, run)).not.toContain('hunter2');
  });
});
