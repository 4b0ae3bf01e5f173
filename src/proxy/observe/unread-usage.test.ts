import { expect, it } from 'vitest';
import { UnreadUsage } from './unread-usage.ts';

const read = (text: string, size = text.length): UnreadUsage => {
  const usage = new UnreadUsage();
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) usage.feed(bytes.subarray(at, at + size));
  return usage;
};
const sse = (...frames: object[]): string => frames.map((one) => `data: ${JSON.stringify(one)}\n\n`).join('');

it.each<[string, string, number | undefined, number | undefined, number]>([
  ['completions', '{"choices":[{"text":"abc"}],"usage":{"prompt_tokens":9,"completion_tokens": 4}}', 9, 4, 3],
  ['embeddings', '{"data":[{"embedding":[0.5,-1e3]}],"usage":{"prompt_tokens":12,"total_tokens":12}}', 12, 0, 0],
  ['only a total', '{"usage":{"total_tokens":30}}', 30, undefined, 0],
  ['Ollama', '{"response":"a"}\n{"response":"b","prompt_eval_count":5,"eval_count":2}\n', 5, 2, 2],
  ['Gemini', '{"usageMetadata":{"promptTokenCount":3,"candidatesTokenCount":4,"totalTokenCount":7}}', 3, 4, 0],
  ['cumulative usage', sse({ usage: { completion_tokens: 1 } }, { usage: { completion_tokens: 6 } }), undefined, 6, 0],
  ['no usage', sse({ choices: [{ text: 'Hello' }] }, { choices: [{ text: ' you' }] }), undefined, undefined, 9],
  ['names in text', JSON.stringify({ text: '{"prompt_tokens":7}' }), undefined, undefined, 19],
  ['a value like a name', '{"text":"prompt_tokens","n":7}', undefined, undefined, 13],
  ['other numbers', '{"created":1700,"model":"m","score":0.25}', undefined, undefined, 0],
  ['escapes', '{"text":"a\\\\","n":1,"usage" : {"prompt_tokens" : 8 }}', 8, undefined, 2],
])('finds the tokens of %s in pieces of any size', (_, text, input, output, bytes) => {
  for (const size of [1, 3, text.length]) {
    const usage = read(text, size);
    expect([usage.input, usage.output, usage.textBytes]).toEqual([input, output, bytes]);
  }
});
