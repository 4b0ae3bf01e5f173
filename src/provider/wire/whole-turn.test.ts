import { describe, expect, it } from 'vitest';
import { mend } from '../../mend/mend.ts';
import { tool } from '../../tools/tool.ts';
import { Toolbox } from '../../tools/toolbox.ts';
import { anthropicMessages as anthropic } from './anthropic/index.ts';

const now = tool({ name: 'now', description: 'Tells the time', inputSchema: { type: 'object', properties: {} } });
const toolbox = new Toolbox([now]);

const answer = (reason: string, ...inputs: readonly object[]) =>
  anthropic.readResponse({
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'm',
    stop_reason: reason,
    content: inputs.map((input, at) => ({ type: 'tool_use', id: `toolu_${at}`, name: 'now', input })),
  });

const outcomes = (reason: string, ...inputs: readonly object[]): string[] => {
  const { message, finish } = answer(reason, ...inputs);
  return message.parts.flatMap((part, at) => {
    if (part.type !== 'call') return [];
    const last = at === message.parts.length - 1;
    return mend({ ...part, ...(last && finish === 'length' && { finishReason: 'length' as const }) }, toolbox).status;
  });
};

describe('a complete response that ended with length', () => {
  it('does not read an empty object at its end as a call without arguments', () => {
    expect(outcomes('max_tokens', {})).toEqual(['invalid']);
    expect(outcomes('max_tokens', {}, {})).toEqual(['ok', 'invalid']);
    expect(outcomes('tool_use', {})).toEqual(['ok']);
  });

  it('is written back unchanged', () => {
    const { wire } = anthropic.writeResponse(answer('max_tokens', {}));
    expect(wire).toMatchObject({ stop_reason: 'max_tokens', content: [{ type: 'tool_use', input: {} }] });
  });
});
