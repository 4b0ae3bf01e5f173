import { describe, expect, it } from 'vitest';
import type { ToolSpec } from '../../src/model/index.ts';
import { fitRequest as fitTo } from '../../src/provider/compat/fit-request.ts';
import type { LoweringTarget } from '../../src/provider/compat/lowering-target.ts';
import { lowerSchema } from '../../src/provider/compat/schema/lower-schema.ts';
import type { JsonSchema } from '../../src/schema/types.ts';
import { refusals } from './refusals.ts';
import { brokenSchemas } from './schemas.ts';

// Under its own name it would read as a focused test to the linter.

const targets: LoweringTarget[] = [
  ...(['openai', 'openai-strict', 'anthropic', 'anthropic-strict', 'gemini', 'gemini-openapi', 'plain'] as const),
];
const nameRules: Partial<Record<LoweringTarget, RegExp>> = {
  openai: /^[a-zA-Z0-9_-]{1,64}$/,
  'openai-strict': /^[a-zA-Z0-9_-]{1,64}$/,
  anthropic: /^[a-zA-Z0-9_-]{1,128}$/,
  gemini: /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/,
  plain: /^[a-zA-Z0-9_-]{1,64}$/,
};
const asked = (name: string, schema: JsonSchema) => ({
  model: 'm',
  messages: [],
  tools: [{ type: 'function', name, schema } as ToolSpec],
});

/** Words whose loss would be nobody's: they say nothing of a value, or only where others stand. */
const structure = new Set(
  '$schema $defs definitions $ref type properties required items prefixItems anyOf oneOf allOf additionalItems nullable if then else title'.split(
    ' ',
  ),
);

/** Each word of a schema that asks something, with what it asks. */
function* asking(node: unknown, depth = 0): Generator<readonly [string, unknown]> {
  if (typeof node !== 'object' || node === null || depth > 20) return;
  if (Array.isArray(node)) {
    for (const one of node) yield* asking(one, depth + 1);
    return;
  }
  for (const [word, held] of Object.entries(node)) {
    if (word === 'properties' || word === '$defs' || word === 'definitions')
      for (const sub of Object.values(held ?? {})) yield* asking(sub, depth + 1);
    else if (structure.has(word)) yield* asking(held, depth + 1);
    else if (held !== null) yield [word, held];
  }
}

/** How what a word asks would stand in a lowered schema, or in a description of it. */
const texts = (held: unknown): string[] => {
  if (typeof held === 'object' && !Array.isArray(held)) return [JSON.stringify(held)];
  return [held].flat().map((one) => JSON.stringify(String(one)).slice(1, -1));
};

describe('schemas that broke people', () => {
  it('are at least thirty, and each is refused by somebody as it is', () => {
    expect(brokenSchemas.length).toBeGreaterThan(30);
    const harmless = brokenSchemas.filter(({ name = 'tool', schema }) =>
      targets.every((target) => refusals(schema, target).length === 0 && nameRules[target]?.test(name) !== false),
    );
    expect(harmless).toEqual([]);
  });

  it.each(brokenSchemas)('$about', ({ name = 'tool', schema }) => {
    for (const target of targets) {
      const lowered = lowerSchema(schema as JsonSchema, target);
      expect({ target, refused: refusals(lowered.schema, target) }).toEqual({ target, refused: [] });
      if (lowered.changes.length === 0) expect({ target, schema: lowered.schema }).toEqual({ target, schema });
      const takesAll = target === 'openai' || target === 'anthropic';
      // Who takes every word loses none.
      if (takesAll && refusals(schema, target).length === 0)
        expect(lowered.changes.filter(({ kind }) => kind === 'dropped')).toEqual([]);
      const whole = JSON.stringify(lowered.schema);
      for (const [word, held] of asking(schema)) {
        const told = lowered.changes.some((change) => change.word === word);
        expect({ target, word, kept: told || texts(held).every((one) => whole.includes(one)) }).toEqual({
          target,
          word,
          kept: true,
        });
      }
      const [sent] = fitTo(asked(name, schema as JsonSchema), target).request.tools as ToolSpec[];
      expect(sent?.name).toMatch(nameRules[target] ?? /./);
      expect(
        fitTo(asked(name, schema as JsonSchema), target).undo({
          type: 'call',
          id: 'c',
          name: sent?.name ?? '',
          arguments: {},
        }).name,
      ).toBe(name);
    }
  });
});
