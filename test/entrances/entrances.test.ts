/** S4.7 One table, every entrance: the same outcome, the same input to the tool, the same words to the model. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { repairKinds } from '../../src/json/repair.ts';
import type { ErrorType } from '../../src/mend/outcome.ts';
import { caseClasses } from './cases.ts';
import { plannedCell, triedCell } from './cell.ts';
import type { OpenEntrance } from './entrance.ts';
import { entrances } from './entrances.ts';
import { tableOf } from './table.ts';
import { wanted } from './wanted.ts';

const all = caseClasses.flatMap(({ name: kind, cases }) =>
  cases.map((one) => [`${['S4.7', ...(one.rows ?? [])].join(' ')} ${kind}: ${one.name}`, one] as const),
);

describe.each(entrances.map((entrance) => [entrance.name, entrance] as const))('through the %s', (_, entrance) => {
  let open: OpenEntrance;
  beforeAll(async () => {
    open = await entrance.open();
  });
  afterAll(() => open?.close());

  const tried = all.filter(([, one]) => plannedCell(entrance, one).type !== 'cannot');
  it.each(tried)('%s', async (_, one) => {
    expect(await triedCell(entrance, open, one)).toEqual(plannedCell(entrance, one));
  });
});

describe('the table', () => {
  const expected = all.flatMap(([, { expect: each }]) => each);

  it.each(all)('%s says what it should in the library', (_, one) => {
    const words = wanted(one).map(({ feedback = '' }) => feedback);
    one.expect.forEach((each, at) => {
      if (each.is === 'invalid') expect(words[at]).toContain(each.says);
    });
  });

  it('has every type of error', () => {
    const types: Record<ErrorType, true> = {
      validation: true,
      unknown_tool: true,
      truncated: true,
      denied: true,
      timeout: true,
      aborted: true,
      runtime: true,
      logical: true,
    };
    const found = new Set(expected.flatMap((each) => ('errorType' in each ? each.errorType : [])));
    expect([...found].toSorted()).toEqual(Object.keys(types).toSorted());
  });

  it('has every kind of repair', () => {
    const found = new Set<string>(expected.flatMap((each) => ('repairs' in each && each.repairs ? each.repairs : [])));
    // That a call was written as text, or merged with others, is recorded, and no repair of it.
    const kinds = Object.keys(repairKinds).filter((kind) => kind !== 'text' && kind !== 'split');
    expect([...found].toSorted()).toEqual(kinds.toSorted());
  });

  it('S4.1 has missing fields at every entry point', () => {
    const missing = all.map(([, one]) => one).filter(({ rows = [] }) => rows.includes('S4.1'));
    expect(missing.length).toBeGreaterThan(3);
    for (const entrance of entrances)
      for (const one of missing) expect(plannedCell(entrance, one)).toEqual({ type: 'same' });
  });

  it('has distinct cases', () => {
    expect(new Set(all.map(([name]) => name)).size).toBe(all.length);
  });

  it('equals the table in the docs', () => {
    const page = readFileSync(join(import.meta.dirname, '../../docs/bench/conformance.md'), 'utf8');
    const written = /<!-- entrances -->\n(.*)\n<!-- \/entrances -->/s.exec(page)?.[1];
    expect(written).toBe(tableOf(caseClasses, entrances, plannedCell));
  });
});
