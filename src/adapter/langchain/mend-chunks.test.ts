import { AIMessageChunk } from '@langchain/core/messages';
import { ChatGenerationChunk } from '@langchain/core/outputs';
import { expect, it } from 'vitest';
import { boundTools } from './bound-tools.ts';
import { mendChunks } from './mend-chunks.ts';

const tools = [
  {
    type: 'function',
    function: {
      name: 'read_file',
      description: 'Reads a file',
      parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
    },
  },
];

async function* streamed(...reasons: readonly string[]): AsyncGenerator<ChatGenerationChunk> {
  const piece = { type: 'tool_call_chunk', index: 0, id: 'c1', name: 'read_file', args: '{"path": "a.ts"' } as const;
  const message = new AIMessageChunk({ content: '', tool_call_chunks: [piece] });
  yield new ChatGenerationChunk({ text: '', message });
  for (const finish_reason of reasons)
    yield new ChatGenerationChunk({
      text: '',
      message: new AIMessageChunk({ content: '' }),
      generationInfo: { finish_reason },
    });
}

it.each([
  [['length', 'stop'], 0],
  [['length', 'tool_calls'], 0],
  [['stop', 'length'], 0],
  [['max_tokens', 'stop'], 0],
  [['length'], 0],
  [['tool_calls'], 1],
  [['stop', 'tool_calls'], 1],
])('checks a call by all finish reasons: %j', async (reasons, runs) => {
  const calls: string[] = [];
  const onCall = ({ outcome }: { outcome: { status: string } }): number => calls.push(outcome.status);
  let whole: AIMessageChunk | undefined;
  for await (const { message } of mendChunks(streamed(...reasons), boundTools(tools), { onCall })) {
    const chunk = message as AIMessageChunk;
    whole = whole ? whole.concat(chunk) : chunk;
  }
  expect(calls).toEqual([runs === 1 ? 'mended' : 'invalid']);
  expect(whole?.tool_calls).toHaveLength(runs);
});
