import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { tourScript } from '../../../src/cli/tour/script.ts';
import { until } from '../../until.ts';
import type { Theatre } from '../theatre.ts';

const focused = (page: Page): Promise<string> => page.evaluate<string>('document.activeElement.innerText ?? ""');

export function keyboardSuite({ stage, open }: Theatre): void {
  it('finds a run, opens it, steps through its calls, and returns', async () => {
    const set = await stage();
    await set.play(['Nothing.'], 'The older').result;
    await set.play(tourScript(), 'The newer').result;
    const page = await open(set);
    await page.locator('.run-line').first().waitFor();
    await page.keyboard.press('j');
    await until(async () => (await focused(page)).includes('The newer'));
    await page.keyboard.press('j');
    await until(async () => (await focused(page)).includes('The older'));
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('k');
    await until(async () => (await focused(page)).includes('The newer'));
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'The newer' }).waitFor();
    // The calls come after the heading, and a key that finds none moves nothing.
    await page.locator('.call-card', { hasText: 'pattern_search' }).first().waitFor();
    await page.keyboard.press('j');
    await until(async () => (await focused(page)) === 'read_file');
    await page.keyboard.press('j');
    await until(async () => (await focused(page)) === 'pattern_search');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'pattern_search', level: 1 }).waitFor();
    await page.keyboard.press('j');
    await page.getByRole('heading', { name: 'write_file', level: 1 }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { name: 'The newer' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { name: 'Runs', level: 1 }).waitFor();
  });

  it('opens the search with a slash, and leaves the field with Escape', async () => {
    const set = await stage();
    await set.play(['Nothing.'], 'The one').result;
    await set.play(['Nothing.'], 'The other').result;
    const page = await open(set);
    await page.locator('.run-line').first().waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('other');
    await until(async () => (await page.locator('.run-line').count()) === 1);
    await page.keyboard.press('Escape');
    await page.keyboard.press('j');
    await until(async () => (await focused(page)).includes('The other'));
  });

  it('skips to the content, and lists its shortcuts', async () => {
    const page = await open(await stage());
    await page.getByText('Nothing has been recorded yet').waitFor();
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Skip to content');
    await page.keyboard.press('Enter');
    await until(() => page.evaluate<boolean>('document.activeElement.id === "main"'));
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Keyboard' }).waitFor({ state: 'hidden' });
    await page.keyboard.press('f');
    await page.getByRole('heading', { name: 'Figures', level: 1 }).waitFor();
    await page.keyboard.press('t');
    await page.getByRole('heading', { name: 'Try it', level: 1 }).waitFor();
  });

  it('gives an approval', async () => {
    const set = await stage();
    const run = set.play(
      ({ messages }) =>
        messages.every(({ role }) => role !== 'assistant')
          ? { calls: [{ id: 'c1', name: 'delete_folder', arguments: '{"path": "build", "days": 30}' }] }
          : 'Done.',
      'Clean up',
    );
    await run.result;
    const page = await open(set, `#/runs/${run.id}`);
    await page.getByRole('button', { name: 'Allow' }).waitFor();
    for (let presses = 0; (await focused(page)) !== 'Allow' && presses < 40; presses++)
      await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('build is deleted').waitFor();
  });
}
