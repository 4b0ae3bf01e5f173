import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { SchemaObject } from '../../src/schema/types.ts';
import type { Definition } from '../../test/damage/definition.ts';
import { careful } from './careful.ts';
import type { Contestant } from './contestant.ts';
import { aiSdk } from './contestants/ai-sdk.ts';
import { bamlSource, memberOf } from './contestants/baml-source.ts';
import { repairAndAjv } from './contestants/jsonrepair.ts';
import { langchain } from './contestants/langchain.ts';
import { openaiAgents } from './contestants/openai-agents.ts';
import { toolmend } from './contestants/toolmend.ts';
import { typiaSchema } from './contestants/typia-schema.ts';
import { contestants } from './contestants.ts';
import { type ScriptedModel, scriptedModel } from './scripted-model.ts';
import { Untranslatable } from './untranslatable.ts';
import { verdictOf } from './verdict.ts';

const tool: Definition = {
  name: 'read_file',
  description: 'Reads a file.',
  inputSchema: {
    type: 'object',
    properties: { path: { type: 'string' }, limit: { type: 'integer' } },
    required: ['path'],
    additionalProperties: false,
  },
};
const meant = { name: 'read_file', input: { path: 'a.ts', limit: 5 }, readings: 'one' } as const;
const written = {
  good: { name: 'read_file', arguments: '{"path": "a.ts", "limit": 5}' },
  comma: { name: 'read_file', arguments: '{"path": "a.ts", "limit": 5,}' },
  text: { name: 'read_file', arguments: '{"path": "a.ts", "limit": "5"}' },
  name: { name: 'functions.read_file', arguments: '{"path": "a.ts", "limit": 5}' },
  cut: { name: 'read_file', arguments: '{"path": "a.ts", "limit": 5', finishReason: 'length' },
} as const;

let model: ScriptedModel;
beforeAll(async () => {
  // Frameworks tell the console of every call that they can't read.
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  model = await scriptedModel();
});
afterAll(() => model.close());

const withoutComma = (text: string): string => text.replace(/,(?=\s*\})/, '');
const all: readonly (readonly [string, () => Contestant, Record<keyof typeof written, string>])[] = [
  ['Toolmend', () => toolmend(), of('recovered', 'recovered', 'recovered', 'recovered')],
  ['jsonrepair', () => repairAndAjv(withoutComma, false), of('recovered', 'recovered', 'refused', 'refused')],
  [
    'jsonrepair, coercing',
    () => repairAndAjv(withoutComma, true),
    of('recovered', 'recovered', 'recovered', 'refused'),
  ],
  ['the AI SDK', () => aiSdk(model), of('recovered', 'refused', 'refused', 'refused')],
  ['the AI SDK, repairing', () => aiSdk(model, withoutComma), of('recovered', 'recovered', 'refused', 'refused')],
  ['LangChain', () => langchain(model), of('recovered', 'refused', 'refused', 'refused')],
  ['OpenAI Agents', () => openaiAgents(model, false), of('recovered', 'refused', 'wrong', 'refused')],
  ['OpenAI Agents, checking', () => openaiAgents(model, true), of('recovered', 'refused', 'refused', 'refused')],
];

function of(good: string, comma: string, text: string, name: string): Record<keyof typeof written, string> {
  return { good, comma, text, name, cut: 'refused' };
}

describe('a contestant', () => {
  it.each(all)('%s is judged by what it runs', async (_, make, expected) => {
    const contestant = make();
    const verdicts: Record<string, string> = {};
    for (const [what, call] of Object.entries(written))
      verdicts[what] = verdictOf(await contestant.answer([tool], call), meant, contestant.nullIsAbsent);
    expect(verdicts).toEqual(expected);
  });

  it('is asked strictly by a careful user where the message ended by length', () => {
    const lenient = careful(() => ({ path: 'made up' }));
    const call = { name: 'read_file', arguments: '{"path": "a.ts"}' };
    expect(lenient([tool], call)).toEqual([{ name: 'read_file', input: { path: 'made up' } }]);
    expect(lenient([tool], { ...call, finishReason: 'length' })).toEqual([
      { name: 'read_file', input: { path: 'a.ts' } },
    ]);
    expect(lenient([tool], { ...call, name: 'readFile' })).toEqual([]);
  });
});

describe('those who take part', () => {
  it('are told of where they could not be installed or loaded, and left out', async () => {
    const load = async (): Promise<never> => Promise.reject(new Error('no such package'));
    const entries = await contestants(model, { versions: {}, missing: { jsonrepair: 'npm ended with 1' }, load });
    expect(entries.flatMap((entry) => ('missing' in entry ? [[entry.name, entry.missing]] : []))).toEqual([
      ['jsonrepair + ajv', 'npm ended with 1'],
      ['jsonrepair + ajv (coercing)', 'npm ended with 1'],
      ['typia', 'Error: no such package'],
      ['BAML', 'Error: no such package'],
      ['AI SDK + jsonrepair', 'npm ended with 1'],
      ['Mastra', 'Error: no such package'],
    ]);
    expect(entries.flatMap((entry) => ('missing' in entry ? [] : [entry.name]))).toEqual([
      'Toolmend',
      'Toolmend (accept inferred)',
      'AI SDK',
      'LangChain',
      'OpenAI Agents',
      'OpenAI Agents + ajv',
    ]);
  });
});

describe('a translated schema', () => {
  const pairs: SchemaObject = { type: 'array', items: { type: 'array', prefixItems: [{ type: 'number' }] } };
  const nested: SchemaObject = {
    type: 'object',
    allOf: [{ properties: { kind: { const: 'a' }, size: { type: ['integer', 'null'] } }, required: ['kind'] }],
  };

  it("keeps what typia's schemas can say", () => {
    expect(typiaSchema(nested)).toEqual({
      type: 'object',
      properties: { kind: { type: 'string', enum: ['a'] }, size: { anyOf: [{ type: 'integer' }, { type: 'null' }] } },
      required: ['kind'],
      additionalProperties: true,
      $defs: {},
    });
  });

  it('becomes classes in BAML, whose members find back to their names', () => {
    expect(bamlSource(nested)).toContain(
      'class Input {\n  member_kind ("a") @alias("kind")\n  member_size (int | null)? @alias("size")\n}',
    );
    expect([memberOf('member_kind'), memberOf('api-key')]).toEqual(['kind', 'api-key']);
  });

  it.each([
    ['typia', typiaSchema],
    ['BAML', bamlSource],
  ])('says what can not be said in %s', (_, translate) => {
    const untranslatable: SchemaObject = { type: 'object', properties: { pairs } };
    expect(Untranslatable.of(() => translate(untranslatable))).toBe('a tuple');
    expect(Untranslatable.of(() => translate(nested))).toBeUndefined();
  });
});
