import { describe, expect, it } from 'vitest';
import { defaultLimits } from '../json/limits.ts';
import { resolvePolicy } from './resolve-policy.ts';
import type { Effect, Policy } from './tool.ts';

const asked = (
  effect: Effect = 'write',
  more: { name?: string; minCertainty?: 'lossless' | 'inferred'; policy?: Policy } = {},
) => ({
  name: 'mcp__github__search',
  effect,
  ...more,
});

describe('S0.3 checks by name and prefix', () => {
  it('S0.3 every tool is checked by default, MCP tools too', () => {
    expect(resolvePolicy({}, asked())).toEqual({ check: true, minCertainty: 'inferred', limits: defaultLimits });
  });

  it('S0.3 a prefix switches the check off for its tools alone', () => {
    const policy = { tools: { 'mcp__*': { check: false } } };
    expect(resolvePolicy(policy, asked()).check).toBe(false);
    expect(resolvePolicy(policy, asked('write', { name: 'read_file' })).check).toBe(true);
  });

  it.each([
    [
      'a whole name goes before a pattern',
      { mcp__github__search: { check: true }, 'mcp__*__search': { check: false } },
      true,
    ],
    ['more letters go before fewer', { 'mcp__github__*': { check: true }, 'mcp__*': { check: false } }, true],
    ['of equal length the later', { 'mcp_*': { check: false }, '*arch': { check: true } }, true],
    ['stars in the middle', { 'mcp__*__se*ch': { check: false } }, false],
    ['pieces may not overlap', { 'mcp__github__search*search': { check: false } }, true],
    ['a star alone is every tool', { '*': { check: false } }, false],
  ])('S0.3 %s', (_, tools, check) => {
    expect(resolvePolicy({ tools }, asked()).check).toBe(check);
  });

  it('S0.3 of toolbox, tool and call the stricter wins', () => {
    const toolbox = { check: false, tools: { '*': { check: false } } };
    expect(resolvePolicy(toolbox, asked()).check).toBe(false);
    expect(resolvePolicy(toolbox, asked('write', { policy: { check: true } })).check).toBe(true);
    expect(resolvePolicy(toolbox, asked('write', { policy: { check: true } }), { check: false }).check).toBe(true);
    expect(resolvePolicy({ check: true }, asked('write', { policy: { check: false } })).check).toBe(true);
    expect(resolvePolicy({}, asked('write', { policy: { check: false } })).check).toBe(false);
  });

  it('S0.3 does not find inherited names on the prototype', () => {
    expect(resolvePolicy({ tools: {} }, asked('write', { name: 'toString' })).check).toBe(true);
  });
});

describe('what is accepted', () => {
  it.each([
    ['read takes inferred', asked('read'), {}, {}, 'inferred'],
    ['a toolbox may ask for lossless', asked('read'), { minCertainty: 'lossless' }, {}, 'lossless'],
    ['destructive takes lossless only', asked('destructive'), {}, {}, 'lossless'],
    ['no toolbox loosens a destructive tool', asked('destructive'), { minCertainty: 'inferred' }, {}, 'lossless'],
    ['no call loosens a destructive tool', asked('destructive'), {}, { minCertainty: 'inferred' }, 'lossless'],
    ['the destructive tool itself may', asked('destructive', { minCertainty: 'inferred' }), {}, {}, 'inferred'],
    ['by its policy too', asked('destructive', { policy: { minCertainty: 'inferred' } }), {}, {}, 'inferred'],
    [
      'a toolbox is stricter than a tool',
      asked('read', { minCertainty: 'inferred' }),
      { minCertainty: 'lossless' },
      {},
      'lossless',
    ],
    ['and than a call', asked('read'), { minCertainty: 'lossless' }, { minCertainty: 'inferred' }, 'lossless'],
    [
      'but for the exceptions of its own',
      asked('read'),
      { minCertainty: 'lossless', tools: { 'mcp__*': { minCertainty: 'inferred' } } },
      {},
      'inferred',
    ],
    [
      'a call may still be stricter',
      asked('destructive', { minCertainty: 'inferred' }),
      {},
      { minCertainty: 'lossless' },
      'lossless',
    ],
  ] as const)('%s', (_, tool, toolbox, call, minCertainty) => {
    expect(resolvePolicy(toolbox, tool, call).minCertainty).toBe(minCertainty);
  });

  it('limits are answered one by one', () => {
    const tool = asked('read', { policy: { limits: { depth: 5 } } });
    const limits = resolvePolicy({ limits: { depth: 9, keys: 7 } }, tool, { limits: { size: 3 } }).limits;
    expect(limits).toEqual({ depth: 5, size: 3, keys: 7 });
    expect(resolvePolicy({ limits: { depth: 4 } }, tool).limits.depth).toBe(4);
  });
});
