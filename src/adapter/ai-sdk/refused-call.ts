import { feedback } from '../../call/feedback.ts';
import type { JudgedCall } from '../../call/mended-call.ts';
import type { Problem } from '../../json/problem.ts';
import type { Toolbox } from '../../tool/toolbox.ts';
import type { FinishReason } from '../../turn/turn.ts';
import type { ToolCall } from './sdk-types.ts';

/** What a refused call carries with it, so that the next question can tell the model of it: the SDK keeps no text that is no JSON. */
export interface Refused {
  /** The arguments as the model wrote them. */
  readonly input: string;
  readonly finish?: FinishReason;
  readonly found?: readonly Problem[];
}

/** Where it is carried: metadata under a name of our own, which comes back with the history. */
export const place = 'toolmend';

/** The call as it goes out: mended, or refused so that the SDK refuses it too. */
export function outgoing(call: ToolCall, { part, outcome }: JudgedCall, toolbox: Toolbox): ToolCall {
  const input = typeof part.arguments === 'string' ? part.arguments : JSON.stringify(part.arguments ?? {});
  const named = { ...call, toolCallId: part.id, toolName: part.name };
  if (outcome.status !== 'invalid') return { ...named, input };
  const { finishReason: finish, found } = outcome.raw;
  const refused: Refused = { input, ...(finish && { finish }), ...(found && { found }) };
  const unknown = outcome.errorType === 'unknown_tool';
  return {
    ...named,
    // The SDK checks only what has a validator of its own, and takes the last of two keys: what it could parse it might run.
    input: unknown || !isJson(input) ? input : `${input}\n\n${feedback(outcome, { toolbox }).text}`,
    providerMetadata: { ...call.providerMetadata, [place]: JSON.parse(JSON.stringify(refused)) },
  };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text.trim() || '{}');
    return true;
  } catch {
    return false;
  }
}
