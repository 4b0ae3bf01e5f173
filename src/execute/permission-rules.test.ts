import { describe, expect, it } from 'vitest';
import { growthOf } from '../../test/cpu-of.ts';
import { tool } from '../tools/tool.ts';
import { permissions } from './permission-rules.ts';

const call = (name: string, input: unknown = {}, effect: 'read' | 'write' | 'destructive' = 'write') => ({
  callId: 'c',
  name,
  input,
  tool: tool({ name, description: name, effect }),
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

  it.each([
    ['a list item without the argument', { edits: [{ path: 'src/a' }, {}] }],
    ['a list item that is a text', { edits: [{ path: 'src/a' }, 'src/b'] }],
    ['a list item that is null', { edits: [{ path: 'src/a' }, null] }],
    ['an argument that is no list', { edits: 'src/a' }],
    ['a list in a list', { edits: [[{ path: 'src/a' }]] }],
  ])('a rule that allows needs every item to have the argument and match: %s', (_, input) => {
    expect(permissions({ mode: 'ask', allow: ['edit(edits.*.path=src/*)'] }).decide(call('edit', input)).type).toBe(
      'ask',
    );
    expect(permissions({ mode: 'ask', allow: ['edit(edits.*.path=*)'] }).decide(call('edit', input)).type).toBe('ask');
  });

  it.each([
    ['edit(edits.*.path=*.env)', { edits: [{ path: 'a' }, {}, { path: 'b.env' }] }],
    ['edit(edits.*.path=*.env)', { edits: ['a', 'b.env'] }],
    ['edit(edits.*.path=*.env)', { edits: { path: 'b.env' } }],
    ['edit(edits.path=*.env)', { edits: [{ path: 'b.env' }] }],
    ['edit(paths=*.env)', { paths: ['a', 'b.env'] }],
    ['edit(path=*.env)', { path: { from: 'b.env' } }],
  ])('a rule that forbids needs one that matches, in any shape: %s %j', (rule, input) => {
    expect(permissions({ deny: [rule] }).decide(call('edit', input)).type).toBe('deny');
    expect(permissions({ ask: [rule] }).decide(call('edit', input)).type).toBe('ask');
  });

  it.each([
    'a.env',
    'a.ENV',
    'a.env ',
    'a.env.',
    'a.env/',
    'a.env/.',
    'a.env\\',
    'x/a.env/b/..',
    'a.\u200benv',
    'a.env\0',
    'a．env',
    'a%2eenv',
    '.Env',
  ])('a rule that forbids knows the spellings of a path: %j', (path) => {
    expect(permissions({ deny: ['*(path=*.env)'] }).decide(call('write', { path })).type).toBe('deny');
  });

  it.each([
    ['/etc/*', '/tmp/../etc/passwd'],
    ['/etc/*', '//etc/./passwd'],
    ['C:\\Windows\\*', 'c:/windows/system32'],
    ['*rm *', 'ls && rm\t-rf /'],
    ['secrets', 'Secrets/'],
  ])('a rule that forbids %s: %s', (pattern, value) => {
    expect(permissions({ deny: [`f(v=${pattern})`] }).decide(call('f', { v: value })).type).toBe('deny');
  });

  it.each(['a.envx', 'env', 'a.env/b', 'a.environment', ''])('guard: and nothing else: %j', (path) => {
    expect(permissions({ deny: ['*(path=*.env)'] }).decide(call('write', { path })).type).toBe('allow');
    expect(permissions({ deny: ['*(path=*.env)'] }).decide(call('write', {})).type).toBe('allow');
  });

  it.each([
    'git log\u2028rm x',
    'git log\u2029x',
    'git log\u0085x',
    'git log\u000bx',
    'git log\0x',
    'git log\u001b[2K',
    'git %X%',
    'git $\u007bIFS}x',
    'git $IFS',
    "git $'x'",
    'git log\u200b',
    'git log\u202ex',
    'git log\ud800',
    'GIT log',
  ])('a star lets no hidden line, variable or invisible character through: %j', (command) => {
    const allow = permissions({ mode: 'ask', allow: ['shell(command=git *)'] });
    expect(allow.decide(call('shell', { command })).type).toBe('ask');
  });

  it.each(['src/%2e%2e/x', 'src/..%2fx', 'src/．．/x', 'src/.. /x', 'src/%252e/x', 'SRC/a', 'src/a\u00ad'])(
    'nor a way out of the folder: %j',
    (path) => {
      const allow = permissions({ mode: 'ask', allow: ['write(path=src/*)'] });
      expect(allow.decide(call('write', { path })).type).toBe('ask');
    },
  );

  it.each(['git log -p', 'git show HEAD^ HEAD~1', 'git grep "foo$" src/a..b', "git commit -m 'naïve 日本 100%'"])(
    'guard: plain commands pass: %j',
    (command) => {
      const allow = permissions({ mode: 'ask', allow: ['shell(command=git *)'] });
      expect(allow.decide(call('shell', { command })).type).toBe('allow');
    },
  );

  it('in linear time', () => {
    const rules = permissions({ mode: 'ask', deny: ['f(v=*.env)', 'f(v=*a*b*)'], allow: ['f(v=x *)'] });
    for (const piece of ['a/', '../', ' ', '.', '%2e', '%', '$', './ '])
      expect(
        growthOf(
          () => rules.decide(call('f', { v: `x ${piece.repeat(5000)}x` })),
          () => rules.decide(call('f', { v: `x ${piece.repeat(20_000)}x` })),
          { bar: 9, floor: 2 },
        ).ratio,
      ).toBeLessThan(9);
  });

  it.each(['', 'two words', 'f(=x)', 'f(path)', '(a=b)'])('refuses the rule %j when it is made', (rule) => {
    expect(() => permissions({ allow: [rule] })).toThrow('is invalid');
  });
});
