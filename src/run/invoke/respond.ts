import { resultPart } from '../../execute/result-part.ts';
import { runTool } from '../../execute/run-tool.ts';
import { messageOf, toolResult } from '../../execute/tool-result.ts';
import { settledCall, unknownOutcome } from '../../log/control/settled-fact.ts';
import { feedback, invalidPayload } from '../../mend/feedback/feedback.ts';
import type { BadOutcome, GoodOutcome, Outcome } from '../../mend/outcome.ts';
import type { CallPart, ResultPart } from '../../model/index.ts';
import { toolContext } from '../../tools/tool.ts';
import type { Invocation, InvokeOptions } from './types.ts';

/** The result of an invalid call, with feedback for the model. */
export async function refuse(part: CallPart, outcome: BadOutcome, options: InvokeOptions): Promise<Invocation> {
  const { name, input, repairs, problems, errorType } = outcome;
  const tries = options.attempt?.(outcome.tool?.name ?? '') ?? 1;
  const { text, result: told } = feedback(outcome, { attempt: tries, toolbox: options.toolbox });
  const words = (await fromInvalidTool(outcome, options)) ?? text;
  const shown = options.results?.form === 'structured' ? JSON.stringify({ ...told, error: words }) : words;
  const result = errorPart(part, outcome.name, shown);
  await options.record?.commit({
    type: 'call.refused',
    callId: part.id,
    call: part,
    name,
    input,
    repairs,
    errorType,
    problems,
    attempt: tries,
    result,
    recommendations: told.recommendations,
  });
  return { state: 'failed', outcome, result, value: told };
}

/** The result of a call that a rule or a person denied. */
export async function deny<O extends Pick<Outcome, 'name'>>(
  part: CallPart,
  outcome: O,
  reason: string,
  options: InvokeOptions,
): Promise<{ state: 'denied'; outcome: O } & Required<Pick<Invocation, 'result' | 'value'>>> {
  const error = `The call was not allowed: ${reason}`;
  const recommendations = ['Do not repeat the call; try another way, or ask the user'];
  const value = { ok: false, error, errorType: 'denied', retryable: false, recommendations } as const;
  const { part: result } = await resultPart({ callId: part.id, name: outcome.name }, value, options.results);
  await options.record?.commit({ type: 'call.denied', callId: part.id, name: outcome.name, reason, result });
  return { state: 'denied', outcome, result, value };
}

/** The result of a call that doesn't run because the run was stopped. */
export async function stop(part: CallPart, outcome: GoodOutcome, options: InvokeOptions): Promise<Invocation> {
  const error = options.hasStarted ? unknownOutcome : `The call did not run: ${messageOf(options.signal?.reason)}`;
  const recommendations = ['Wait for the user before repeating the call'];
  const value = { ok: false, error, errorType: 'aborted', retryable: false, recommendations } as const;
  const was = options.hasStarted ? 'unknown' : 'pending';
  const settled = settledCall({ callId: part.id, name: outcome.name }, was, error);
  await options.record?.commit(settled);
  return { state: 'settled', outcome, result: settled.result, value };
}

/** If the toolbox has a tool named `invalid`, its output replaces the feedback. */
async function fromInvalidTool(outcome: BadOutcome, options: InvokeOptions): Promise<string | undefined> {
  const tool = options.toolbox.get('invalid');
  if (!tool || outcome.tool === tool || outcome.errorType === 'truncated') return undefined;
  const context = toolContext({ callId: outcome.raw.id });
  const limits = { timeout: options.timeout ?? 10_000, signal: options.signal, execute: options.execute };
  const end = await runTool(tool, invalidPayload(outcome), context, limits);
  const shaped = await resultPart({ callId: '', name: 'invalid' }, toolResult(end, tool), options.results);
  if (!shaped.result.ok) return undefined;
  return shaped.part.content.flatMap((one) => (one.type === 'text' ? one.text : [])).join('\n') || undefined;
}

const errorPart = (part: CallPart, name: string, text: string): ResultPart => ({
  type: 'result',
  callId: part.id,
  name,
  content: [{ type: 'text', text }],
  isError: true,
});
