import fc from 'fast-check';
import { permissions } from '../../src/execute/permission-rules.ts';
import type { Decision } from '../../src/log/events.ts';
import type { RunState } from '../../src/log/state.ts';
import type { Store } from '../../src/log/store.ts';
import type { Model } from '../../src/model/index.ts';
import { type Agent, agent } from '../../src/run/agent.ts';
import type { Run } from '../../src/run/run.ts';
import { tool } from '../../src/tools/tool.ts';
import { calls, plays, says } from '../run/plays.ts';

/** A call a model might make: good, mended, bad, cut off, of no tool. */
const written = fc.record({
  name: fc.constantFrom('look', 'save', 'fail', 'send', 'Look', 'nope'),
  text: fc.constantFrom('{"n": 1}', "{n: '2',}", '{}', '{"n": ', '{"n": 3}', ''),
});

const turn = fc.oneof(
  { weight: 5, arbitrary: fc.array(written, { minLength: 1, maxLength: 4 }) },
  { weight: 1, arbitrary: fc.constant([]) },
);

/** What a model says in each turn and what a person decides, in turn. */
export const play = fc.record({
  turns: fc.array(turn, { maxLength: 5 }),
  decisions: fc.array(
    fc.constantFrom<Decision>(
      { type: 'allow' },
      { type: 'deny', reason: 'no' },
      { type: 'edit', input: { n: 9 } },
      { type: 'edit', input: { n: 'x' } },
    ),
    { minLength: 1, maxLength: 4 },
  ),
});

/** A random run's plot. */
export type Play = typeof play extends fc.Arbitrary<infer T> ? T : never;

const model = ({ turns }: Play): Model =>
  plays(...turns.map((turn) => turn.map(({ name, text }) => calls(name, text))), [says('Done.')]);

const input = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] } as const;

/** An agent that plays it. */
export const playing = (plot: Play, store: Store): Agent =>
  agent({
    model: model(plot),
    store,
    permissions: permissions({ ask: ['send'] }),
    budgets: { steps: 8 },
    tools: [
      tool({ name: 'look', description: 'L', inputSchema: input, effect: 'read', execute: ({ n }) => n }),
      tool({ name: 'save', description: 'S', inputSchema: input, execute: async ({ n }) => n }),
      tool({ name: 'send', description: 'D', inputSchema: input, execute: ({ n }) => n }),
      tool({
        name: 'fail',
        description: 'F',
        inputSchema: input,
        execute: () => {
          throw new Error('broke');
        },
      }),
    ],
  });

/** Takes a run to its end, with the decisions one after the other. */
export async function playOut(run: Run, { decisions }: Play): Promise<string> {
  for (let asked = 0; ; ) {
    const { end } = await run.result;
    if (end !== 'awaiting_approval') return end;
    for (const { callId, state, decision } of run.calls()) {
      if (state !== 'approval_required' || decision) continue;
      const said = decisions[asked % decisions.length] as Decision;
      // An edit that does not fit is given back, and the call still waits.
      await run.approve(callId, said).catch(() => run.approve(callId, { type: 'deny', reason: 'no edit fits' }));
      asked += 1;
    }
  }
}

/** A state as plain data, to compare. */
export const plain = ({ calls, ...state }: RunState): unknown =>
  JSON.parse(JSON.stringify({ ...state, calls: [...calls] }));
