import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { feedback, mend, mendValue, Toolbox, tool, withMending } from '../src/index.ts';
import { invalidPayload } from '../src/mend/feedback/feedback.ts';
import type { BadOutcome, Outcome } from '../src/mend/outcome.ts';
import type { RawCall } from '../src/model/index.ts';
import { toolFromMcp } from '../src/tools/tool-from-mcp.ts';

const string = { type: 'string' } as const;
const toolbox = new Toolbox([
  tool({
    name: 'write_file',
    description: 'Writes a file',
    inputSchema: { type: 'object', properties: { path: string, content: string }, required: ['path', 'content'] },
  }),
  tool({
    name: 'edit',
    description: 'Edits a file',
    inputSchema: z.object({ path: z.string(), edits: z.array(z.object({ find: z.string(), replace: z.string() })) }),
  }),
  tool({ name: 'todowrite', description: 'Writes todos', inputSchema: z.object({ todos: z.array(z.string()) }) }),
  tool({ name: 'now', description: 'Tells the time' }),
]);
const refused = (outcome: Outcome): BadOutcome => {
  if (outcome.status !== 'invalid') throw new Error(`expected a refusal, got ${JSON.stringify(outcome.input)}`);
  return outcome;
};
const bad = (call: RawCall): BadOutcome => refused(mend(call, toolbox));

