import { settledCall, settleInterrupted } from '../log/control/settled-fact.ts';
import { childEnds, startedChild } from '../log/control/wake-parents.ts';
import type { CallSettled, RunEvent } from '../log/events.ts';
import { isInherited, openCalls } from '../log/fold.ts';
import { redactEvent } from '../log/journal.ts';
import { isRedacted } from '../log/redact/redact.ts';
import type { CallRecord } from '../log/state.ts';
import type { GoodOutcome } from '../mend/outcome.ts';
import { type Tool, toolFingerprint } from '../tools/tool.ts';
import type { Toolbox } from '../tools/toolbox.ts';
import type { bind } from './binding.ts';
import type { RunContext, RunSettings } from './context.ts';
import { callKey } from './invoke/execute.ts';
import type { InvokeOptions } from './invoke/types.ts';

type RecoveredRun = Pick<RunContext, 'id' | 'state' | 'journal'>;

/**
 * Recovers a run whose process ended, or a fork. A call whose tool hadn't started will run. So will one whose tool had
 * started, if it is read-only or idempotent. Other started calls get a result saying that their outcome is unknown.
 * Calls with redacted arguments get one too, because they would run with different input, unless they only continue a
 * child run, which has its message.
 */
export async function recover(
  run: RecoveredRun,
  { toolbox, store, redact = (event) => event }: Pick<RunSettings, 'toolbox' | 'store' | 'redact'>,
  changed: ReturnType<typeof bind> = {},
): Promise<void> {
  const { id, state, journal } = run;
  if (state.seq === 0) return;
  journal.note({ type: 'run.resumed', ...changed });
  const ends: RunEvent[] = [];
  for (const record of openCalls(state)) {
    if (record.decision?.type === 'deny') continue;
    const isIncomplete = hasSecret(record);
    const child = await startedChild(store, id, record);
    if (record.state === 'result_required') {
      const isAgent = toolbox.get(record.name)?.executor?.kind === 'agent';
      if (isAgent && !child && !record.received) journal.note(settleChild(run, record));
      continue;
    }
    if (!mayRun(record, id, toolbox)) {
      // Nothing waits for the child any more.
      if (child) ends.push(...(await childEnds(store, state, replaced, [record])));
      journal.note(settleInterrupted(record));
    } else if (isIncomplete && !child) {
      // Without its arguments, a call that was running can't run again, and may have had its effect.
      const isUnknown = record.state === 'executing' && record.began?.child === undefined;
      journal.note(isUnknown ? settleInterrupted(record) : settleRedacted(record));
    } else if (isForked(run, record)) askAgain(run, record, toolbox);
  }
  if (ends.length > 0) {
    const { context } = state.started ?? {};
    await store.append(ends.map((event) => redactEvent(event, (one) => redact(one, { run: event.run, context }))));
  }
  await journal.commit();
}

const replaced = 'The call that started the run no longer leads to it';

const incomplete =
  'The call did not run: its arguments contained a secret, which is not stored, and the process that knew it has ended. ' +
  'Make the call again with the value itself.';

/** The result of a call that can't run because part of its arguments was redacted in the log. */
const settleRedacted = (record: CallRecord): CallSettled => settledCall(record, 'pending', incomplete);

const elsewhere = 'it belongs to the run that this one was forked from. Make it again if it is still needed.';
const gone = 'the run that it started was deleted. Check what it has done before you make the call again.';

/** The result of a call that waited for a child of the run that this one was forked from, or for one that was deleted. */
function settleChild({ state }: RecoveredRun, record: CallRecord): CallSettled {
  const why = isInherited(state, record.audit.at(-1)?.seq ?? 0) ? elsewhere : gone;
  return settledCall(record, 'result_required', `No result arrives for the call: ${why}`);
}

/** Whether the log doesn't have the input that a call would run with, because of a secret. Older logs only have the text. */
function hasSecret(record: CallRecord): boolean {
  const { approval, decision, redacted } = record;
  if (decision?.type === 'edit') return redacted?.decision ?? isRedacted(decision.input);
  return approval ? (redacted?.approval ?? isRedacted(approval.input)) : isRedactedCall(record);
}

const isRedactedCall = ({ call, redacted }: CallRecord): boolean => redacted?.call ?? isRedacted(call.arguments);

/** Whether a call was approved in the run that this one was forked from. */
const isForked = ({ state }: RecoveredRun, { decision, audit }: CallRecord): boolean =>
  decision !== undefined && isInherited(state, audit.findLast((step) => step.state === 'approved')?.seq ?? 0);

/** Requests approval again, because approvals apply to one run only. */
function askAgain({ journal }: RecoveredRun, { callId, name, approval, decision }: CallRecord, toolbox: Toolbox): void {
  const input = decision?.type === 'edit' ? decision.input : approval?.input;
  const effect = toolbox.get(name)?.effect ?? 'write';
  const reason = 'it was allowed in the run this one was forked from';
  journal.note({ type: 'approval.requested', callId, name, ...approval, input, effect, reason });
}

function mayRun({ state, name, key, callId, began }: CallRecord, run: string, toolbox: Toolbox): boolean {
  if (state !== 'executing') return true;
  const tool = toolbox.get(name);
  // Another agent would start another child.
  if (began?.child !== undefined && tool?.executor?.childOf?.(key ?? '') !== began.child) return false;
  // Checks the tool as it was when it started, and as it is now.
  if (tool?.effect === 'read' && (began?.effect ?? 'read') === 'read') return true;
  // Calls of a fork have different keys, so an idempotent tool wouldn't recognize them.
  const isKnown = tool?.repeat === 'idempotent' && (began?.repeat ?? 'idempotent') === 'idempotent';
  return isKnown && key === callKey(run, callId);
}

/** How a call continues its child run. */
interface ContinuedCall extends Pick<InvokeOptions, 'decision' | 'approval'> {
  readonly outcome: GoodOutcome;
}

/**
 * How to continue a call that has started a child run, if part of its arguments was redacted: as it was allowed or edited
 * then, because it can't be checked again. A rule that denies it still applies.
 */
export function continuedChild(record: CallRecord, toolbox: Toolbox): ContinuedCall | undefined {
  const { call, name, input, began, approval, decision, state } = record;
  const tool: Tool | undefined = toolbox.get(name);
  if (began?.child === undefined || !tool || !hasSecret(record)) return undefined;
  const raw = { id: call.id, name: call.name, arguments: call.arguments };
  return {
    outcome: { status: 'ok', raw, tool, name, input, value: input as never, repairs: [], problems: [] },
    approval: approval ? { ...approval, input } : { name, input, fingerprint: toolFingerprint(tool) },
    ...((decision?.type === 'edit' || (!decision && state === 'executing')) && { decision: { type: 'allow' } }),
  };
}
