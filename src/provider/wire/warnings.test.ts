import { describe, expect, it } from 'vitest';
import type { TurnRequest } from '../../model/index.ts';
import { foreignFieldWarnings } from './warnings.ts';

const request: TurnRequest = {
  model: 'm',
  passthrough: { format: 'anthropic', fields: { metadata: {} } },
  tools: [{ type: 'opaque', format: 'anthropic', value: { type: 'web_search' } }],
  messages: [
    {
      role: 'assistant',
      parts: [
        { type: 'text', text: 'a', passthrough: { format: 'anthropic', fields: {} } },
        { type: 'text', text: 'n', passthrough: { format: 'anthropic', fields: { id: null } } },
        { type: 'reasoning', text: 'b', signature: { format: 'anthropic', value: 's' } },
        { type: 'call', id: 'c', name: 'f', arguments: { passthrough: { format: 'x', fields: { a: 1 } } } },
      ],
    },
    {
      role: 'user',
      parts: [{ type: 'result', callId: 'c', content: [{ type: 'opaque', format: 'anthropic', value: 1 }] }],
    },
  ],
};

describe('what only another format understands', () => {
  it('is listed with its path, except an empty passthrough, a null in it, and arguments', () => {
    expect(foreignFieldWarnings('gemini', request).map(({ where }) => where)).toEqual([
      'passthrough',
      'messages.0.parts.2.signature',
      'messages.1.parts.0.content.0',
      'tools.0',
    ]);
  });

  it('is empty for the format itself', () => {
    expect(foreignFieldWarnings('anthropic', request)).toEqual([]);
  });
});
