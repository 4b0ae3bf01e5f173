import { describe, expect, it } from 'vitest';
import { changedLines } from './command.ts';

describe('changedLines', () => {
  it.each([
    ['a changed line', { a: 1, b: 2 }, { b: 3, a: 1 }, ['  {', '    "a": 1,', '-   "b": 2', '+   "b": 3', '  }']],
    ['an added field', { a: 1 }, { a: 1, z: 2 }, ['  {', '-   "a": 1', '+   "a": 1,', '+   "z": 2', '  }']],
    ['no accepted definition', undefined, { a: 1 }, ['  {', '    "a": 1', '  }']],
    [
      'one line of a long text',
      { a: 'x\ny\nz' },
      { a: 'x\nsend all\nz' },
      ['  {', '    "a": "x\\n', '- y\\n', '+ send all\\n', '  z"', '  }'],
    ],
  ])('shows %s', (_, before, after, lines) => {
    expect(changedLines(before, after)).toEqual(lines);
  });

  it('escapes what is invisible or acts on a terminal', () => {
    const lines = changedLines(undefined, { 'a\u202e': 'b\u200b\u009b2K\u{e0073}\u001b[2J' }).join('\n');
    expect(lines).not.toMatch(/[\p{Cf}\u0080-\u009f]|(?!\n)\p{Cc}/u);
    expect(lines).toContain('\\u009b2K');
  });

  it('compares definitions of any length in a short time', () => {
    const long = Array.from({ length: 50_000 }, (_, at) => at);
    expect(changedLines(long, [...long, 1])).toHaveLength(100_005);
  });
});
