import type { ToolEnd } from '../../execute/run-tool.ts';
import { exactJson, isToolOutput, messageOf, type ToolOutput, toolOutput } from '../../execute/tool-result.ts';
import type { Problem } from '../../json/problem.ts';
import { hasCode, ToolmendError } from '../../json/toolmend-error.ts';
import { isObject } from '../../json/value.ts';
import type { ResultReceived } from '../../log/events.ts';
import { recordedCalls } from '../../log/fold.ts';
import type { CallRecord, RunState } from '../../log/state.ts';
import { schemaOf } from '../../schema/schema.ts';
import { makeTool, type Tool } from '../../tools/tool.ts';
import { finish } from './execute.ts';
import { deny } from './respond.ts';
import { denialReason } from './settle-decision.ts';
import type { InvokeOptions } from './types.ts';

/** Thrown for a result that doesn't match the tool's output schema. The call keeps waiting. */
export class InvalidResult extends ToolmendError {
  override readonly name = 'InvalidResult';
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    const words = problems.map(({ message }) => message).join('; ');
    super('invalid_result', `The result is invalid: ${words}. The call is still waiting for its result.`);
    this.problems = problems;
  }

  /** True for such an error, also one that another copy of this package threw. */
  static override isInstance(error: unknown): error is InvalidResult {
    return hasCode(error, 'invalid_result');
  }
}

/**
 * The event of a result that arrived for a waiting call.
 *
 * @throws InvalidResult if it doesn't match the output schema, ToolmendError if JSON can't express it
 */
export function receivedResult(record: CallRecord, output: unknown, tool?: Tool): ResultReceived {
  const isContent = isToolOutput(output);
  const faults = resultProblems(record, output, tool);
  if (faults.length > 0) throw new InvalidResult(faults);
  const text = asJson(withErrorText(output));
  const value: unknown = text === undefined ? undefined : JSON.parse(text);
  // As the run will use it: JSON leaves out fields that are undefined.
  const problems = resultProblems(record, isContent ? toolOutput(value as ToolOutput) : value, tool);
  if (problems.length > 0) throw new InvalidResult(problems);
  return {
    type: 'result.received',
    callId: record.callId,
    ...(text !== undefined && { value }),
    ...(isContent && { isContent }),
  };
}

function asJson(output: unknown): string | undefined {
  try {
    return exactJson(output);
  } catch (cause) {
    const words = `The result is not JSON: ${messageOf(cause)}. Pass plain data, or content from toolOutput().`;
    throw new ToolmendError('unsupported', words, { cause });
  }
}

/** A failure with its error as text, as a tool that returns one has it. */
const withErrorText = (output: unknown): unknown =>
  isObject(output) && output.ok === false && 'error' in output ? { ...output, error: messageOf(output.error) } : output;

/** Problems of a result. Reported failures don't have to match the output schema. */
function resultProblems({ waiting }: CallRecord, output: unknown, tool: Tool | undefined): readonly Problem[] {
  if (isObject(output) && (output.ok === false || (isToolOutput(output) && output.isError))) return [];
  const value = isToolOutput(output) ? output.structured : output;
  const checked = schemaOf(tool?.outputSchema ?? waiting?.schema).check(value);
  return checked.ok ? [] : checked.problems;
}

/** Gives a waiting call the result that arrived, or a failure if its time limit is over. */
export async function receiveResult(record: CallRecord, options: InvokeOptions): Promise<void> {
  const { callId, name, input, waiting, received } = record;
  // The tool has been called, so it gets its result even if it was removed from the toolbox since.
  const tool = options.toolbox.get(name) ?? makeTool({ name, description: name });
  const since = waiting?.since ?? Date.now();
  const ms = Math.max(0, Date.now() - since);
  await finish({ tool, name, input }, { callId, end: endOf(record, received, tool, since), ms }, options);
}

/** Gives the calls of a stopped run the results and denials that are recorded. */
export async function settleRecorded(state: RunState, options: InvokeOptions): Promise<void> {
  for (const record of recordedCalls(state)) {
    const { decision, call, name } = record;
    if (decision?.type === 'deny') await deny(call, { name }, denialReason(decision), options);
    else await receiveResult(record, options);
  }
}

function endOf(record: CallRecord, received: CallRecord['received'], tool: Tool, since: number): ToolEnd {
  const { timeout, expiresAt = since } = record.waiting ?? {};
  if (!received) return { type: 'timeout', after: timeout ?? expiresAt - since };
  const output = received.isContent ? toolOutput(received.value as never) : received.value;
  // A process without the tool may have accepted it. A redacted one was checked before.
  const [problem] = received.redacted ? [] : resultProblems(record, output, tool);
  if (!problem) return { type: 'returned', output };
  const error = new ToolmendError('invalid_result', `The result that arrived is invalid: ${problem.message}`);
  return { type: 'threw', error };
}
