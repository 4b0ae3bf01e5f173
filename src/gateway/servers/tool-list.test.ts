import { describe, expect, it } from 'vitest';
import { exposedNames, wantedName } from './tool-list.ts';

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
    ['of two that are chosen alike the first counts', of('a', ['x', 'find']), of('b', ['y', 'Find']), ['find']],
  ])('%s', (_, one, other, expected) => {
    expect(names(...one, ...other)).toEqual(expected);
  });

  it('a name that is like a prefixed one does not take its place', () => {
    const outward = exposedNames([...of('a', 'search'), ...of('b', 'search'), ...of('c', 'a__search')]);
    expect(outward.get('a__search')?.server).toBe('a');
    expect(outward.size).toBe(2);
  });
});

describe('wantedName', () => {
  it('a new name goes before a prefix, and own properties alone count', () => {
    const config = { rename: { a: 'b' }, prefix: 'p_' };
    expect([wantedName('a', config), wantedName('c', config), wantedName('toString', { rename: {} })]).toEqual([
      ...['b', 'p_c', undefined],
    ]);
  });
});
