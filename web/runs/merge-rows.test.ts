import { describe, expect, it } from 'vitest';
import type { CallRow, RunRow } from '../../src/inspect/api.ts';
import { fits } from './fits.ts';
import { mergeRows } from './merge-rows.ts';

const call = (more: Partial<CallRow> = {}): CallRow => ({
  callId: 'c',
  name: 'read_file',
  status: 'ok',
  repairs: [],
  ...more,
});
const row = (run: string, startedAt: number, more: Partial<RunRow> = {}): RunRow => ({
  run,
  startedAt,
  updatedAt: startedAt,
  seq: 1,
  model: 'm',
  provider: 'p',
  asked: 'Read it',
  answered: '',
  turns: 1,
  calls: [],
  tokens: 0,
  ...more,
});
const ids = (rows: readonly RunRow[]): string => rows.map(({ run }) => run).join(' ');

describe('rows that come live', () => {
  const rows = [row('b', 2), row('a', 1)];

  it('stand on top, the newest first, where they are new', () => {
    const { rows: merged, added } = mergeRows(rows, [row('c', 3), row('d', 4)], {});
    expect(ids(merged)).toBe('d c b a');
    expect(added).toBe(2);
  });

  it('stay in their place where they have only changed, and never go back', () => {
    const { rows: merged, added } = mergeRows(rows, [row('a', 1, { seq: 9 }), row('b', 2, { seq: 0 })], {});
    expect(merged.map(({ run, seq }) => `${run}${seq}`).join(' ')).toBe('b1 a9');
    expect(added).toBe(0);
  });

  it('are left out where the filter does not want them, or their page has not come', () => {
    expect(ids(mergeRows(rows, [row('c', 3)], { outcome: 'mended' }).rows)).toBe('b a');
    expect(ids(mergeRows(rows, [row('0', 0)], {}).rows)).toBe('b a');
  });
});

describe('a filter', () => {
  const one = row('run_7', 1, {
    asked: 'Tidy the Garden',
    calls: [call(), call({ name: 'rake', status: 'mended', repairs: ['comma'] })],
  });

  it.each([
    [{}, true],
    [{ outcome: 'mended' }, true],
    [{ outcome: 'failed' }, false],
    [{ tool: 'rake' }, true],
    [{ tool: 'rak' }, false],
    [{ model: 'm' }, true],
    [{ model: 'n' }, false],
    [{ repair: 'comma' }, true],
    [{ repair: 'quote' }, false],
    [{ text: 'garden TIDY' }, true],
    [{ text: 'run_7' }, true],
    [{ text: 'garden shed' }, false],
    [{ outcome: 'mended', tool: 'rake', text: 'tidy' }, true],
    [{ outcome: 'mended', tool: 'read_file' }, false],
  ] as const)('%j fits: %s', (filter, expected) => {
    expect(fits(one, filter)).toBe(expected);
  });
});
