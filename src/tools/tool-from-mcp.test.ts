import { describe, expect, it } from 'vitest';
import { toolContext } from './tool.ts';
import { type McpAnnotations, toolFromMcp } from './tool-from-mcp.ts';
import { Toolbox } from './toolbox.ts';

const inputSchema = { type: 'object', properties: { path: { type: 'string' } } };

describe('toolFromMcp', () => {
  it.each<[string, McpAnnotations | undefined, boolean, string, string]>([
    ['nothing said', undefined, true, 'write', 'once'],
    ['destructiveHint counts for strangers', { destructiveHint: true }, false, 'destructive', 'once'],
    [
      'destructiveHint goes before readOnlyHint',
      { destructiveHint: true, readOnlyHint: true },
      true,
      'destructive',
      'once',
    ],
    ['destructiveHint: false does not weaken', { destructiveHint: false }, true, 'write', 'once'],
    ['a trusted readOnlyHint', { readOnlyHint: true }, true, 'read', 'once'],
    ["a stranger's readOnlyHint", { readOnlyHint: true }, false, 'write', 'once'],
    ['a trusted idempotentHint', { idempotentHint: true }, true, 'write', 'idempotent'],
    ["a stranger's idempotentHint", { idempotentHint: true }, false, 'write', 'once'],
    ['a hint that is no boolean', { readOnlyHint: 'yes' as unknown as boolean }, true, 'write', 'once'],
  ])('%s', (_, annotations, trusted, effect, repeat) => {
    const made = toolFromMcp({ name: 'a', description: 'A', inputSchema, annotations }, { trusted });
    expect([made.effect, made.repeat]).toEqual([effect, repeat]);
  });

  it('trusts no server by default', () => {
    expect(toolFromMcp({ name: 'a', inputSchema, annotations: { readOnlyHint: true } }).effect).toBe('write');
  });

  it('keeps the schema, the title and what it has no word for', () => {
    const made = toolFromMcp({
      name: 'a',
      title: 'The A',
      inputSchema,
      outputSchema: { type: 'object' },
      _meta: { k: 1 },
    });
    expect(made.inputSchema).toBe(inputSchema);
    expect(made.description).toBe('The A');
    expect(made.metadata).toEqual({
      title: 'The A',
      customFields: { outputSchema: { type: 'object' }, _meta: { k: 1 } },
    });
  });

  it('C14 its arguments are checked against the schema it came with', () => {
    const made = toolFromMcp({ name: 'a', description: 'A', inputSchema });
    expect(new Toolbox([made]).get('a')?.schema.check({ path: 5 }).ok).toBe(false);
    expect(made.schema.check({ path: 'x' }).ok).toBe(true);
  });

  it('runs what it was given to run', () => {
    const made = toolFromMcp({ name: 'a', inputSchema }, { execute: (input) => ['ran', input] });
    expect(made.execute?.({ path: 'x' }, toolContext())).toEqual(['ran', { path: 'x' }]);
  });
});
