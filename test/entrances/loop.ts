import { permissions } from '../../src/execute/permission-rules.ts';
import type { CallRecord } from '../../src/log/state.ts';
import { scripted } from '../../src/provider/scripted/scripted.ts';
import { agent } from '../../src/run/agent.ts';
import type { Run } from '../../src/run/run.ts';
import type { Case } from './case.ts';
import { always, type Entrance, type Seen } from './entrance.ts';
import { wordsOf } from './invoking.ts';
import { stage, toolboxOf } from './toolbox-of.ts';
import { kindsOf } from './wanted.ts';
import { withRuns } from './with-runs.ts';

/** The agent loop, on a model that plays the case. */
export const loop: Entrance = {
  name: 'agent loop',
  column: 'agent loop',
  hides: {},
  cannot: {},
  open: always(run),
};

async function run(one: Case): Promise<readonly Seen[]> {
  const { wrote, times = 1, deny } = one;
  let started: Run | undefined;
  const on = stage(() => started?.abort('enough'));
  const model = scripted((_, turn) => (turn < times ? wrote : 'Done.'));
  const rules = deny && { permissions: permissions({ deny }) };
  started = agent({ model, tools: toolboxOf(one, on), redact: false, traces: false, ...rules }).run('Go on.');
  await started.result;
  const calls = started.calls().filter(({ turn }) => turn === times);
  return withRuns(
    calls.map((record) => recordSeen(record, wordsOf(record.result))),
    on.ran,
  );
}

const bad: ReadonlySet<string | undefined> = new Set(['validation', 'unknown_tool', 'truncated']);

/** What the record of a call shows, and the words the model is told. */
export function recordSeen({ name, input, repairs, errorType }: CallRecord, words: string): Seen {
  if (errorType && bad.has(errorType)) return { verdict: errorType, call: 'as written', feedback: words };
  const verdict = errorType ?? (repairs.some(({ kind }) => kind !== 'text') ? 'mended' : 'ok');
  return { verdict, repairs: kindsOf({ repairs }), call: { name, input }, result: words };
}
