import type { Problem } from '../../json/problem.ts';
import { feedback } from '../../mend/feedback/feedback.ts';
import { endedByLength } from '../../mend/finish-reason.ts';
import type { CheckedCall } from '../../mend/mend-call.ts';
import type { WrittenFinishReason } from '../../model/index.ts';
import type { Toolbox } from '../../tools/toolbox.ts';
import type { ToolCall } from './options.ts';

/**
 * What a call carries with it, so that the next question can tell the model of it: of a refused one the arguments, since the SDK
 * keeps no text that is no JSON; of a mended one what was dropped.
 */
export interface CallAnnotation {
  /** The arguments of a refused call as the model wrote them. */
  readonly input?: string;
  readonly finish?: WrittenFinishReason;
  readonly found?: readonly Problem[];
  readonly note?: string;
}

/** Where it is carried: metadata under a name of our own, which comes back with the history. */
export const place = 'toolmend';

/** The call as it goes out: mended, or refused so that the SDK refuses it too. */
export function outgoingCall(call: ToolCall, { part, outcome }: CheckedCall, toolbox: Toolbox): ToolCall {
  const input = typeof part.arguments === 'string' ? part.arguments : JSON.stringify(part.arguments ?? {});
  const named = { ...call, toolCallId: part.id, toolName: part.name };
  if (outcome.status !== 'invalid')
    return carrying({ ...named, input }, outcome.note === undefined ? {} : { note: outcome.note });
  const { finishReason: finish, found } = outcome.raw;
  const runs = outcome.errorType !== 'unknown_tool' && isJson(input);
  // The SDK checks only what has a validator of its own, and takes the last of two keys: what it could parse it might run.
  const shown = runs ? `${input}\n\n${feedback(outcome, { toolbox }).text}` : input;
  return carrying(
    { ...named, input: shown },
    { input, ...(endedByLength(finish) && { finish: 'length' as const }), ...(found && { found }) },
  );
}

/** The call with what it carries, which is JSON. */
function carrying(call: ToolCall, carried: CallAnnotation): ToolCall {
  if (Object.keys(carried).length === 0) return call;
  return { ...call, providerMetadata: { ...call.providerMetadata, [place]: JSON.parse(JSON.stringify(carried)) } };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text.trim() || '{}');
    return true;
  } catch {
    return false;
  }
}
