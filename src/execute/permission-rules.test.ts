import { describe, expect, it } from 'vitest';
import { tool } from '../tools/tool.ts';
import { permissions } from './permission-rules.ts';

const call = (name: string, input: unknown = {}, effect: 'read' | 'write' | 'destructive' = 'write') => ({
  ...{ callId: 'c', name, input, tool: tool({ name, description: name, effect }) },
});

describe('permissions', () => {
  it.each([
    ['auto', 'write', 'allow'],
    ['auto', 'destructive', 'allow'],
    ['ask', 'read', 'allow'],
    ['ask', 'write', 'ask'],
    ['readonly', 'read', 'allow'],
    ['readonly', 'write', 'deny'],
  ] as const)('in mode %s a tool that may %s is: %s', (mode, effect, verdict) => {
    expect(permissions({ mode }).decide(call('t', {}, effect)).type).toBe(verdict);
  });

  it('deny goes before ask, ask before allow, allow before the mode', () => {
    const rules = permissions({ mode: 'readonly', allow: ['a*'], ask: ['ab*'], deny: ['abc'] });
    expect(['a', 'ab', 'abc', 'x'].map((name) => rules.decide(call(name)).type)).toEqual([
      'allow',
      'ask',
      'deny',
      'deny',
    ]);
  });

  it('rules look at arguments, lists item by item', () => {
    const rules = permissions({ mode: 'readonly', allow: ['write(path=src/*)', 'edit(edits.*.path=src/*)'] });
    const verdicts = [
      call('write', { path: 'src/a.ts' }),
      call('write', { path: 'etc/a' }),
      call('write', {}),
      call('edit', { edits: [{ path: 'src/a' }, { path: 'src/b' }] }),
      call('edit', { edits: [{ path: 'src/a' }, { path: 'etc/b' }] }),
      call('edit', { edits: [] }),
    ].map((one) => rules.decide(one).type);
    expect(verdicts).toEqual(['allow', 'deny', 'deny', 'allow', 'deny', 'deny']);
  });

  it('a star lets no second command and no way out of the folder through, but forbids them', () => {
    const allow = permissions({ mode: 'readonly', allow: ['shell(command=git *)', 'write(path=/tmp/*)'] });
    for (const command of [
      'git log; rm -rf /',
      'git log && x',
      'git $(x)',
      'git log\nrm x',
      'git `x`',
      'git log > x',
    ]) {
      expect(allow.decide(call('shell', { command })).type).toBe('deny');
    }
    expect(allow.decide(call('shell', { command: 'git log -p' })).type).toBe('allow');
    expect(allow.decide(call('write', { path: '/tmp/../etc/passwd' })).type).toBe('deny');
    const deny = permissions({ deny: ['shell(command=*rm *)'] });
    expect(deny.decide(call('shell', { command: 'ls; rm -rf /' })).type).toBe('deny');
  });

  it.each(['', 'two words', 'f(=x)', 'f(path)', '(a=b)'])('refuses the rule %j when it is made', (rule) => {
    expect(() => permissions({ allow: [rule] })).toThrow('is invalid');
  });
});
