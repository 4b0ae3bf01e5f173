import { describe, expect, it } from 'vitest';
import type { TurnRequest } from '../../model/index.ts';
import type { LoweringTarget } from './lowering-target.ts';
import type { Fitting } from './schema/state.ts';
import { fitSettings } from './settings.ts';

const tools: TurnRequest['tools'] = [{ type: 'function', name: 'f' }];
const bare: TurnRequest = { model: 'm', messages: [] };

function fitted(settings: Partial<TurnRequest>, target: LoweringTarget = 'anthropic') {
  const told: Fitting[] = [];
  const { model: _, messages: __, ...sent } = fitSettings({ ...bare, ...settings }, target, told);
  return { sent, told: told.map(({ where, kind }) => `${where} ${kind}`) };
}

describe('settings that a provider refuses together', () => {
  it.each<[string, Partial<TurnRequest>, Partial<TurnRequest>, string[]]>([
    [
      'a choice without tools',
      { toolChoice: 'auto', parallelCalls: false, tools: [] },
      { tools: [] },
      ['toolChoice dropped', 'parallelCalls dropped'],
    ],
    [
      'thinking before a call that must be',
      { tools, toolChoice: 'required', reasoning: { enabled: true, effort: 'low' }, temperature: 0.5 },
      { tools, toolChoice: 'required', temperature: 0.5 },
      ['reasoning dropped'],
    ],
    [
      'a temperature for one that thinks',
      { reasoning: { enabled: true }, temperature: 0.5, topP: 0.5 },
      { reasoning: { enabled: true } },
      ['temperature dropped', 'topP dropped'],
    ],
    [
      'a budget that is all there is',
      { reasoning: { enabled: true, budget: 8000 }, maxTokens: 4000 },
      { reasoning: { enabled: true, budget: 3999 }, maxTokens: 4000 },
      ['reasoning rewritten'],
    ],
    [
      'a budget too small',
      { reasoning: { enabled: true, budget: 100 } },
      { reasoning: { enabled: true, budget: 1024 } },
      ['reasoning rewritten'],
    ],
    [
      'no room at all',
      { reasoning: { enabled: true, budget: 100 }, maxTokens: 50 },
      { maxTokens: 50 },
      ['reasoning dropped'],
    ],
  ])('%s', (_, given, sent, told) => {
    expect(fitted(given)).toEqual({ sent, told });
    expect(fitted(sent)).toEqual({ sent, told: [] });
  });
});

describe('settings that it takes', () => {
  const thought = { enabled: true, budget: 2000 };
  it.each<[string, Partial<TurnRequest>, LoweringTarget]>([
    ['a choice among tools, without thinking', { tools, toolChoice: { tool: 'f' }, temperature: 0.1 }, 'anthropic'],
    ['thinking with a free choice', { tools, toolChoice: 'auto', reasoning: thought, temperature: 1 }, 'anthropic'],
    [
      'an effort alone, with a call that must be',
      {
        tools,
        toolChoice: 'required',
        temperature: 0.5,
        reasoning: { enabled: true, effort: 'low', passthrough: { format: 'anthropic', fields: {} } },
      },
      'anthropic',
    ],
    ['the same of another provider', { tools, toolChoice: 'required', reasoning: thought, temperature: 0.5 }, 'openai'],
    ['a choice without tools, for a local server', { toolChoice: 'none', tools: [] }, 'plain'],
  ])('stay: %s', (_, given, target) => {
    const request = { ...bare, ...given };
    expect(fitSettings(request, target, [])).toBe(request);
  });
});
