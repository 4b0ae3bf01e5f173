import type { Message, Part, TurnResponse } from '../turn/turn.ts';
import { finishWord } from './trace-attributes.ts';

/** Messages as traces write them: a JSON text, since attributes hold no objects. */
export const messagesText = (messages: readonly Message[]): string =>
  JSON.stringify(messages.map(({ role, parts }) => ({ role: roleOf(role, parts), parts: parts.map(partOf) })));

/** An answer as traces write it. */
export const answerText = ({ message, finish }: TurnResponse): string =>
  JSON.stringify([{ role: 'assistant', parts: message.parts.map(partOf), finish_reason: finishWord(finish) }]);

/** Instructions as traces write them. */
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
    // Bytes and what only a provider understands are named, not copied.
    case 'media':
      return { type: 'media', mime_type: part.mediaType };
    case 'opaque':
      return { type: part.format };
  }
}
