import { expect, it } from 'vitest';
import { renderCalls } from './render.ts';

const calls = [{ name: 'search', arguments: { query: 'a,b:c "d"', tags: ['x', 'y'], range: { from: 1, to: 2 } } }];
const written = '{"query": "a,b:c \\"d\\"", "tags": ["x", "y"], "range": {"from": 1, "to": 2}}';

it.each([
  ['hermes', `<tool_call>\n{"name": "search", "arguments": ${written}}\n</tool_call>`],
  ['jamba', `<tool_calls>\n[{"name": "search", "arguments": ${written}}]\n</tool_calls>`],
])('writes JSON with the blanks of chat templates: %s', (dialect, text) => {
  expect(renderCalls(calls, dialect)).toBe(text);
});

it('writes blanks in the arguments of frames and in tagged values', () => {
  expect(renderCalls(calls, 'harmony')).toContain(written);
  expect(renderCalls(calls, 'qwen3-coder')).toContain('["x", "y"]');
});
