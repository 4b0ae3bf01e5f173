import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { tourScript } from '../../../src/cli/tour/script.ts';
import type { Stage } from '../stage.ts';
import type { Theatre } from '../theatre.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Finding {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** What axe finds that is serious, with the place. */
async function findings(page: Page): Promise<string[]> {
  // The tools of the browser may run what the page itself may not. Of what passes, axe need not say where.
  const { violations } = await page.evaluate<{ violations: Finding[] }>(
    `if (!window.axe) { ${axe} }; axe.run({ resultTypes: ['violations'] })`,
  );
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.slice(0, 3).map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
    );
}

/** Every view with something to be ready by. */
const views = (run: string): readonly (readonly [place: string, ready: string])[] => [
  ['', '.run-line'],
  [`#/runs/${run}`, '.call-card-waiting'],
  [`#/runs/${run}/call_1_2`, '.raw .mark'],
  [`#/runs/${run}/call_4_1`, '.problem'],
  ['#/figures', '.plot-bars'],
  ['#/try', '.tried'],
];

export function accessSuite({ stage, open }: Theatre): void {
  const played = async (): Promise<{ set: Stage; run: string }> => {
    const set = await stage();
    const run = set.play(tourScript(), 'Settle it');
    await run.result;
    return { set, run: run.id };
  };

  it.each(['light', 'dark'] as const)('has no serious axe findings in any view in %s', async (colorScheme) => {
    const { set, run } = await played();
    const page = await open(set, '', { colorScheme });
    for (const [place, ready] of views(run)) {
      await page.goto(set.url + place);
      await page.locator(ready).first().waitFor();
      expect({ place, found: await findings(page) }).toEqual({ place, found: [] });
    }
  });

  it('has no serious axe findings in empty and failed views', async () => {
    const set = await stage();
    for (const [place, words] of [
      ['', 'Nothing has been recorded yet'],
      ['#/runs/none', 'Unknown run'],
    ] as const) {
      const page = await open(set, place);
      await page.getByText(words).waitFor();
      expect(await findings(page)).toEqual([]);
    }
  });

  it('fits a screen of 360 pixels without horizontal scrolling', async () => {
    const { set, run } = await played();
    const page = await open(set, '', { viewport: { width: 360, height: 700 } });
    for (const [place, ready] of views(run)) {
      await page.goto(set.url + place);
      await page.locator(ready).first().waitFor();
      const width = await page.evaluate<number>(
        `Math.max(document.documentElement.scrollWidth, document.querySelector('main').scrollWidth)`,
      );
      expect({ place, width }).toEqual({ place, width: 360 });
    }
  });

  it('is dark or light like the system, or as chosen', async () => {
    const page = await open(await stage(), '', { colorScheme: 'dark' });
    const paper = () => page.evaluate<string>('getComputedStyle(document.documentElement).backgroundColor');
    const dark = await paper();
    const toggle = page.getByRole('button', { name: /^Colours:/ });
    await toggle.click();
    expect(await toggle.getAttribute('aria-label')).toBe('Colours: light');
    expect(await paper()).not.toBe(dark);
    await page.reload();
    await toggle.waitFor();
    expect(await paper()).not.toBe(dark);
    await toggle.click();
    expect(await paper()).toBe(dark);
  });

  it('has landmarks, one main heading, and a title for each view', async () => {
    const { set, run } = await played();
    const page = await open(set);
    for (const [place, ready] of views(run)) {
      await page.goto(set.url + place);
      await page.locator(ready).first().waitFor();
      expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
      for (const role of ['banner', 'main'] as const) expect(await page.getByRole(role).count()).toBe(1);
      expect(await page.title()).toMatch(/ · Toolmend inspector$/);
    }
  });
}
