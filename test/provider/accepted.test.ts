import { describe, expect, it } from 'vitest';
import type { LoweringTarget, Provider, TurnRequest } from '../../src/provider/index.ts';
import * as entry from '../../src/provider/index.ts';
import { refusals } from './accepted.ts';
import * as anthropic from './fixtures/anthropic/requests.ts';
import * as gemini from './fixtures/gemini/requests.ts';
import * as ollama from './fixtures/ollama/requests.ts';
import * as chat from './fixtures/openai-chat/requests.ts';
import * as responses from './fixtures/openai-responses/requests.ts';

const { openaiChat, openaiResponses, anthropicMessages, geminiContent, ollamaChat } = entry;
const targets: readonly [Provider, LoweringTarget][] = [
  [openaiChat, 'openai'],
  [openaiResponses, 'openai'],
  [anthropicMessages, 'anthropic'],
  [geminiContent, 'gemini'],
];

/** What servers that mind nothing let stand in a history. */
const careless = {
  model: 'm',
  messages: [
    { role: 'system', content: '' },
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: '\n\n', tool_calls: [called('a', 'f'), called('b', 'f'), called('a', 'g')] },
    { role: 'tool', tool_call_id: 'b', content: '' },
    { role: 'user', content: 'Go on' },
    { role: 'tool', tool_call_id: 'a', content: 'late' },
    { role: 'assistant', content: '' },
    { role: 'assistant', content: ' ' },
    { role: 'tool', tool_call_id: 'nobody', content: 'lost' },
    {
      role: 'user',
      content: [
        { type: 'text', text: '' },
        { type: 'text', text: 'x' },
      ],
    },
    { role: 'system', content: 'Be brief.' },
    { role: 'assistant', content: null, tool_calls: [called('c', 'f')] },
  ],
  tool_choice: 'required',
  reasoning_effort: 'low',
  temperature: 0.2,
  tools: [{ type: 'function', function: { name: 'f', parameters: { type: 'object', properties: {} } } }],
};

function called(id: string, name: string): object {
  return { id, type: 'function', function: { name, arguments: '{"n": 1}' } };
}

const sources: readonly [string, TurnRequest][] = [
  ['a careless history', openaiChat.readRequest(careless)],
  ...[
    [openaiChat, chat.requests] as const,
    [openaiResponses, responses.requests] as const,
    [anthropicMessages, anthropic.requests] as const,
    [geminiContent, gemini.requests] as const,
    [ollamaChat, ollama.requests] as const,
  ].flatMap(([wire, requests]) =>
    Object.entries(requests).map(([name, one]): [string, TurnRequest] => {
      const address = 'address' in one && one.address ? one.address : { model: 'm' };
      return [`${wire.format}: ${name}`, wire.readRequest(one.wire, address)];
    }),
  ),
];

describe.each(targets.map(([wire, target]) => [wire.format, wire, target] as const))(
  'what goes to %s',
  (format, wire, target) => {
    it.each(sources)('is taken: %s', (name, request) => {
      // What a service holds itself, it alone can tell.
      if (
        name.startsWith(format) ||
        request.passthrough?.fields.previous_response_id ||
        request.passthrough?.fields.conversation
      )
        return;
      const { wire: body } = wire.writeRequest(entry.fitRequest(request, target, wire.format).request);
      expect(refusals[format]?.(body)).toEqual([]);
    });
  },
);
