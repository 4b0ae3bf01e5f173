import { expect, it } from 'vitest';
import { calls, plays, says } from '../../test/run/plays.ts';
import { until } from '../../test/until.ts';
import { permissions } from '../execute/permission-rules.ts';
import { decideApproval } from '../log/control/decide-approval.ts';
import type { Decision } from '../log/events.ts';
import { memoryStore } from '../log/memory-store.ts';
import { tool } from '../tools/tool.ts';
import { agent } from './agent.ts';

const input = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] } as const;

/** A call that waits, is decided about, and is taken up by another agent; gives what its tool got. */
async function takenUp(text: string, decision: Decision) {
  const store = memoryStore();
  const got: unknown[] = [];
  const save = tool({ name: 'save', description: 'Saves', inputSchema: input, execute: (value) => got.push(value) });
  const make = () =>
    agent({
      store,
      tools: [save],
      permissions: permissions({ ask: ['save'] }),
      model: plays(({ messages }) =>
        messages.some(({ role }) => role === 'assistant')
          ? [says('Done.')]
          : [calls('save', JSON.stringify({ text }), 'a')],
      ),
    });
  const first = make().run('Go');
  await first.result;
  await decideApproval(store, first.id, 'a', decision);
  const run = await make().resume(first.id);
  await run.continue().result;
  return { got, call: run.calls()[0] };
}

const secret = 'the key is sk-abcdefghijklmnopqrstuv';

it('F23 refuses to run a call whose secret was not stored', async () => {
  const { got, call } = await takenUp(secret, { type: 'allow' });
  expect(got).toEqual([]);
  expect(call?.state).toBe('settled');
  expect(JSON.stringify(call?.result)).toContain('Make the call again with the value itself');
});

it.each([
  ['guard: of one with a secret that runs once', 'once', secret, 'not known'],
  ['of an idempotent one with a secret', 'idempotent', secret, 'not known'],
  ['guard: of an idempotent one, by running it again', 'idempotent', 'plain', 'ran again'],
] as const)('%s, says what is known of a call that was running', async (_, repeat, text, expected) => {
  const store = memoryStore();
  let runs = 0;
  const make = () =>
    agent({
      store,
      tools: [
        tool({
          name: 'keep',
          description: 'Keeps',
          inputSchema: input,
          repeat,
          execute: () => {
            runs += 1;
            return runs === 1 ? new Promise(() => {}) : 'ran again';
          },
        }),
      ],
      model: plays([calls('keep', { text }, 'a')], [says('Done.')]),
    });
  const first = make().run('Go');
  await until(() => runs === 1);
  const run = await make().resume(first.id);
  await run.continue().result;
  expect(JSON.stringify(run.calls()[0]?.result)).toContain(expected);
});

it('runs a call that a person edited with the edited arguments', async () => {
  const { got } = await takenUp(secret, { type: 'edit', input: { text: 'other' } });
  expect(got).toEqual([{ text: 'other' }]);
});

it('runs a call that was stored completely', async () => {
  expect((await takenUp('plain', { type: 'allow' })).got).toEqual([{ text: 'plain' }]);
});
