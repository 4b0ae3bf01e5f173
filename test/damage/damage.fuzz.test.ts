/**
 * The table of damages over all tools. `TOOLMEND_TRIES` (tries per kind and tool) and `TOOLMEND_SEED` widen or repeat it;
 * `TOOLMEND_TABLE=1` prints it.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { answer } from './answer.ts';
import { damages } from './damages.ts';
import { randomFrom } from './random.ts';
import { subjects } from './schemas.ts';
import { failureText, tableOf } from './table.ts';
import { type Row, recovery, tally } from './tally.ts';
import { valid } from './valid.ts';

const tries = Number(process.env.TOOLMEND_TRIES ?? 4);
const seed = Number(process.env.TOOLMEND_SEED ?? 1);
const rows: Row[] = [];

afterAll(() => {
  if (process.env.TOOLMEND_TABLE === '1') console.log(tableOf(rows));
});

describe('the table itself', () => {
  it('has at least 45 kinds, each with its own name, over at least 25 tools', () => {
    expect(new Set(damages.map((kind) => kind.name)).size).toBe(damages.length);
    expect(damages.length).toBeGreaterThanOrEqual(45);
    expect(subjects.length).toBeGreaterThanOrEqual(25);
  });
  it('makes valid calls', () => {
    for (const subject of subjects)
      for (let one = 0; one < 50; one += 1)
        expect(valid(subject.make(randomFrom(seed + one)), subject.inputSchema), subject.name).toBe(true);
  });
});

describe('each kind of damage', () => {
  it.each(damages.map((kind) => [kind.name, kind] as const))('%s', (_, kind) => {
    const row = tally(kind, { subjects, tries, seed, answer });
    rows.push(row);
    expect(row.trials, 'the kind must apply to something').toBeGreaterThan(0);
    const told = (verdict: string): string =>
      row.failures
        .filter((failure) => failure.verdict === verdict)
        .slice(0, 3)
        .map(failureText)
        .join('\n');
    expect(row.counts.wrong, told('wrong')).toBe(0);
    expect(row.counts.mislabelled, told('mislabelled')).toBe(0);
    expect(recovery([row]), told('missed')).toBeGreaterThanOrEqual(kind.expect === 'ok' ? 1 : 0.95);
  });
});

describe('all kinds together', () => {
  it('recovers more than 99 % of what can be recovered, and is never silently wrong', () => {
    expect(rows.length).toBe(damages.length);
    expect(rows.reduce((sum, row) => sum + row.counts.wrong, 0)).toBe(0);
    expect(recovery(rows)).toBeGreaterThan(0.99);
  });
});