describe('bad calls that people met in the field', () => {
  it('C1 an edit call with missing parameters is told more with each try, and why', () => {
    const outcome = bad({ name: 'edit', arguments: '{"path": "a.ts"}' });
    const texts = [1, 2, 3].map((tries) => feedback(outcome, { attempt: tries }).text);
    expect(new Set(texts).size).toBe(3);
    for (const text of texts) expect(text).toContain("Field 'edits' is required but missing");
  });

  it.each([
    ['by length', '{"path": "a.ts", "content": "const a = 1;\\nconst', 'length'],
    ['by length, after the path', '{"path": "a.ts"', 'length'],
    ['without a word', '{"path": "a.ts", "content": "const a = 1;\\nconst', 'tool_calls'],
    ['before the content', '{"path": "a.ts", "content":', 'stop'],
  ] as const)(
    'C2 a write cut off %s is truncated and never runs; feedback asks for smaller pieces',
    (_, args, finishReason) => {
      const outcome = bad({ name: 'write_file', arguments: args, finishReason });
      expect(outcome.errorType).toBe('truncated');
      const { text, result } = feedback(outcome);
      expect(text).toMatch(/cut off/);
      expect(text).toMatch(/smaller pieces/);
      if (finishReason === 'length') expect(text).toMatch(/token limit/);
      expect(result).toMatchObject({ errorType: 'truncated', retryable: false });
    },
  );

  it('C3 the fallback payload is always valid, whatever the name and the arguments were', () => {
    const payload = z.strictObject({ tool: z.string().min(1), error: z.string().min(1), receivedArgs: z.json() });
    const names = [undefined, null, '', 5, {}, 'nope', 'edit'];
    const args = [undefined, null, '', '{', '{"a": 1}', { a: 1n }, [1], 'x'.repeat(100)];
    for (const name of names)
      for (const given of args) {
        const outcome = mend({ name, arguments: given } as unknown as RawCall, toolbox);
        expect(payload.safeParse(invalidPayload(refused(outcome))).error).toBeUndefined();
      }
  });

  it('C4 malformed input for a known tool is never reported as an unknown tool', () => {
    for (const args of ['{', 'no json', '[]', '{"path": 1', '{"path": {"a": 1}}', 5, { path: null }])
      expect(bad({ name: 'edit', arguments: args }).errorType).not.toBe('unknown_tool');
    for (const args of ['{', 'no json', '{}', undefined])
      expect(bad({ name: 'invented', arguments: args }).errorType).toBe('unknown_tool');
  });

  it('C5 invented names are offered the closest; separators are repaired', () => {
    expect(bad({ name: 'write_document', arguments: '{}' }).problems[0]?.message).toContain("'write_file'");
    expect(mend({ name: 'todo_write', arguments: '{"todos": ["a"]}' }, toolbox)).toMatchObject({ name: 'todowrite' });
  });

  it('C8 a tool without parameters that streamed "" gets {}', () => {
    for (const name of ['now', 'NOW'])
      expect(mend({ name, arguments: '' }, toolbox)).toMatchObject({ input: {}, value: {} });
  });

  it('C9 text that happened to be JSON stays text in a string field', () => {
    for (const content of ['{"a": 1}', '[1, 2]', 'null', 'true', '5', '"quoted"']) {
      const call = { name: 'write_file', arguments: { path: 'a.json', content } };
      expect(mend(call, toolbox)).toMatchObject({ status: 'ok', input: { content } });
      const text = { ...call, arguments: `${JSON.stringify(call.arguments).slice(0, -1)},}` };
      expect(mend(text, toolbox)).toMatchObject({ status: 'mended', input: { content } });
    }
  });

  it('C10 arrays and objects for MCP tools that came as JSON strings are read where the schema wants them', () => {
    const inputSchema = {
      type: 'object',
      properties: { ids: { type: 'array', items: { type: 'integer' } }, filter: { type: 'object' }, note: string },
    };
    const mcp = new Toolbox([toolFromMcp({ name: 'mcp__db__find', description: 'Finds', inputSchema })]);
    const args = { ids: '[1, 2]', filter: '{"a": [1]}', note: '[1, 2]' };
    expect(mend({ name: 'mcp__db__find', arguments: args }, mcp)).toMatchObject({
      status: 'mended',
      input: { ids: [1, 2], filter: { a: [1] }, note: '[1, 2]' },
    });
  });

  it('C11 a schema whose required names no property is caught when the tool is added', () => {
    const input = { type: 'object', properties: { a: string }, required: ['a', 'b'] };
    expect(() => new Toolbox([tool({ name: 'x', description: 'X', inputSchema: input })])).toThrow(/required/);
  });

  it('C14 MCP tools are always checked, against their own schema', () => {
    const inputSchema = {
      type: 'object',
      properties: { n: { type: 'integer', minimum: 1, maximum: 5 }, code: { type: 'string', pattern: '^[A-Z]{3}$' } },
      required: ['n'],
    };
    const mcp = new Toolbox([toolFromMcp({ name: 'mcp__a__b', description: 'B', inputSchema })]);
    const codes = (args: unknown) => mend({ name: 'mcp__a__b', arguments: args }, mcp).problems.map(({ code }) => code);
    expect(codes({})).toEqual(['required']);
    expect(codes({ n: 9, code: 'abc' })).toEqual(['maximum', 'pattern']);
    expect(codes({ n: 2, code: 'ABC' })).toEqual([]);
  });

  it('C16 bad list items are refused, not dropped', () => {
    const edits = [{ find: 'a', replace: 'b' }, { find: 'c' }, 'garbage'];
    const outcome = bad({ name: 'edit', arguments: { path: 'a', edits } });
    expect(outcome.problems.map(({ path }) => path.join('.'))).toEqual(['edits.1.replace', 'edits.2']);
    expect(outcome.input).toEqual({ path: 'a', edits });
    expect(mendValue('[1, "x", 3]', z.array(z.number()))).toMatchObject({ status: 'invalid' });
    expect(withMending(z.array(z.number()))['~standard'].validate([1, 'x', 3])).toHaveProperty('issues');
  });

  it('guard: C30 a path gets no control characters, and no list ends where its text was truncated', () => {
    expect(bad({ name: 'edit', arguments: '{"path": "C:\\dir\\new", "edits": []}' }).errorType).toBe('validation');
    const cut = '{"path": "a", "edits": [{"find": "a", "replace": "b"}, {"find": "c"';
    expect(bad({ name: 'edit', arguments: cut }).errorType).toBe('truncated');
  });
});
