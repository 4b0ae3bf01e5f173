import { describe, expect, it } from 'vitest';
import { closestKey } from './closest-key.ts';

describe('closestKey', () => {
  it.each([
    ['filePath', ['file_path', 'file_paths'], 'file_path'],
    ['file-path', ['limit', 'file_path'], 'file_path'],
    ['pth', ['path', 'limit'], 'path'],
    ['limits', ['limit', 'offset'], 'limit'],
    ['zoom', ['path', 'limit'], undefined],
    ['ab', ['ac', 'ad'], undefined],
    ['colour', ['color', 'colours'], undefined],
    ['toString', [], undefined],
  ])('%s among %j is %s', (key, candidates, meant) => expect(closestKey(key, candidates)).toBe(meant));

  it('does not labour over long keys', () => {
    expect(closestKey('a'.repeat(100_000), ['a'.repeat(100_001)])).toBeUndefined();
  });
});
