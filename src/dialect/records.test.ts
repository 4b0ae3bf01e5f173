import { describe, expect, it } from 'vitest';
import { tool } from '../tools/tool.ts';
import { Toolbox } from '../tools/toolbox.ts';
import { readCalls } from './read-calls.ts';

const inputSchema = { type: 'object', properties: {} };
const toolbox = new Toolbox([
  tool({ name: 'purge', description: 'Purge', effect: 'destructive', inputSchema }),
  tool({ name: 'export', description: 'Export', inputSchema }),
  tool({ name: 'now', description: 'The time', effect: 'read', inputSchema }),
]);
const read = (text: string) => readCalls(text, toolbox, { dialect: 'llama3-json' });

describe('JSON with the name of a tool and no arguments, in a dialect of bare JSON', () => {
  it.each([
    '{"id": 7, "name": "Purge", "type": "button"}',
    '{"name": "now", "type": "button"}',
    '{"type": "menu", "name": "export"}',
    '{"type": 1, "name": "export"}',
    '{"id": 7, "name": "export"}',
    '[{"id": 1, "name": "Purge"}, {"id": 2, "name": "Export"}]',
    '[{"type": "button", "name": "now"}, {"type": "button", "name": "export"}]',
  ])('is data: %s', (text) => expect(read(text)).toMatchObject({ calls: [], text }));

  it.each([
    '{"name": "purge"}',
    '{"tool": "purge"}',
    '{"type": "function", "name": "purge"}',
    '{"type": "function", "function": {"name": "purge"}}',
    '[{"name": "purge"}, {"name": "now"}]',
  ])('destroys nothing: %s', (text) =>
    expect(read(text).calls[0]).toMatchObject({ status: 'invalid', problems: [{ code: 'not_exact' }] }),
  );
});

describe('guard: calls of tools without parameters', () => {
  it.each([
    '{"name": "now"}',
    '{"type": "function", "name": "now"}',
    '{"type": "tool_use", "id": "a", "name": "now"}',
    '{"type": "function", "function": {"name": "now"}}',
    '[{"name": "now"}, {"name": "export"}]',
    '{"name": "purge", "arguments": {}}',
    '{"id": 1, "name": "purge", "parameters": {}}',
    '{"id": 1, "type": "function", "function": {"name": "purge", "arguments": "{}"}}',
  ])('%s', (text) => expect(read(text).calls[0]).toMatchObject({ status: 'ok' }));

  it('behind a marker a name is enough', () => {
    const { calls } = readCalls('<tool_call>{"name": "purge"}</tool_call>', toolbox, { dialect: 'hermes' });
    expect(calls).toMatchObject([{ status: 'ok' }]);
  });
});
