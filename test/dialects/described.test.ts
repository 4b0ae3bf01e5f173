/** What describes the format of calls is text where a dialect is named, too. */
import { describe, expect, it } from 'vitest';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';

const input = { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] } as const;
const toolbox = new Toolbox([tool({ name: 'get_user', description: 'Reads', effect: 'read', inputSchema: input })]);

describe('placeholder names, and calls in strings', () => {
  it.each([
    [
      'Return it in tags:\n<tool_call>\n{"name": <function-name>, "arguments": <args-json-object>}\n</tool_call>',
      'hermes',
    ],
    ['<tool_call>\n{"name": "<function-name>", "arguments": {}}\n</tool_call>', 'hermes'],
    ['<tool_call>\n{"name": "{tool_name}", "arguments": {}}\n</tool_call>', 'hermes'],
    ['<tool_call>\n{"name": "...", "arguments": {}}\n</tool_call>', 'hermes'],
    [
      'The format is:\\n<tool_call>{\\"name\\": \\"get_user\\", \\"arguments\\": {\\"id\\": 5}}</tool_call>\\n and so on.',
      'hermes',
    ],
  ])('%j in %s', (written, dialect) => {
    for (const chunk of [undefined, 3]) {
      const { text, calls } = readCalls(written, toolbox, { dialect, ...(chunk && { chunk }) });
      expect([text, calls]).toEqual([written, []]);
    }
  });

  it('guard: an unknown name is a call, and the check refuses it', () => {
    const { calls } = readCalls('<tool_call>\n{"name": "no_tool", "arguments": {}}\n</tool_call>', toolbox, {
      dialect: 'hermes',
    });
    expect(calls.map(({ name, status }) => [name, status])).toEqual([['no_tool', 'invalid']]);
  });
});
