import { expect, it } from 'vitest';
import { memoryStore } from '../../../src/log/memory-store.ts';
import { until } from '../../until.ts';
import { manyRuns } from '../many-runs.ts';
import type { Theatre } from '../theatre.ts';

export function manySuite({ stage, open }: Theatre): void {
  it('stay fast: few rows in the document, and every run within reach', async () => {
    const store = memoryStore();
    const { runs, events } = await manyRuns(store, 100_000);
    expect(events).toBeGreaterThanOrEqual(100_000);
    const set = await stage({ store });
    const page = await open(set);
    await page.locator('.run-line').first().waitFor();
    await until(async () =>
      (await page.locator('.view-head').innerText()).includes(`${runs.toLocaleString('en')} runs`),
    );
    const drawn = () => page.locator('.run-line').count();
    expect(await drawn()).toBeLessThan(60);
    // On and on to the end, page by page.
    const last = page.locator('.run-line', { hasText: 'Question 0 ' });
    const list = page.locator('.run-list');
    await until(async () => {
      await list.evaluate((box) => box.scrollTo(0, box.scrollHeight));
      return (await last.count()) === 1;
    });
    expect(await drawn()).toBeLessThan(60);
    await page.getByRole('combobox', { name: 'Outcome' }).selectOption('invalid');
    await until(async () => (await page.locator('.view-head').innerText()).includes('found'));
    expect(await drawn()).toBeLessThan(60);
  });

  it('of one run show the latest, and more on demand', async () => {
    const set = await stage();
    const turns = 900;
    await set.store.append(
      Array.from({ length: turns }, (_, index) => ({
        type: 'turn.requested' as const,
        turn: index + 1,
        run: 'run_long',
        seq: index + 1,
        at: 1000 + index,
      })),
    );
    const page = await open(set, '#/runs/run_long');
    await page.getByRole('heading', { name: `Turn ${turns}`, exact: true }).waitFor();
    expect(await page.locator('.entry').count()).toBe(200);
    await page.getByRole('button', { name: /Show 200 of 700 earlier steps/ }).click();
    await until(async () => (await page.locator('.entry').count()) === 400);
  });
}
