import type { Problem } from '../../json/problem.ts';
import { stringifyJson } from '../../json/value.ts';
import { feedback } from '../../mend/feedback/feedback.ts';
import { endedByLength, isUnfinished } from '../../mend/finish-reason.ts';
import type { CheckedCall } from '../../mend/mend-call.ts';
import type { WrittenFinishReason } from '../../model/index.ts';
import type { Tool } from '../../tools/tool.ts';
import type { Toolbox } from '../../tools/toolbox.ts';
import { isRefusedByOwner } from '../tool-with-schema.ts';
import type { ToolCall } from './options.ts';

/**
 * The annotation of a call for the next request: the arguments of a refused one, because the SDK doesn't keep invalid
 * JSON; what was dropped from a mended one.
 */
export interface CallAnnotation {
  /** The arguments of a refused call, as written by the model. */
  readonly input?: string;
  readonly finish?: WrittenFinishReason;
  readonly found?: readonly Problem[];
  readonly note?: string;
}

/** Key of the metadata, which the SDK returns with the history. */
export const place = 'toolmend';

/** The call for the SDK: mended, or refused so that the SDK refuses it too. */
export function outgoingCall(call: ToolCall, { part, outcome }: CheckedCall, toolbox: Toolbox): ToolCall {
  const input = typeof part.arguments === 'string' ? part.arguments : stringifyJson(part.arguments ?? {});
  const named = { ...call, toolCallId: part.id, toolName: part.name };
  if (outcome.status !== 'invalid')
    return carrying({ ...named, input }, outcome.note === undefined ? {} : { note: outcome.note });
  const { finishReason: finish, found } = outcome.raw;
  const runs = outcome.errorType !== 'unknown_tool' && mayRun(toolbox.get(part.name), input);
  // Text that the SDK can't parse is the only input that it never runs.
  const shown = runs ? `${input}\n\n${feedback(outcome, { toolbox }).text}` : input;
  return carrying(
    { ...named, input: shown },
    {
      input,
      ...(finish && isUnfinished(finish) && { finish: endedByLength(finish) ? 'length' : finish }),
      ...(found && { found }),
    },
  );
}

/** Adds an annotation to a call, as JSON. */
function carrying(call: ToolCall, carried: CallAnnotation): ToolCall {
  if (Object.keys(carried).length === 0) return call;
  return { ...call, providerMetadata: { ...call.providerMetadata, [place]: JSON.parse(JSON.stringify(carried)) } };
}

/**
 * Whether the SDK may run a refused input: it only checks tools with a validator, and uses the last of duplicate keys. If
 * its own validator refuses the input, its error says more about it than one about text that can't be parsed.
 */
function mayRun(tool: Tool | undefined, input: string): boolean {
  try {
    const value: unknown = JSON.parse(input.trim() || '{}');
    return !(tool && isRefusedByOwner(tool.schema, value));
  } catch {
    return false;
  }
}
