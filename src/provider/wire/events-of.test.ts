import { describe, expect, it } from 'vitest';
import type { TurnResponse } from '../../model/index.ts';
import { eventsOf } from './turn-assembler.ts';

const response: TurnResponse = {
  id: 'r',
  message: {
    role: 'assistant',
    parts: [
      { type: 'reasoning', text: 'Hm', signature: { format: 'anthropic', value: 's' } },
      { type: 'text', text: 'a🌍b' },
      { type: 'call', id: 'c', name: 'now', arguments: { zone: 'UTC' } },
      { type: 'opaque', format: 'gemini', value: 1 },
    ],
  },
  finish: 'tool_calls',
  ignored: [{ id: 'd', name: '⚙', arguments: '' }],
};

describe('the events of a complete response', () => {
  it('equal those of a streamed one', () => {
    const [reasoning, text, call, opaque] = response.message.parts;
    expect([...eventsOf(response, 1)]).toEqual([
      { type: 'turn.started', id: 'r' },
      { type: 'part.started', index: 0, part: { type: 'reasoning', text: '' } },
      { type: 'part.delta', index: 0, text: 'H' },
      { type: 'part.delta', index: 0, text: 'm' },
      { type: 'part.finished', index: 0, part: reasoning },
      { type: 'part.started', index: 1, part: { type: 'text', text: '' } },
      { type: 'part.delta', index: 1, text: 'a' },
      { type: 'part.delta', index: 1, text: '🌍' },
      { type: 'part.delta', index: 1, text: 'b' },
      { type: 'part.finished', index: 1, part: text },
      { type: 'part.started', index: 2, part: call },
      { type: 'part.finished', index: 2, part: call },
      { type: 'part.started', index: 3, part: opaque },
      { type: 'part.finished', index: 3, part: opaque },
      { type: 'call.ignored', call: response.ignored?.[0] },
      { type: 'turn.finished', response },
    ]);
  });
});
