import { describe, expect, it } from 'vitest';
import { PartOrder } from './part-order.ts';
import { wires } from './route.ts';

it('sends parts in the order of their start', () => {
  const order = new PartOrder();
  for (const index of [0, 1, 2, 5]) order.start(index);
  expect([order.finish(1, 'b'), order.finish(0, 'a'), order.finish(5, 'd'), order.end()]).toEqual(['', 'ab', '', 'd']);
});

describe('calls that finish in another order than they started', () => {
  const start = (index: number, name: string) => ({
    type: 'content_block_start',
    index,
    content_block: { type: 'tool_use', id: `t${index}`, name, input: {} },
  });
  const frames = [
    { type: 'message_start', message: { id: 'm', role: 'assistant', content: [], usage: { input_tokens: 1 } } },
    start(0, 'first'),
    { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '{}' } },
    // The first block is never stopped.
    start(1, 'second'),
    { type: 'content_block_stop', index: 1 },
    { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 2 } },
    { type: 'message_stop' },
  ];

  it.each([
    ['Gemini', wires.gemini],
    ['Ollama', wires.ollama],
  ])('keep the order of their start for a client of %s', (_, client) => {
    const writer = client.writeStream();
    let text = '';
    const reader = wires.anthropic.readStream((event) => {
      text += writer.write(event);
    });
    for (const frame of frames) reader.frame(frame, frame.type);
    reader.end();
    expect([...text.matchAll(/"name":"(\w+)"/g)].map(([, name]) => name)).toEqual(['first', 'second']);
  });
});
