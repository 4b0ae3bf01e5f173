import { beforeCalls } from '../call/mend-repeated.ts';
import type { Outcome } from '../call/outcome.ts';
import { contextOf } from '../dialect/context.ts';
import type { Approver } from '../exec/permission.ts';
import type { CallRecord } from '../log/call-record.ts';
import type { Decision } from '../log/decision.ts';
import { history } from '../log/history.ts';
import type { InvokeOptions } from './invocation.ts';
import { completeCall, mendCallPart } from './invoke.ts';
import { type RunContext, stopSignal } from './run-context.ts';
import { semaphore } from './semaphore.ts';

/**
 * Takes the open calls of an answer to their results: side by side as far as there is room, those that write to one target
 * in their order. Settles when each has its result or waits for an approval.
 */
export async function doCalls(context: RunContext, calls: readonly CallRecord[]): Promise<void> {
  const options = invokeOptions(context);
  const order = new Map<string, Promise<unknown>>();
  const { finish, history: entries } = context.state;
  const last = entries.findLast((entry) => entry.type === 'results')?.callIds.at(-1);
  const ended = calls.map(async (record) => {
    // A message that ended by length condemns the call that was still open, no other.
    const { decision, approval, callId } = record;
    const finishOf = callId === last ? finish : undefined;
    const decided = (): Decision | undefined => record.decision;
    const own = { ...options, decision, approval, decided, finish: finishOf };
    const outcome = mendCallPart(record.call, own);
    const target = targetOf(
      decision?.type === 'edit' ? mendCallPart({ ...record.call, arguments: decision.input }, own) : outcome,
    );
    const before = target === undefined ? undefined : order.get(target);
    const run = (before ?? Promise.resolve()).then(() => completeCall(record.call, outcome, own));
    if (target !== undefined)
      order.set(
        target,
        run.catch(() => {}),
      );
    await run;
  });
  const results = await Promise.allSettled(ended);
  const broken = results.find((result) => result.status === 'rejected');
  if (broken) throw broken.reason;
}

function invokeOptions(context: RunContext): InvokeOptions {
  const { journal, tally, budgets, id, live, trace, state } = context;
  return {
    ...context.invoke,
    approve: context.invoke.approve && orElsewhere(context.invoke.approve, context.given),
    always: state.always,
    run: id,
    record: journal,
    signal: stopSignal(context),
    before: () => beforeCalls(contextOf(history(state))),
    tries: (tool) => tally.tries(tool),
    gate: semaphore(budgets.parallel),
    live,
    within: trace && ((callId, work) => trace.withinCall(callId, work)),
  };
}

/** Asks the approver, who need not go on once the decision came another way. */
const orElsewhere =
  (approve: Approver, given: RunContext['given']): Approver =>
  async (call, { signal }) => {
    const elsewhere = new AbortController();
    const decided = given(call.callId).then(() => {
      elsewhere.abort(new DOMException('The call was decided elsewhere', 'AbortError'));
      return undefined;
    });
    return Promise.race([approve(call, { signal: AbortSignal.any([signal, elsewhere.signal]) }), decided]);
  };

/** What a call writes to: calls of one writing tool run in order unless the tool tells their targets apart. */
function targetOf(outcome: Outcome): string | undefined {
  if (outcome.status === 'invalid' || outcome.tool.effect === 'read') return undefined;
  const { tool, value } = outcome;
  try {
    return tool.target ? tool.target(value) : `tool ${tool.name}`;
  } catch {
    return `tool ${tool.name}`;
  }
}
