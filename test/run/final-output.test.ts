import { describe, expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import { scripted } from '../../src/provider/scripted/scripted.ts';
import { agent } from '../../src/run/agent.ts';
import { finalOutput } from '../../src/run/final-output.ts';
import { tool } from '../../src/tools/tool.ts';

const Trip = z.object({ city: z.string(), days: z.int() });
const look = tool({ name: 'look', description: 'Looks', effect: 'read', execute: () => 'sunny' });
const runOf = (...turns: Parameters<typeof scripted>[0] & unknown[]) =>
  agent({ model: scripted(turns), tools: [look] }).run('Plan a trip.');

describe('finalOutput', () => {
  it('mends the last reply of a run, typed by the schema', async () => {
    const out = await finalOutput(runOf({ calls: [{ name: 'look' }] }, "{city: 'Rome', days: '3'}"), Trip);
    if (out.status !== 'mended') throw new Error(out.status);
    expectTypeOf(out.value).toEqualTypeOf<{ city: string; days: number }>();
    expect([out.value, out.attempts, out.result.steps]).toEqual([{ city: 'Rome', days: 3 }, 1, 2]);
  });

  it('continues the run with feedback about an invalid reply', async () => {
    const run = runOf('{"city": "Rome"}', '{"city": "Rome", "days": 3}');
    const out = await finalOutput(run, Trip);
    expect(out).toMatchObject({ status: 'ok', value: { city: 'Rome', days: 3 }, attempts: 2 });
    expect(JSON.stringify(run.messages())).toContain("Field 'days' is required but missing");
  });

  it('returns the last invalid reply when the attempts are used up', async () => {
    const out = await finalOutput(runOf('No.', 'Never.', 'unused'), Trip, { attempts: 2 });
    expect(out).toMatchObject({ status: 'invalid', raw: 'Never.', attempts: 2 });
  });

  it('says that the run ended without a reply', async () => {
    const out = await finalOutput(runOf({ error: { message: 'down', kind: 'request' } }), Trip);
    expect(out).toMatchObject({ status: 'ended', attempts: 0, result: { end: 'model' } });
  });

  it.each([
    ['run', () => finalOutput({} as never, Trip)],
    ['schema', () => finalOutput(runOf('Hi'), undefined)],
    ['attempts', () => finalOutput(runOf('Hi'), Trip, { attempts: 0 })],
  ])('refuses an invalid %s', async (what, act) => {
    await expect(act()).rejects.toThrow(new RegExp(`Invalid ${what}`));
  });
});

describe('signal of a run', () => {
  it('aborts the run', async () => {
    const stop = new AbortController();
    const wait = tool({
      name: 'wait',
      description: 'Waits',
      execute: () => {
        stop.abort(new Error('The user left'));
        return new Promise(() => {});
      },
    });
    const run = agent({ model: scripted([{ calls: [{ name: 'wait' }] }]), tools: [wait] }).run('Go', {
      signal: stop.signal,
    });
    expect((await run.result).end).toBe('aborted');
    expect(JSON.stringify(run.messages())).toContain('The user left');
  });

  it('ends a run immediately that starts with an aborted signal', async () => {
    const model = scripted(['Hello.']);
    const run = agent({ model }).run('Go', { signal: AbortSignal.abort() });
    expect((await run.result).end).toBe('aborted');
  });
});
