import { describe, expect, it } from 'vitest';
import { mend } from '../../src/mend/mend.ts';
import { tool } from '../../src/tools/tool.ts';
import { type McpAnnotations, toolFromMcp } from '../../src/tools/tool-from-mcp.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import { closed, integer, mendWith, string, strings, told } from './mend-with.ts';

const schema = closed({ path: string, n: integer, list: strings }, ['path']);

it('Effects: write and once are the defaults', () => {
  expect(tool({ name: 'a', description: 'A' })).toMatchObject({ effect: 'write', repeat: 'once' });
});

it.each<[string, McpAnnotations, boolean, string]>([
  ['destructiveHint: true makes a tool destructive', { destructiveHint: true }, false, 'destructive'],
  ['readOnlyHint counts for trusted servers', { readOnlyHint: true }, true, 'read'],
  ['readOnlyHint counts for no other', { readOnlyHint: true }, false, 'write'],
  ['destructiveHint: false weakens nothing', { destructiveHint: false }, false, 'write'],
])('Effects: MCP annotations: %s', (_, annotations, trusted, effect) => {
  expect(toolFromMcp({ name: 'a', description: 'A', annotations }, { trusted }).effect).toBe(effect);
});

describe('Effects: Destructive tools take lossless repairs only', () => {
  it.each([
    ['a trailing comma', '{"path": "x",}'],
    ['quotes', "{'path': 'x'}"],
    ['bare keys', '{path: "x"}'],
    ['a fence', '```json\n{"path": "x"}\n```'],
    ['a comment', '{\n  // that one\n  "path": "x"\n}'],
    ['an extra closer', '{"path": "x"}}'],
    ['double encoding', '"{\\"path\\": \\"x\\"}"'],
    ['the same object twice', '{"path": "x"} {"path": "x"}'],
  ])('Effects: taken: %s', (_, text) => {
    expect(mendWith(schema, text, { effect: 'destructive' })).toMatchObject({ status: 'mended', input: { path: 'x' } });
  });

  it.each([
    ['a type', '{"path": "x", "n": "5"}'],
    ['a list', '{"path": "x", "list": "a"}'],
    ['a key', '{"PATH": "x"}'],
    ['a dropped key', '{"path": "x", "zzzzzz": 1}'],
    ['a removed null', '{"path": "x", "n": null}'],
    ['a wrapper', '{"arguments": {"path": "x"}}'],
    ['a missing closer', '{"path": "x"'],
    ['inner quotes', '{"path": "the "x" file"}'],
    ['lines', 'path: x'],
  ])('Effects: refused: %s, and taken with minCertainty: inferred, or by a tool that writes', (_, text) => {
    const outcome = mendWith(schema, text, { effect: 'destructive' });
    expect(outcome).toMatchObject({ status: 'invalid', errorType: 'validation' });
    expect(outcome.problems.length).toBeGreaterThan(0);
    expect(mendWith(schema, text, { effect: 'destructive', minCertainty: 'inferred' }).status).toBe('mended');
    expect(mendWith(schema, text, { effect: 'write' }).status).toBe('mended');
  });

  it("Effects: a name's case, separators or known prefix is lossless, so it is taken", () => {
    const toolbox = new Toolbox([
      tool({ name: 'drop_table', description: 'D', inputSchema: schema, effect: 'destructive' }),
    ]);
    for (const name of ['DropTable', 'functions.drop_table', 'drop-table'])
      expect(told(mend({ name, arguments: { path: 'x' } }, toolbox))).toMatchObject({ repairs: ['name lossless'] });
  });

  it('Effects: a toolbox or a call can make it stricter, never looser', () => {
    const loose = mendWith(
      schema,
      { path: 'x', n: '5' },
      { effect: 'destructive', policy: { minCertainty: 'inferred' } },
    );
    expect(loose.status).toBe('invalid');
    const strict = mendWith(
      schema,
      { path: 'x', n: '5' },
      { effect: 'destructive', minCertainty: 'inferred', policy: { minCertainty: 'lossless' } },
    );
    expect(strict.status).toBe('invalid');
  });
});
