import { checkPermissions } from '../../execute/permission-rules.ts';
import { checkArgument, checkNames, isObject, ownCopy } from '../../json/value.ts';
import { callListeners } from '../../log/subscribe.ts';
import { mendRepeated } from '../../mend/mend-call.ts';
import type { GoodOutcome, Outcome } from '../../mend/outcome.ts';
import type { CallPart, RawCall } from '../../model/index.ts';
import { authorize } from './authorize.ts';
import { execute } from './execute.ts';
import { stop } from './respond.ts';
import type { Invocation, InvokeOptions } from './types.ts';

/**
 * Runs a call: mends it, applies hooks and permissions, checks edited input again, records it, runs the tool with a
 * timeout and a signal, shapes the result and records it. Never throws for model output or tool failures, only if the
 * log can't be written.
 *
 * @example
 * const { result } = await invoke({ id: 'c1', name: 'read_file', arguments: '{"path": "a.ts",}' }, { toolbox });
 */
export async function invoke(
  written: Omit<CallPart, 'type'> & Pick<RawCall, 'repeated'> & { readonly type?: 'call' },
  options: InvokeOptions,
): Promise<Invocation> {
  checkArgument(isObject(written), 'call', '{ id, name, arguments }', written);
  checkArgument(isObject(options), 'options', '{ toolbox }', options);
  checkNames(options, Object.keys(invokeOptions), 'option of invoke()');
  checkPermissions(options.permissions);
  checkOutcomeListener(options.onOutcome);
  const { repeated, ...call } = written;
  const part: CallPart = { ...ownCopy(call), type: 'call' };
  return completeCall(part, mendCallPart(part, options, repeated), options);
}

/** The names of all options, which the compiler keeps in step with their type. */
const invokeOptions: Readonly<Record<keyof InvokeOptions, 1>> = {
  toolbox: 1,
  policy: 1,
  hooks: 1,
  onOutcome: 1,
  permissions: 1,
  approve: 1,
  decision: 1,
  approval: 1,
  decided: 1,
  always: 1,
  hasStarted: 1,
  record: 1,
  context: 1,
  signal: 1,
  scope: 1,
  before: 1,
  timeout: 1,
  finish: 1,
  attempt: 1,
  results: 1,
  execute: 1,
  live: 1,
  gate: 1,
  within: 1,
  run: 1,
  depth: 1,
  resumePolicy: 1,
  wait: 1,
  resultUrl: 1,
  earlier: 1,
  isLast: 1,
  again: 1,
};

/** Mends a call part. */
export function mendCallPart(
  part: CallPart,
  { toolbox, policy, finish, before }: InvokeOptions,
  repeated?: boolean,
): Outcome {
  const { id, name, arguments: given, found, read } = part;
  const written = { id, name, arguments: given, finishReason: finish, repeated };
  return mendRepeated({ ...written, ...(found && { found }), ...(read && { read }) }, toolbox, policy, before);
}

/** Completes a mended call. */
export async function completeCall(part: CallPart, outcome: Outcome, options: InvokeOptions): Promise<Invocation> {
  const isNew = !options.decision && !options.approval;
  if (isNew) report(part, outcome, options);
  if (outcome.status !== 'invalid') {
    if (isNew) noteJudged(part, outcome, options);
    // A denial needs no run.
    if (options.signal?.aborted && options.decision?.type !== 'deny') return stop(part, outcome, options);
  }
  const allowed = await authorize(part, outcome, options);
  return 'state' in allowed ? allowed : execute(part, allowed, options);
}

export const checkOutcomeListener = (listener: unknown): void =>
  checkArgument(listener === undefined || typeof listener === 'function', 'onOutcome', 'a function', listener);

function report({ id: callId }: CallPart, outcome: Outcome, { onOutcome, run }: InvokeOptions): void {
  if (!onOutcome) return;
  // A listener that changes it must not change the call.
  const { tool, ...rest } = outcome;
  const values = Object.entries(rest).map(([key, value]) => [key, ownCopy(value)]);
  const shown = { ...Object.fromEntries(values), ...(tool && { tool }) } as Outcome;
  callListeners([(what: Outcome) => onOutcome(what, { callId, run })], shown);
}

function noteJudged(part: CallPart, outcome: GoodOutcome, { record }: InvokeOptions): void {
  const judged = { callId: part.id, call: part, name: outcome.name, input: outcome.input, repairs: outcome.repairs };
  const { note } = outcome;
  if (outcome.status === 'ok') record?.note({ type: 'call.accepted', ...judged });
  else record?.note({ type: 'call.mended', ...judged, ...(note !== undefined && { note }) });
}
