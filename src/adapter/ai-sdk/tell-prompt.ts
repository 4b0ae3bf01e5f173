import { isObject } from '../../json/value.ts';
import { type PastCall, tellPast } from '../tell-past.ts';
import { place, type Refused } from './refused-call.ts';
import type { CallOptions, Prompt, PromptMessage } from './sdk-types.ts';
import type { Shown } from './tools-shown.ts';
import { withoutNameless } from './without-nameless.ts';

type AssistantPart = Extract<PromptMessage, { role: 'assistant' }>['content'][number];
type CallPart = Extract<AssistantPart, { type: 'tool-call' }>;
type ResultPart = Extract<AssistantPart, { type: 'tool-result' }>;

/** How the SDK's own words for calls it refused begin. */
const dump =
  /^(?:AI_\w+: )?(?:Invalid input for tool |Model tried to call unavailable tool |Error repairing tool call: )/;

/** A question with our words, in place of the SDK's, for the calls of its history that could not be mended. */
export function tellPrompt(params: CallOptions, { toolbox, options }: Shown): CallOptions {
  const prompt = withoutNameless(params.prompt, toolbox);
  const refused = refusedIn(prompt);
  if (refused.size === 0) return prompt === params.prompt ? params : { ...params, prompt };
  const told = tellPast(pastCalls(prompt, refused), toolbox, options.policy);
  const tell = <P extends { type: string }>(part: P): P => {
    if (part.type === 'tool-call') return bareCall(part as unknown as CallPart, refused) as unknown as P;
    if (part.type !== 'tool-result') return part;
    const result = part as unknown as ResultPart;
    const text = refused.has(result.toolCallId) ? told.get(result.toolCallId) : undefined;
    return text === undefined ? part : { ...part, output: { type: 'error-text', value: text } };
  };
  return { ...params, prompt: prompt.map((message) => withParts(message, tell)) };
}

/** The calls that were refused, by us or by the SDK, with what we know of them. */
function refusedIn(prompt: Prompt): Map<string, Refused | undefined> {
  const refused = new Map<string, Refused | undefined>();
  for (const part of partsIn(prompt)) {
    if (part.type === 'tool-call') {
      const carried = part.providerOptions?.[place];
      if (isObject(carried) && typeof carried.input === 'string')
        refused.set(part.toolCallId, carried as unknown as Refused);
    } else if (part.type === 'tool-result' && !refused.has(part.toolCallId) && isDump(part)) {
      refused.set(part.toolCallId, undefined);
    }
  }
  return refused;
}

const isDump = ({ output }: ResultPart): boolean => output.type === 'error-text' && dump.test(output.value);

function* partsIn(prompt: Prompt): Generator<AssistantPart> {
  for (const { role, content } of prompt) {
    if (role !== 'assistant' && role !== 'tool') continue;
    for (const part of content) if (part.type !== 'tool-approval-response') yield part;
  }
}

/** All calls of the history: good ones too, since a good call ends a row of failures. */
function pastCalls(prompt: Prompt, refused: ReadonlyMap<string, Refused | undefined>): PastCall[] {
  return prompt.flatMap((message, turn) => {
    if (message.role !== 'assistant') return [];
    return message.content.flatMap((part) => {
      if (part.type !== 'tool-call' || part.providerExecuted) return [];
      const { input = part.input, finish, found } = refused.get(part.toolCallId) ?? {};
      const known = { ...(finish && { finish }), ...(found && { found }) };
      return [{ id: part.toolCallId, name: part.toolName, arguments: input, turn, ...known }];
    });
  });
}

/** A call without what it carried for us, and with the arguments it came with where these are an object. */
function bareCall(part: CallPart, refused: ReadonlyMap<string, Refused | undefined>): CallPart {
  const carried = refused.get(part.toolCallId);
  if (!carried) return part;
  const { [place]: _, ...others } = part.providerOptions ?? {};
  const { providerOptions: __, ...bare } = part;
  const options = Object.keys(others).length > 0 ? { providerOptions: others } : {};
  return { ...bare, ...options, input: objectOf(carried.input) ?? {} };
}

function objectOf(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function withParts(message: PromptMessage, tell: <P extends { type: string }>(part: P) => P): PromptMessage {
  if (message.role === 'assistant') return { ...message, content: message.content.map(tell) };
  if (message.role === 'tool') return { ...message, content: message.content.map(tell) };
  return message;
}
