import { expect, it } from 'vitest';
import { tourScript } from '../../../src/cli/tour/script.ts';
import { until } from '../../until.ts';
import type { Theatre } from '../theatre.ts';

export function runsSuite({ stage, open }: Theatre): void {
  const played = async () => {
    const set = await stage();
    await set.play(tourScript(), 'Tidy the garden', 'model-a').result;
    await set.play(['Nothing to do.'], 'Rest a while', 'model-b').result;
    return set;
  };

  it('shows each run with its prompt, its calls and its end, newest first', async () => {
    const page = await open(await played());
    const lines = page.locator('.run-line');
    await until(async () => (await lines.count()) === 2);
    expect(await lines.allInnerTexts()).toEqual([
      expect.stringMatching(/Rest a while.*model-b.*0 calls.*Done/s),
      expect.stringMatching(/Tidy the garden.*model-a.*8 calls.*Needs approval/s),
    ]);
    await lines.nth(1).getByText('delete_folder').first().waitFor();
    await page.getByText('2 runs', { exact: true }).waitFor();
  });

  it('is filtered by outcome, tool, model, kind of repair and text, and the address contains the filters', async () => {
    const page = await open(await played());
    const asked = page.locator('.run-line-asked');
    const narrowed = async (change: () => Promise<unknown>, expected: string[], address: RegExp) => {
      await change();
      await until(async () => String(await asked.allInnerTexts()) === String(expected));
      expect(page.url()).toMatch(address);
      await page.getByRole('button', { name: 'Clear' }).click();
      await until(async () => (await asked.count()) === 2);
    };
    await until(async () => (await asked.count()) === 2);
    const choose = (name: string, value: string) => () => page.getByRole('combobox', { name }).selectOption(value);
    await narrowed(choose('Outcome', 'mended'), ['Tidy the garden'], /outcome=mended/);
    await narrowed(choose('Tool', 'write_file'), ['Tidy the garden'], /tool=write_file/);
    await narrowed(choose('Model', 'model-b'), ['Rest a while'], /model=model-b/);
    await narrowed(choose('Repair', 'fence'), ['Tidy the garden'], /repair=fence/);
    await narrowed(() => page.getByRole('searchbox').fill('rest'), ['Rest a while'], /text=rest/);
  });

  it('reports that no run matches, and how to see all again', async () => {
    const page = await open(await played(), '#/runs?text=nowhere');
    await page.getByText('No runs match this filter').waitFor();
    await page.getByRole('link', { name: 'Show all runs' }).click();
    await until(async () => (await page.locator('.run-line').count()) === 2);
    expect(await page.getByRole('searchbox').inputValue()).toBe('');
  });

  it('of an empty store explains what to do next, and updates by itself', async () => {
    const set = await stage();
    const page = await open(set);
    await page.getByText('Nothing has been recorded yet').waitFor();
    await page.getByText(`${new URL(set.url).origin}/v1`).waitFor();
    await set.play(['Hello.'], 'Say hello').result;
    await page.locator('.run-line', { hasText: 'Say hello' }).waitFor();
  });

  it('of an unavailable server reports it, and continues when the server is back', async () => {
    const set = await played();
    const page = await open(set);
    await page.locator('.run-line').first().waitFor();
    await page.route('**/api/runs*', (route) => route.abort());
    await page.getByRole('combobox', { name: 'Model' }).selectOption('model-a');
    await page.getByText("The server can't be reached").waitFor();
    await page.unroute('**/api/runs*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('.run-line', { hasText: 'Tidy the garden' }).waitFor();
  });

  it("reports a run that doesn't exist", async () => {
    const page = await open(await stage(), '#/runs/run_nowhere');
    await page.getByText('Unknown run').waitFor();
  });
}
