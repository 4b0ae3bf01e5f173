import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { tourScript } from '../../../src/cli/tour/script.ts';
import { recordRaw } from '../stage.ts';
import type { Theatre } from '../theatre.ts';

export function callSuite({ stage, open }: Theatre): void {
  const called = async (callId: string): Promise<Page> => {
    const set = await stage();
    const run = set.play(tourScript(), 'Settle it');
    await run.result;
    return open(set, `#/runs/${run.id}/${callId}`, { permissions: ['clipboard-read', 'clipboard-write'] });
  };

  it("shows the model's text and the tool's input side by side, with each repair marked in both", async () => {
    const page = await called('call_1_2');
    const written = page.getByRole('region', { name: 'What the model wrote' });
    const gets = page.getByRole('region', { name: 'Arguments for the tool' });
    await written.waitFor();
    expect(await written.locator('.mark').allInnerTexts()).toEqual([
      '"Pattern"',
      '"[\\"src/app.ts\\", \\"src/list.ts\\"]"',
      '"Whole Word"',
    ]);
    expect(await gets.locator('.mark').allInnerTexts()).toEqual(['"pattern"', '[', '"whole_word"']);
    expect((await gets.locator('.json').innerText()).replaceAll(/\s/g, '')).toBe(
      '{"pattern":"TODO""files":["src/app.ts""src/list.ts"]"mode":"whole_word"}',
    );
  });

  it('shows kind, certainty, before and after of a repair on hover and on focus, until Escape', async () => {
    const page = await called('call_1_2');
    const tip = page.getByRole('tooltip');
    const mark = page.locator('.raw .mark').nth(2);
    await mark.hover();
    await tip.getByText('Matched an allowed value').waitFor();
    await tip.getByText('inferred').waitFor();
    expect(await tip.locator('del').innerText()).toBe('"Whole Word"');
    expect(await tip.locator('ins').innerText()).toBe('"whole_word"');
    await page.mouse.move(0, 0);
    await tip.waitFor({ state: 'hidden' });
    await page.locator('.raw .mark').first().focus();
    await tip.getByText('Renamed a key').waitFor();
    await page.keyboard.press('Escape');
    await tip.waitFor({ state: 'hidden' });
    // The first press closed the tip, and nothing else.
    expect(page.url()).toContain('call_1_2');
  });

  it('S2.6 shows a validation error, the received and the expected value, at its path', async () => {
    const page = await called('call_6_1');
    await page.locator('.verdict', { hasText: 'Validation error: 1 problem' }).waitFor();
    const problem = page.locator('.problem');
    expect(await problem.innerText()).toMatch(/days.*expected integer, got string.*Expected\s*integer.*Received\s*30/s);
    expect(await page.locator('.raw .mark-bad').innerText()).toBe('"30"');
    await page
      .getByRole('region', { name: 'Feedback for the model' })
      .getByText('Parameter validation failed')
      .waitFor();
  });

  it('shows missing fields in their place', async () => {
    const page = await called('call_4_1');
    const missing = page.locator('.json-missing');
    await missing.waitFor();
    expect(await missing.innerText()).toBe('"path": missing');
  });

  it("shows the tool's schema and every recorded event", async () => {
    const page = await called('call_1_1');
    await page.getByText("The tool's schema").click();
    await page.locator('.json-key', { hasText: '"additionalProperties"' }).waitFor();
    await page.getByText('Events', { exact: true }).click();
    await page.getByText('call.mended', { exact: true }).waitFor();
  });

  it('shows fields without a type in which JSON stayed text, in a run and on the page to try calls', async () => {
    const schema = { type: 'object', properties: { tags: { description: 'Tags' }, note: { type: 'string' } } };
    const given = { tags: '["red"]', note: '["blue"]' };
    const call = { type: 'call', id: 'c1', name: 'tag', arguments: JSON.stringify(given) };
    const set = await stage();
    await recordRaw(set.store, 'run_1', [
      {
        type: 'run.started',
        model: { name: 'm', provider: 'p' },
        tools: ['tag'],
        specs: [{ type: 'function', name: 'tag', schema }],
      },
      { type: 'turn.requested', turn: 1 },
      {
        type: 'turn.completed',
        turn: 1,
        response: { message: { role: 'assistant', parts: [call] }, finish: 'tool_calls' },
      },
      { type: 'call.accepted', callId: 'c1', call, name: 'tag', input: given, repairs: [] },
    ]);
    const page = await open(set, '#/runs/run_1/c1');
    const missing = page.getByRole('region', { name: 'Missing types' });
    await missing.waitFor();
    expect(await missing.locator('.problem-path').allInnerTexts()).toEqual(['tags']);
    expect(await missing.innerText()).toMatch(/no type in the tool's schema.*Received\s*\["red"\].*"type": "array"/s);
    const tries = await open(set, '#/try');
    await tries.getByLabel(/^Tools, in/).fill(JSON.stringify([{ name: 'tag', input_schema: schema }]));
    const text = tries.getByRole('textbox', { name: 'What the model wrote' });
    await text.fill(`<tool_call>{"name": "tag", "arguments": ${call.arguments}}</tool_call>`);
    await tries.getByRole('region', { name: 'Missing types' }).getByText('"type": "array"').waitFor();
  });

  it('can be copied as a test that passes', async () => {
    for (const id of ['call_1_2', 'call_4_1', 'call_5_1']) {
      const page = await called(id);
      await page.getByRole('button', { name: 'Copy as test case' }).click();
      await page.getByText('Copied').waitFor();
      await runTest(await page.evaluate<string>('navigator.clipboard.readText()'));
    }
  });
}

/** Runs a copied test: the package's own source for `toolmend`, and an `it` that runs its body at once. */
async function runTest(code: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'toolmend-copied-'));
  const root = join(import.meta.dirname, '../../..');
  const here = (path: string): string => JSON.stringify(pathToFileURL(join(root, path)).href);
  try {
    const file = join(folder, 'copied.ts');
    const runnable = code
      .replace("from 'toolmend'", `from ${here('src/index.ts')}`)
      .replace("import { expect, it } from 'vitest';", '')
      .replace(/^it\(/m, 'export const body = ((_name: string, run: () => void) => run)(');
    writeFileSync(
      file,
      `${runnable.replace('export const body', 'const expect = (globalThis as any).copiedExpect;\nexport const body')}`,
    );
    Object.assign(globalThis, { copiedExpect: expect });
    const { body } = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as { body: () => void };
    expect.hasAssertions();
    body();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
