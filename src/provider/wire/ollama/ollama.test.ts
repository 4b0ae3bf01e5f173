import { describe, expect, it } from 'vitest';
import { requests } from '../../../../test/provider/fixtures/ollama/requests.ts';
import { responses } from '../../../../test/provider/fixtures/ollama/responses.ts';
import { streams } from '../../../../test/provider/fixtures/ollama/streams.ts';
import { wireSuite } from '../../../../test/provider/wire-suite.ts';
import { eventsOf } from '../turn-assembler.ts';
import { ollamaChat } from './index.ts';

wireSuite(
  ollamaChat,
  {
    format: 'ollama',
    arguments: 'value',
    parts: ['reasoning', 'text', 'call'],
    ordered: true,
    named: true,
    anonymous: true,
    settings: ['tools', 'maxTokens', 'temperature', 'topP', 'stop', 'stream'],
  },
  { requests, responses, streams },
);

describe('a response with several texts', () => {
  const texts = ['A ', 'B ', 'C'] as const;
  const parts = texts.flatMap((text, at) => [
    { type: 'reasoning', text } as const,
    { type: 'text', text } as const,
    { type: 'call', id: `c${at}`, name: 'now', arguments: {} } as const,
  ]);

  it('has the same text as its stream', () => {
    const response = { message: { role: 'assistant', parts }, finish: 'tool_calls' } as const;
    const { wire } = ollamaChat.writeResponse(response);
    expect(wire).toMatchObject({ message: { content: 'A B C', thinking: 'A B C' } });
    const writer = ollamaChat.writeStream();
    const lines = [...eventsOf(response)].map((event) => writer.write(event)).join('');
    const messages = lines
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).message);
    expect(messages.map(({ content }) => content).join('')).toBe('A B C');
  });

  it('guard: is on lines of its own in a conversation', () => {
    const { wire } = ollamaChat.writeRequest({ model: 'm', messages: [{ role: 'assistant', parts }] });
    expect(wire.messages).toMatchObject([{ content: 'A \nB \nC' }]);
  });
});
