import { expect, it } from 'vitest';
import type { StreamedEvent } from '../../src/log/subscribe.ts';
import type { AssistantPart, Model, TurnEvent } from '../../src/model/index.ts';
import { agent } from '../../src/run/agent.ts';

const parts: AssistantPart[] = [
  { type: 'reasoning', text: 'hm, so' },
  { type: 'text', text: 'I look' },
  { type: 'call', id: 'c1', name: 'none', arguments: '{"a": 1}' },
];

/** A model whose wire begins each part with its first two characters. */
const model: Model = {
  name: 'begins',
  provider: 'test',
  async *stream(): AsyncGenerator<TurnEvent> {
    for (const [index, part] of parts.entries()) {
      const text = part.type === 'call' ? String(part.arguments) : 'text' in part ? part.text : '';
      const begun =
        part.type === 'call' ? { ...part, arguments: text.slice(0, 2) } : { ...part, text: text.slice(0, 2) };
      yield { type: 'part.started', index, part: begun as AssistantPart };
      yield { type: 'part.delta', index, text: text.slice(2) };
      yield { type: 'part.finished', index, part };
    }
    yield { type: 'turn.finished', response: { message: { role: 'assistant', parts }, finish: 'tool_calls' } };
  },
};

it('publishes the first text of a part live too', async () => {
  const heard: StreamedEvent[] = [];
  for await (const event of agent({ model, budgets: { steps: 1 } }).run('go')) heard.push(event);
  const said = (type: string) =>
    heard.flatMap((event) => (event.type === type && 'text' in event ? [event.text] : [])).join('');
  expect(said('reasoning.delta')).toBe('hm, so');
  expect(said('text.delta')).toBe('I look');
  expect(said('call.delta')).toBe('{"a": 1}');
});
