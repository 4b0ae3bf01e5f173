/** Takes the pictures of the inspector for the docs: `docs/images/*.png`. Run: `npm run screenshots`. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { openBrowser } from '../test/web/browser.ts';
import { sampleRuns } from '../test/web/sample-runs.ts';
import { stage } from '../test/web/stage.ts';
import { buildPage } from './build-page.ts';

const folder = join(import.meta.dirname, '..', 'docs', 'images');

interface Shot {
  readonly name: string;
  readonly place: string;
  /** An element that exists once the view is rendered. */
  readonly ready: string;
  readonly options?: BrowserContextOptions;
  readonly before?: (page: Page) => Promise<unknown>;
}

const dark = { colorScheme: 'dark' } as const;
const phone = { viewport: { width: 390, height: 800 } };

const shots = (run: string): readonly Shot[] => [
  { name: 'inspector-runs', place: '', ready: '.run-line' },
  { name: 'inspector-runs-dark', place: '', ready: '.run-line', options: dark },
  { name: 'inspector-run', place: `#/runs/${run}`, ready: '.call-card-waiting' },
  {
    name: 'inspector-call',
    place: `#/runs/${run}/call_1_2`,
    ready: '.raw .mark',
    before: (page) => page.locator('.raw .mark').nth(2).hover(),
  },
  { name: 'inspector-call-dark', place: `#/runs/${run}/call_4_1`, ready: '.problem', options: dark },
  { name: 'inspector-try', place: '#/try', ready: '.tried' },
  { name: 'inspector-figures', place: '#/figures', ready: '.plot-bars' },
  { name: 'inspector-figures-dark', place: '#/figures', ready: '.plot-bars', options: dark },
  { name: 'inspector-phone', place: `#/runs/${run}`, ready: '.call-card', options: phone },
];

mkdirSync(folder, { recursive: true });
await buildPage();
const set = await stage();
const browser = await openBrowser();
try {
  const run = await sampleRuns(set);
  for (const { name, place, ready, options, before } of shots(run)) {
    const context = await browser.newContext({
      viewport: { width: 1200, height: 760 },
      deviceScaleFactor: 1.5,
      ...options,
    });
    const page = await context.newPage();
    await page.goto(set.url + place);
    await page.locator(ready).first().waitFor();
    await before?.(page);
    await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' });
    await context.close();
    console.log(`docs/images/${name}.png`);
  }
} finally {
  await browser.close();
  await set.close();
}
