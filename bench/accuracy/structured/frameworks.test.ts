import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Definition } from '../../../test/damage/definition.ts';
import { verdictOf } from '../verdict.ts';
import { frameworks } from './frameworks.ts';
import { type TextModel, textModel } from './text-model.ts';

const tool: Definition = {
  name: 'plan',
  description: 'Plans a trip.',
  inputSchema: {
    type: 'object',
    properties: { city: { type: 'string' }, days: { type: 'integer' } },
    required: ['city', 'days'],
    additionalProperties: false,
  },
};
const texts = {
  good: '{"city": "Rome", "days": 3}',
  comma: '{"city": "Rome", "days": 3,}',
  type: '{"city": "Rome", "days": "3"}',
  missing: '{"city": "Rome"}',
};

let model: TextModel;
beforeAll(async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  model = await textModel();
});
afterAll(() => model.close());

const names = frameworks({ next: () => '', close: async () => {} }).map(({ name }) => name);

describe('the structured output of a framework', () => {
  it.each(names)('of %s is judged by what it returns', async (name) => {
    const reader = frameworks(model).find((one) => one.name === name);
    const verdicts: Record<string, string> = {};
    for (const [kind, text] of Object.entries(texts)) {
      const ran = await reader?.answer([tool], { name: 'plan', arguments: text });
      verdicts[kind] = verdictOf(
        ran ?? [],
        { name: 'plan', input: JSON.parse(texts.good), readings: 'one' },
        undefined,
      );
    }
    const mended = name.endsWith('Toolmend') ? 'recovered' : 'refused';
    expect(verdicts).toEqual({ good: 'recovered', comma: mended, type: mended, missing: 'refused' });
  });
});
