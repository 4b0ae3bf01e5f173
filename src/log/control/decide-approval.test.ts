import { expect, it } from 'vitest';
import type { RunEvent, RunFact } from '../events.ts';
import { memoryStore } from '../memory-store.ts';
import { decideApproval } from './decide-approval.ts';

const part = { type: 'call', id: 'a', name: 'send', arguments: '{}' } as const;
const asked: readonly RunFact[] = [
  { type: 'run.started', model: { name: 'm', provider: 'p' }, tools: [] },
  {
    type: 'turn.completed',
    turn: 1,
    response: { message: { role: 'assistant', parts: [part] }, finish: 'tool_calls' },
  },
  { type: 'approval.requested', callId: 'a', name: 'send', input: {}, effect: 'write', reason: 'a rule asks' },
];
const rests: RunFact = { type: 'run.ended', end: 'awaiting_approval', message: '' };

async function stored(facts: readonly RunFact[]) {
  const store = memoryStore();
  await store.append(facts.map((fact, index) => ({ ...fact, run: 'r', seq: index + 1, at: index }) as RunEvent));
  return store;
}

it('F17 what was decided is not decided again: a no is not followed by a yes', async () => {
  const store = await stored([...asked, rests]);
  await decideApproval(store, 'r', 'a', { type: 'deny' });
  await expect(decideApproval(store, 'r', 'a', { type: 'allow' })).rejects.toMatchObject({ code: 'not_waiting' });
});

it('F20 refuses to write a run that is active', async () => {
  await expect(decideApproval(await stored(asked), 'r', 'a', { type: 'allow' })).rejects.toMatchObject({
    code: 'not_waiting',
  });
  const resumed = await stored([...asked, rests, { type: 'run.resumed' }]);
  await expect(decideApproval(resumed, 'r', 'a', { type: 'allow' })).rejects.toMatchObject({ code: 'not_waiting' });
});

it('a decision about a run that rests is recorded', async () => {
  const store = await stored([...asked, rests]);
  await decideApproval(store, 'r', 'a', { type: 'allow' });
  const events: RunEvent[] = [];
  for await (const event of store.read('r')) events.push(event);
  expect(events.at(-1)).toMatchObject({ type: 'approval.decided', seq: 5, decision: { type: 'allow' } });
});

it.each([
  ['NaN', Number.NaN],
  ['a map', new Map([['a', 1]])],
  ['a BigInt', 5n],
  ['a date', new Date(0)],
  ['a missing item', [1, undefined]],
])('refuses an edit that JSON would change, and the call keeps waiting: %s', async (_, value) => {
  const store = await stored([...asked, rests]);
  const decided = decideApproval(store, 'r', 'a', { type: 'edit', input: { list: { value } } });
  await expect(decided).rejects.toMatchObject({
    code: 'unstorable_edit',
    message: expect.stringMatching(/can't be stored: Field 'list\.value(?:\.1)?' is .*, which JSON cannot express/),
  });
  await decideApproval(store, 'r', 'a', { type: 'edit', input: { value: 1, other: undefined } });
});

it('refuses what is no decision', async () => {
  const store = await stored([...asked, rests]);
  const decided = decideApproval(store, 'r', 'a', { type: 'yes' } as never);
  await expect(decided).rejects.toMatchObject({ code: 'invalid_option' });
  await decideApproval(store, 'r', 'a', { type: 'allow' });
});
