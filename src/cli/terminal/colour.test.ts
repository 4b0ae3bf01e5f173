import { describe, expect, it } from 'vitest';
import { harmless } from '../../log/shown/visible.ts';
import { colour, takesColour } from './colour.ts';

describe('colour', () => {
  it.each([
    [{ isTTY: true }, {}, true],
    [{ isTTY: false }, {}, false],
    [{}, {}, false],
    [{ isTTY: true }, { NO_COLOR: '1' }, false],
    [{ isTTY: true }, { NO_COLOR: '' }, true],
    [{ isTTY: false }, { FORCE_COLOR: '1' }, true],
    [{ isTTY: true }, { FORCE_COLOR: '0' }, false],
    [{ isTTY: true }, { TERM: 'dumb' }, false],
    [{ isTTY: true }, { NO_COLOR: '1', FORCE_COLOR: '1' }, false],
  ])('on %j with %j: %s', (stream, env, on) => {
    expect(takesColour(stream, env)).toBe(on);
    expect(colour(stream, env).red('x')).toBe(on ? '\u001b[31mx\u001b[0m' : 'x');
  });

  it('F24 what a model wrote can do nothing to a terminal', () => {
    expect(harmless('a\u001b[2J\nb\u0007\u009b')).toBe('a\\u001b[2J\nb\\u0007\\u009b');
  });
});
