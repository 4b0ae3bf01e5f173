import { expect, it } from 'vitest';
import type { RunEvent, RunFact } from './events.ts';
import { forgetOld } from './forget-old.ts';
import { memoryStore } from './memory-store.ts';

const started = { type: 'run.started', model: { name: 'm', provider: 'p' }, tools: [] } as const;
const ended = (end: 'done' | 'awaiting_approval' | 'awaiting_result'): RunFact => ({
  type: 'run.ended',
  end,
  message: '',
});
const call = { type: 'call', id: 'a', name: 'x', arguments: '{}' } as const;
const asked: RunFact[] = [
  {
    type: 'turn.completed',
    turn: 1,
    response: { message: { role: 'assistant', parts: [call] }, finish: 'tool_calls' },
  },
  { type: 'approval.requested', callId: 'a', name: 'x', input: {}, effect: 'write', reason: 'rule' },
];

it('removes old records, but none that waits and none of an agent, and comes to an end', async () => {
  const store = memoryStore();
  const day = 86_400_000;
  const write = async (run: string, facts: readonly RunFact[], at = 0): Promise<void> =>
    store.append(facts.map((fact, index) => ({ ...fact, run, seq: index + 1, at }) as RunEvent));
  await write('old', [started, ended('done')]);
  await write('crashed', [started]);
  await write('recent', [started, ended('done')], 9.5 * day);
  await write('approval', [started, ended('awaiting_approval')]);
  await write('result', [started, ended('awaiting_result')]);
  await write('asked', [started, ...asked]);
  await write('agent', [{ ...started, agent: { name: 'billing', fingerprint: 'f' } }, ended('done')]);
  await write('queued', [{ ...started, queued: true }]);
  // More than a page that stays.
  for (let index = 0; index < 600; index += 1) await write(`stays ${index}`, [{ ...started, queued: true }]);
  expect(await forgetOld(store, 1, 10 * day)).toBe(2);
  const left = (await store.runs({ limit: 1000 })).map(({ run }) => run).filter((run) => !run.startsWith('stays'));
  expect(left.sort()).toEqual(['agent', 'approval', 'asked', 'queued', 'recent', 'result']);
});
