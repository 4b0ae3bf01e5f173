import type { Attributes, AttributeValue } from '@opentelemetry/api';
import type { RunEnd } from '../../log/events.ts';
import type { Message, Part, TurnResponse, Usage } from '../../model/index.ts';

/** Providers with a different name in traces. */
const providers: Readonly<Record<string, string>> = { gemini: 'gcp.gemini' };

/** Finish reasons in traces. */
const finishes: Readonly<Record<TurnResponse['finish'], string>> = {
  stop: 'stop',
  tool_calls: 'tool_call',
  length: 'length',
  filter: 'content_filter',
  error: 'error',
  other: 'other',
};

/** Ends that are not errors. */
const goodEnds: ReadonlySet<RunEnd> = new Set<RunEnd>([
  'done',
  'refused',
  'awaiting_approval',
  'awaiting_result',
  'aborted',
  'stopped',
]);

/** Request settings with a trace attribute. */
const asked: readonly (readonly [string, string])[] = [
  ['maxTokens', 'gen_ai.request.max_tokens'],
  ['temperature', 'gen_ai.request.temperature'],
  ['topP', 'gen_ai.request.top_p'],
  ['stop', 'gen_ai.request.stop_sequences'],
];

const counted: readonly (readonly [keyof Usage, string])[] = [
  ['input', 'gen_ai.usage.input_tokens'],
  ['output', 'gen_ai.usage.output_tokens'],
  ['cached', 'gen_ai.usage.cache_read.input_tokens'],
  ['cacheWritten', 'gen_ai.usage.cache_creation.input_tokens'],
  ['reasoning', 'gen_ai.usage.reasoning.output_tokens'],
];

/** Name of a finish reason in traces. */
const finishWord = (finish: TurnResponse['finish']): string => finishes[finish];

/** Whether this end is an error. */
export const isFailure = (end: RunEnd): boolean => !goodEnds.has(end);

/** Attributes of the model and the conversation. */
export const requestAttributes = (
  run: string,
  model: { readonly name: string; readonly provider: string },
): Attributes => ({
  'gen_ai.provider.name': providers[model.provider] ?? model.provider,
  'gen_ai.request.model': model.name,
  'gen_ai.conversation.id': run,
});

/** Attributes of request settings. */
export const settingAttributes = (settings: Readonly<Record<string, unknown>>): Attributes =>
  named(asked.map(([key, name]) => [name, settings[key]]));

/** Attributes of token usage. */
export const usageAttributes = (usage: Usage = {}): Attributes =>
  named(counted.map(([key, name]) => [name, usage[key]]));

/** Attributes of a response, without its content. */
export const responseAttributes = ({ id, model, finish, usage }: TurnResponse): Attributes => ({
  ...named([
    ['gen_ai.response.id', id],
    ['gen_ai.response.model', model],
  ]),
  'gen_ai.response.finish_reasons': [finishWord(finish)],
  ...usageAttributes(usage),
});

const named = (pairs: readonly (readonly [string, unknown])[]): Attributes =>
  Object.fromEntries(pairs.filter(([, value]) => value !== undefined)) as Record<string, AttributeValue>;

/** Messages as JSON text, because attributes can't be objects. */
export const messagesText = (messages: readonly Message[]): string =>
  JSON.stringify(messages.map(({ role, parts }) => ({ role: roleOf(role, parts), parts: parts.map(partOf) })));

/** A response as JSON text. */
export const responseText = ({ message, finish }: TurnResponse): string =>
  JSON.stringify([{ role: 'assistant', parts: message.parts.map(partOf), finish_reason: finishWord(finish) }]);

/** Instructions as JSON text. */
export const instructionsText = (instructions: string): string =>
  JSON.stringify([{ type: 'text', content: instructions }]);

const roleOf = (role: Message['role'], parts: readonly Part[]): string =>
  parts.some(({ type }) => type === 'result') ? 'tool' : role;

function partOf(part: Part): object {
  switch (part.type) {
    case 'text':
    case 'refusal':
      return { type: 'text', content: part.text };
    case 'reasoning':
      return { type: 'reasoning', content: part.text };
    case 'call':
      return { type: 'tool_call', id: part.id, name: part.name, arguments: part.arguments };
    case 'result':
      return { type: 'tool_call_response', id: part.callId, response: part.content.map(partOf) };
    // Media and opaque parts are named but not copied.
    case 'media':
      return { type: 'media', mime_type: part.mediaType };
    case 'opaque':
      return { type: part.format };
  }
}
