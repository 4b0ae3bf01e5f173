import { expect, it } from 'vitest';
import { tourScript } from '../../../src/cli/tour/script.ts';
import { until } from '../../until.ts';
import { recordRaw } from '../stage.ts';
import type { Theatre } from '../theatre.ts';

/** A small run of its own for each number. */
const small = (asked: string) => [
  { type: 'run.started', model: { name: 'm', provider: 'p' }, tools: [] },
  { type: 'message.added', message: { role: 'user', parts: [{ type: 'text', text: asked }] } },
  { type: 'run.ended', end: 'done', message: 'Done' },
];

export function liveSuite({ stage, open }: Theatre): void {
  it('adds new runs at the top, and announces them', async () => {
    const set = await stage();
    await recordRaw(set.store, 'run_1', small('The first'), 1000);
    const page = await open(set);
    await page.locator('.run-line', { hasText: 'The first' }).waitFor();
    await recordRaw(set.store, 'run_2', small('The second'), 2000);
    await until(async () => (await page.locator('.run-line-asked').first().innerText()) === 'The second');
    await page.getByRole('status').filter({ hasText: '1 new run on top' }).waitFor();
    await page.getByText('2 runs', { exact: true }).waitFor();
  });

  it('keeps the scroll position, and offers a way to the top', async () => {
    const set = await stage();
    for (let index = 0; index < 80; index++)
      await recordRaw(set.store, `run_${index}`, small(`Number ${index}`), 1000 * (index + 1));
    const page = await open(set);
    const list = page.locator('.run-list');
    await page.locator('.run-line').first().waitFor();
    await list.evaluate((box) => box.scrollTo(0, 1200));
    const row = page.locator('.run-line', { hasText: 'Number 55' });
    await row.waitFor();
    const before = await row.boundingBox();
    for (const index of [80, 81, 82])
      await recordRaw(set.store, `run_${index}`, small(`Number ${index}`), 1000 * (index + 1));
    const up = page.getByRole('button', { name: /3 new/ });
    await up.waitFor();
    expect(await row.boundingBox()).toEqual(before);
    await up.click();
    await page.locator('.run-line', { hasText: 'Number 82' }).waitFor();
    await up.waitFor({ state: 'detached' });
  });

  it('shows streaming arguments, drawn at most every 150 ms, and the call when it is checked', async () => {
    const set = await stage();
    const content = 'x'.repeat(8000);
    const run = set.play(
      [
        {
          calls: [{ id: 'c1', name: 'write_file', arguments: `{"path": "a", "content": "${content}"}` }],
          chunk: 20,
          pace: 25,
        },
        'Done.',
      ],
      'Write a lot',
    );
    const page = await open(set, `#/runs/${run.id}`);
    const growing = page.locator('[data-growing="c1"] .growing-text');
    await growing.waitFor();
    await page.evaluate(`
      window.draws = [];
      new MutationObserver(() => draws.push(performance.now()))
        .observe(document.querySelector('[data-growing] .growing-text'), { characterData: true, subtree: true, childList: true });`);
    const first = (await growing.innerText()).length;
    await until(async () => (await page.evaluate<number>('draws.length')) >= 5);
    expect((await growing.innerText()).length).toBeGreaterThan(first);
    const draws = await page.evaluate<number[]>('draws');
    const gaps = draws.slice(1).map((at, index) => at - (draws[index] ?? 0));
    // Timers of a browser may be a few milliseconds early, never by much.
    expect(Math.min(...gaps)).toBeGreaterThan(120);
    await run.result;
    await page.locator('.call-card-ok', { hasText: 'write_file' }).waitFor();
    await page.locator('.entry-ended').getByText('Done', { exact: true }).waitFor();
    await growing.waitFor({ state: 'detached' });
  });

  it('shows a run from its prompt to its end: text, reasoning, calls, feedback, results', async () => {
    const set = await stage();
    const run = set.play(tourScript(), 'Settle it');
    await run.result;
    const page = await open(set, `#/runs/${run.id}`);
    await page.getByRole('heading', { name: 'Settle it', level: 1 }).waitFor();
    const turn = page.getByRole('region', { name: 'Turn 1', exact: true });
    await turn.getByText("I'll read the code first.").waitFor();
    await turn.getByText('Reasoning', { exact: true }).click();
    await turn.getByText("The app imports a file that doesn't exist.").waitFor();
    await turn.getByRole('article', { name: 'Call to pattern_search' }).getByText('functions.patternSearch').waitFor();
    await page.getByRole('region', { name: 'Turn 2', exact: true }).getByText('Truncated').first().waitFor();
    const refused = page.locator('.call-card-invalid', { hasText: 'fs_multi_edit' });
    await refused.getByText('Validation error').waitFor();
    await refused.getByText('edits.1.path', { exact: true }).waitFor();
    await page.getByText('52 characters written to src/greet.ts').waitFor();
  });

  it('reports a lost connection, and loads the missed events', async () => {
    const set = await stage();
    await recordRaw(set.store, 'run_1', small('Going on').slice(0, 2));
    const page = await open(set, '#/runs/run_1');
    await page.getByRole('heading', { name: 'Going on' }).waitFor();
    await page.context().setOffline(true);
    await page.route('**/api/live*', (route) => route.abort());
    await page.evaluate(`0`);
    await page.context().setOffline(false);
    await page.unroute('**/api/live*');
    await set.store.append([
      { type: 'run.ended', end: 'done', message: 'It is over', run: 'run_1', seq: 3, at: Date.now() },
    ]);
    await page.getByText('It is over').waitFor();
  });
}
