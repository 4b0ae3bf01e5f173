import { describe, expect, it } from 'vitest';
import { foldKey, foldMember } from './fold-key.ts';
import { memberLike } from './scalars.ts';

it('foldKey takes case, _ and - off, and nothing else', () => {
  for (const key of ['userName', 'user_name', 'USER-NAME', 'UserName_']) expect(foldKey(key)).toBe('username');
  for (const key of ['user name', 'user.name', 'usernäme', 'username1']) expect(foldKey(key)).not.toBe('username');
});

describe('foldMember', () => {
  it.each([
    ['Read Only', 'read_only'],
    ['READ-ONLY', 'readonly'],
    [' red ', 'RED'],
    ['v 2', 'v2'],
  ])('%j is like %j', (a, b) => expect(foldMember(a)).toBe(foldMember(b)));

  it.each([
    ['1', '-1'],
    ['10', '1-0'],
    ['12', '1_2'],
    ['1 0', '10'],
    ['1.5', '15'],
    ['a', 'b'],
  ])('%j is not like %j', (a, b) => expect(foldMember(a)).not.toBe(foldMember(b)));
});

describe('memberLike', () => {
  it('finds the one member, of whatever type', () => {
    expect(memberLike('Dark Red', ['dark_red', 'blue'])).toEqual({ member: 'dark_red' });
    expect(memberLike('2', [1, 2])).toEqual({ member: 2 });
    expect(memberLike(2, ['1', '2'])).toEqual({ member: '2' });
    expect(memberLike('TRUE', [true, 'auto'])).toEqual({ member: true });
  });

  it('finds none where two fit, none fits or nothing is left', () => {
    expect(memberLike('A B', ['a-b', 'a_b'])).toBeUndefined();
    expect(memberLike('purple', ['red'])).toBeUndefined();
    expect(memberLike('  ', ['', 'a'])).toBeUndefined();
    expect(memberLike(['red'], ['red'])).toBeUndefined();
    expect(memberLike('null', [null, 'a'])).toBeUndefined();
  });
});
