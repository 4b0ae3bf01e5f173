import { describe, expect, it } from 'vitest';
import { exposedNames, wantedName } from './exposed-names.ts';

const of = (server: string, ...names: (string | [own: string, wanted: string])[]) =>
  names.map((name) => (typeof name === 'string' ? { server, own: name } : { server, own: name[0], wanted: name[1] }));
const names = (...all: ReturnType<typeof of>): string[] => [...exposedNames(all).keys()].sort();

describe('outwardNames', () => {
  it.each([
    ['names stay what they are', of('a', 'read', 'write'), of('b', 'search'), ['read', 'search', 'write']],
    ['the same name bears its server, both times', of('a', 'search'), of('b', 'search'), ['a__search', 'b__search']],
    ['so do names that models confuse', of('a', 'readFile'), of('b', 'read_file'), ['a__readFile', 'b__read_file']],
    ['within one server nothing bears it', of('a', 'x', 'x'), of('b', 'y'), ['x', 'y']],
    ['a chosen name is taken as it is', of('a', ['search', 'find']), of('b', 'search'), ['find', 'search']],
    [
      'what is like a chosen name bears its server',
      of('a', ['x', 'search']),
      of('b', 'search'),
      ['b__search', 'search'],
    ],
    ['of two that are chosen alike one keeps it', of('a', ['x', 'find']), of('b', ['y', 'Find']), ['b__y', 'find']],
  ])('%s', (_, one, other, expected) => {
    expect(names(...one, ...other)).toEqual(expected);
  });

  it.each([
    ['a literal name', 'c__search'],
    ['one that only looks like it', 'CSearch'],
  ])('%s does not take the place of a prefixed one, in any order', (_, literal) => {
    const servers = [of('b', literal), of('a', 'search'), of('c', 'search')];
    for (const order of [servers, servers.toReversed(), [...servers.slice(1), ...servers.slice(0, 1)]]) {
      const outward = exposedNames(order.flat());
      expect(outward.get('c__search')?.server).toBe('c');
      expect(outward.get('a__search')?.server).toBe('a');
      expect(outward.get(`b__${literal}`)?.server).toBe('b');
    }
  });

  it('a prefix belongs to its server, whether or not that has such a tool', () => {
    expect(names(...of('a', 'x'), ...of('b', 'a__y', 'b__z', 'other__y'))).toEqual([
      'b__a__y',
      'b__z',
      'other__y',
      'x',
    ]);
  });

  it.each([
    ['the same name', [{ server: 'a', own: 'search', name: 'search' }], of('b', 'search'), { b__search: 'b' }],
    ['a similar name', [{ server: 'a', own: 'search', name: 'search' }], of('b', 'Search'), { b__Search: 'b' }],
    [
      'a name with a prefix',
      [{ server: 'a', own: 'search', name: 'a__search' }],
      of('a', 'search'),
      { a__search: 'a' },
    ],
    [
      'the name of a server that is gone',
      [{ server: 'x', own: 'search', name: 'search' }],
      of('b', 'search'),
      {
        search: 'b',
      },
    ],
  ])('%s that was exposed earlier stays with its tool, even if that is not listed', (_, given, tools, expected) => {
    const outward = exposedNames(tools, { given, servers: ['a', 'b'] });
    expect(Object.fromEntries([...outward].map(([name, { server }]) => [name, server]))).toEqual(expected);
  });

  it('a tool that is not accepted changes no other name', () => {
    const outward = exposedNames([{ server: 'a', own: 'search', accepted: false }, ...of('b', 'search')]);
    expect([...outward].map(([name, { server }]) => [name, server])).toEqual([
      ['a__search', 'a'],
      ['search', 'b'],
    ]);
  });

  it('a taken prefixed name gets a number', () => {
    const given = [{ server: 'b', own: 'asearch', name: 'asearch' }];
    const outward = exposedNames([...of('a', 'search'), ...of('b', 'search', 'asearch')], { given });
    expect([...outward.keys()]).toEqual(['a__search_2', 'b__search', 'asearch']);
  });
});

describe('wantedName', () => {
  it('a new name goes before a prefix, and own properties alone count', () => {
    const config = { rename: { a: 'b' }, prefix: 'p_' };
    expect([wantedName('a', config), wantedName('c', config), wantedName('toString', { rename: {} })]).toEqual([
      'b',
      'p_c',
      undefined,
    ]);
  });
});
