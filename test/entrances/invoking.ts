import { permissions } from '../../src/execute/permission-rules.ts';
import type { ResultPart } from '../../src/model/index.ts';
import { invoke } from '../../src/run/invoke/invoke.ts';
import type { Invocation } from '../../src/run/invoke/types.ts';
import type { Case } from './case.ts';
import { always, type Entrance, type Seen } from './entrance.ts';
import { stage, toolboxOf } from './toolbox-of.ts';
import { kindsOf } from './wanted.ts';

/** `invoke()`, called by a program with one call after the other. */
export const invoking: Entrance = {
  name: 'invoke()',
  column: '`invoke()`',
  hides: {},
  cannot: {
    words: '`invoke()` accepts a call, not text; use `readCalls()` first',
    unnamed: "a single call isn't part of a message from which it could be removed",
  },
  open: always(run),
};

async function run(one: Case): Promise<readonly Seen[]> {
  const { wrote, times = 1, deny } = one;
  const calls = 'calls' in wrote ? wrote.calls : [];
  const seen: Seen[] = [];
  for (const [at, call] of calls.entries()) {
    const control = new AbortController();
    const on = stage(() => control.abort(new DOMException('enough', 'AbortError')));
    const invocation = await invoke(
      { id: `call_${at + 1}`, ...call },
      {
        toolbox: toolboxOf(one, on),
        signal: control.signal,
        attempt: () => times,
        finish: at === calls.length - 1 ? wrote.finish : undefined,
        ...(deny && { permissions: permissions({ deny }) }),
      },
    );
    seen.push(seenOf(invocation, on.ran[0]));
  }
  return seen;
}

function seenOf({ outcome, value, result }: Invocation, ran: Seen['run'] = 'nothing'): Seen {
  if (outcome.status === 'invalid') {
    return { verdict: outcome.errorType, call: 'as written', run: ran, feedback: wordsOf(result) };
  }
  const { status, name, input } = outcome;
  const verdict = value?.ok === false ? value.errorType : status;
  return { verdict, repairs: kindsOf(outcome), call: { name, input }, run: ran, result: wordsOf(result) };
}

/** The text of a result, its parts in lines of their own. */
export const wordsOf = (result: ResultPart | undefined): string =>
  result?.content.map((part) => (part.type === 'text' ? part.text : `[${part.type}]`)).join('\n') ?? 'no result';
