import { expect, it } from 'vitest';
import { tourScript } from '../../../src/cli/tour/script.ts';
import type { Theatre } from '../theatre.ts';

export function figuresSuite({ stage, open }: Theatre): void {
  it('show outcomes, repairs, tools and models, each also in numbers', async () => {
    const set = await stage();
    await set.play(tourScript(), 'One', 'model-a').result;
    await set.play(tourScript(), 'Two', 'model-b').result;
    const page = await open(set, '#/figures');
    const tile = (name: string) => page.locator(`.tile:has(dt:text-is("${name}")) .tile-value`);
    await tile('Calls').waitFor();
    expect(await tile('Calls').innerText()).toBe('16');
    expect(await tile('Mended').innerText()).toBe('38%');
    const chart = page.getByRole('img', { name: /^Calls from / });
    expect(await chart.getAttribute('aria-label')).toContain('6 Mended, 6 Refused');
    await page.getByText('As a table').click();
    await page.getByRole('columnheader', { name: 'Mended' }).first().waitFor();
    const row = (name: string) => page.getByRole('row', { name: new RegExp(name) });
    expect(await row('fixed a comma').innerText()).toMatch(/2\s*$/);
    await row('fs_multi_edit').waitFor();
    await row('model-b').waitFor();
  });

  it('link to the runs they count', async () => {
    const set = await stage();
    await set.play(tourScript(), 'One', 'model-a').result;
    await set.play(['Nothing.'], 'Two', 'model-b').result;
    const page = await open(set, '#/figures');
    await page.getByRole('link', { name: 'removed a code fence' }).click();
    await page.locator('.run-line', { hasText: 'One' }).waitFor();
    expect(await page.locator('.run-line').count()).toBe(1);
    expect(page.url()).toContain('repair=fence');
  });

  it('of an empty store explain what to do next', async () => {
    const page = await open(await stage(), '#/figures');
    await page.getByText('Nothing has been recorded yet').waitFor();
  });
}
