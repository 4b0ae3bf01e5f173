/**
 * `npm run bench:page`: measures the inspector's page with 100,000 events: until the first rows appear, while scrolling through all of
 * them, and until a filter applies. Exits with 1 if a bar is missed.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildPage } from '../scripts/build-page.ts';
import { startInspector } from '../src/inspect/index.ts';
import { sqliteStore } from '../src/log/sqlite-store.ts';
import { openBrowser } from '../test/web/browser.ts';
import { manyRuns } from '../test/web/many-runs.ts';
import { type BenchBar, writeResult } from './bench-result.ts';

const folder = mkdtempSync(join(tmpdir(), 'toolmend-page-'));
const store = sqliteStore(join(folder, 'runs.db'));
await buildPage();
const { runs, events } = await manyRuns(store, 100_000);
console.log(`${events.toLocaleString('en')} events in ${runs.toLocaleString('en')} runs, in SQLite`);

const inspector = await startInspector({ store });
const browser = await openBrowser();
const bars: BenchBar[] = [];
const told = (what: string, value: number, unit: string, bar: number): void => {
  bars.push({ what, figure: `${value.toFixed(0)} ${unit}`, bar: `at most ${bar} ${unit}`, met: value <= bar });
  console.log(
    `${what.padEnd(44)}${value.toFixed(0).padStart(7)} ${unit}   bar ${bar}${value > bar ? '   MISSED' : ''}`,
  );
};

try {
  const page = await (await browser.newContext({ viewport: { width: 1200, height: 800 } })).newPage();
  const firstView = async (): Promise<number> => {
    const began = performance.now();
    await page.goto(inspector.url);
    await page.locator('.run-line').first().waitFor();
    return performance.now() - began;
  };
  told('first view, cold store', await firstView(), 'ms', 1000);
  told('first view again', await firstView(), 'ms', 1000);

  await page.locator('.view-head', { hasText: `${runs.toLocaleString('en')} runs` }).waitFor({ timeout: 60_000 });
  const frames = await page.evaluate<number[]>(`(async () => {
    const list = document.querySelector('.run-list');
    const gaps = [];
    let last = performance.now();
    for (let frame = 0; frame < 300; frame++) {
      list.scrollTop += 400;
      await new Promise(requestAnimationFrame);
      gaps.push(performance.now() - last);
      last = performance.now();
    }
    return gaps.sort((a, b) => a - b);
  })()`);
  told('scrolling, median frame', frames[150] ?? 0, 'ms', 20);
  told('scrolling, 95th percentile of frames', frames[285] ?? 0, 'ms', 50);

  const began = performance.now();
  await page.getByRole('combobox', { name: 'Outcome' }).selectOption('invalid');
  await page.locator('.view-head', { hasText: 'found' }).waitFor();
  told('applying a filter', performance.now() - began, 'ms', 1000);
} finally {
  await browser.close();
  await inspector.close();
  await store.close();
  rmSync(folder, { recursive: true, force: true });
}
writeResult({
  name: 'page',
  title: 'Inspector',
  command: 'npm run bench:page',
  about: `${events.toLocaleString('en')} events in ${runs.toLocaleString('en')} runs in SQLite, displayed in a real browser: loading the first rows, scrolling through all of them, and applying a filter.`,
  tables: [],
  bars,
  charts: [],
  losses: [],
  versions: {},
});
process.exitCode = bars.every(({ met }) => met) ? 0 : 1;
