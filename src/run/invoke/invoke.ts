import { mendRepeated } from '../../mend/mend-call.ts';
import type { GoodOutcome, Outcome } from '../../mend/outcome.ts';
import type { CallPart, RawCall } from '../../model/index.ts';
import { authorize } from './authorize.ts';
import { execute } from './execute.ts';
import { stop } from './respond.ts';
import type { Invocation, InvokeOptions } from './types.ts';

/**
 * The one way a call runs: mend, hooks, permission, check again what was edited, record, run under a deadline and a
 * signal, shape the result, record. Never throws for what a model wrote or a tool did; only a log that can't be written
 * stops it.
 *
 * @example
 * const { result } = await invoke({ id: 'c1', name: 'read_file', arguments: '{"path": "a.ts",}' }, { toolbox });
 */
export async function invoke(
  { repeated, ...call }: Omit<CallPart, 'type'> & Pick<RawCall, 'repeated'> & { readonly type?: 'call' },
  options: InvokeOptions,
): Promise<Invocation> {
  const part: CallPart = { ...call, type: 'call' };
  return completeCall(part, mendCallPart(part, options, repeated), options);
}

/** Judges a call as the model wrote it. */
export function mendCallPart(
  part: CallPart,
  { toolbox, policy, finish, before }: InvokeOptions,
  repeated?: boolean,
): Outcome {
  const { id, name, arguments: given, found, read } = part;
  const written = { id, name, arguments: given, finishReason: finish, repeated };
  return mendRepeated({ ...written, ...(found && { found }), ...(read && { read }) }, toolbox, policy, before);
}

/** Takes a judged call to its result. */
export async function completeCall(part: CallPart, outcome: Outcome, options: InvokeOptions): Promise<Invocation> {
  if (outcome.status !== 'invalid') {
    if (!options.decision && !options.approval) noteJudged(part, outcome, options);
    if (options.signal?.aborted) return stop(part, outcome, options);
  }
  const allowed = await authorize(part, outcome, options);
  return 'state' in allowed ? allowed : execute(part, allowed, options);
}

function noteJudged(part: CallPart, outcome: GoodOutcome, { record }: InvokeOptions): void {
  const judged = { callId: part.id, call: part, name: outcome.name, input: outcome.input, repairs: outcome.repairs };
  const { note } = outcome;
  if (outcome.status === 'ok') record?.note({ type: 'call.accepted', ...judged });
  else record?.note({ type: 'call.mended', ...judged, ...(note !== undefined && { note }) });
}
