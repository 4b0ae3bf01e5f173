import type { AssistantPart, TurnEvent } from '../src/model/index.ts';
import type { Provider } from '../src/provider/wire/types.ts';

/** A response, and the number of its characters in one delta. */
interface Answer {
  readonly parts: readonly AssistantPart[];
  readonly step: number;
}

const words = 'The quick brown fox jumps over the lazy dog, again and again. '.repeat(1300);
const call = (index: number, fields: number): AssistantPart => ({
  type: 'call',
  id: `call_${index}`,
  name: `tool_${index % 7}`,
  arguments: JSON.stringify(
    Object.fromEntries(Array.from({ length: fields }, (_, at) => [`field_${at}`, `value ${at}`])),
  ),
});

/** Long answers: words, one call of 100 KB, 200 calls. */
export const answers: Readonly<Record<string, Answer>> = {
  'text of 80 KB': { parts: [{ type: 'text', text: words }], step: 4 },
  'one call of 100 KB in 4-character deltas': { parts: [call(0, 4200)], step: 4 },
  '200 calls': { parts: Array.from({ length: 200 }, (_, index) => call(index, 20)), step: 16 },
};

/** The bytes a provider would send for an answer, cut as a network would. */
export function streamBytes(provider: Provider, { parts, step }: Answer): Uint8Array[] {
  const writer = provider.writeStream();
  const text = [...eventsOf(parts, step)].map((event) => writer.write(event)).join('');
  const bytes = new TextEncoder().encode(text);
  const size = 4096;
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size));
}

function* eventsOf(parts: readonly AssistantPart[], step: number): Generator<TurnEvent> {
  yield { type: 'turn.started', id: 'r1', model: 'm' };
  for (const [index, part] of parts.entries()) {
    const text = part.type === 'call' ? String(part.arguments) : 'text' in part ? part.text : '';
    yield {
      type: 'part.started',
      index,
      part: part.type === 'call' ? { ...part, arguments: '' } : { type: 'text', text: '' },
    };
    for (let at = 0; at < text.length; at += step) yield { type: 'part.delta', index, text: text.slice(at, at + step) };
    yield { type: 'part.finished', index, part };
  }
  const called = parts.some(({ type }) => type === 'call');
  yield {
    type: 'turn.finished',
    response: {
      id: 'r1',
      model: 'm',
      message: { role: 'assistant', parts },
      finish: called ? 'tool_calls' : 'stop',
      usage: { input: 10, output: 20 },
    },
  };
}
