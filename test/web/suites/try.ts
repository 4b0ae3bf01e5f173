import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { until } from '../../until.ts';
import type { Theatre } from '../theatre.ts';

export function trySuite({ stage, open }: Theatre): void {
  const opened = async (): Promise<Page> => {
    const page = await open(await stage(), '#/try');
    await page.getByRole('article', { name: 'Call 1' }).waitFor();
    return page;
  };
  const text = (page: Page) => page.getByRole('textbox', { name: 'What the model wrote' });
  const sum = (page: Page) => page.locator('.reading-sum');

  it('reads, mends and checks the typed text, in the page itself', async () => {
    const page = await opened();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await text(page).fill(`<tool_call>{"name": "read_file", "arguments": {path: 'my.ts', limit: "7",}}</tool_call>`);
    const call = page.getByRole('article', { name: 'Call 1' });
    await call.getByText('my.ts').first().waitFor();
    await call.getByText('Mended', { exact: true }).waitFor();
    expect(await sum(page).innerText()).toBe('1 call in the dialect hermes');
    await text(page).fill(`<tool_call>{"name": "read_file", "arguments": {"limit": "many"}}</tool_call>`);
    await call.getByText('Validation error').waitFor();
    await call.getByText("1. Field 'path' is required but missing").waitFor();
    expect(asked).toEqual([]);
  });

  it('uses the chosen dialect, finish reason and tools', async () => {
    const page = await opened();
    await page.getByLabel('Read as').selectOption('args:write_file');
    await text(page).fill('{"path": "a", "content": "b"');
    await page.getByText('Mended', { exact: true }).waitFor();
    await page.getByLabel('The response reached the token limit').check();
    await page.getByText('Truncated', { exact: true }).last().waitFor();
    await page.getByLabel('The response reached the token limit').uncheck();
    await page.getByLabel('Read as').selectOption('hermes');
    await text(page).fill('<tool_call>{"name": "paint", "arguments": {"colour": "red"}}</tool_call>');
    await page.getByText('Unknown tool').waitFor();
    const tools = page.getByLabel(/^Tools, in/);
    await tools.fill(
      '[{"name": "paint", "input_schema": {"type": "object", "properties": {"colour": {"enum": ["RED"]}}}}]',
    );
    await page.getByText('"RED"').first().waitFor();
    await tools.fill('[{');
    await page.getByRole('alert').filter({ hasText: "can't be read" }).waitFor();
  });

  it('shows every example with its name', async () => {
    const page = await opened();
    const seen: Record<string, string[]> = {};
    for (const name of ['Only arguments', 'XML parameters', 'Python', 'Truncated', 'Wrong', 'Two damaged calls']) {
      await page.getByRole('button', { name, exact: true }).click();
      await page.locator(`.examples [aria-pressed="true"]:text-is("${name}")`).waitFor();
      seen[name] = await page.locator('.tried .call-card-head .status').allInnerTexts();
    }
    expect(seen).toEqual({
      'Only arguments': ['Mended'],
      'XML parameters': ['OK'],
      Python: ['OK', 'OK'],
      Truncated: ['Refused'],
      Wrong: ['Refused', 'Refused'],
      'Two damaged calls': ['Mended', 'Mended'],
    });
  });

  it('is shared by link, without a server', async () => {
    const set = await stage();
    const page = await open(set, '#/try');
    await text(page).fill('<tool_call>{"name": "read_file", "arguments": {"path": "ü/✓.ts"}}</tool_call>');
    await until(() => page.url().length > 100);
    await page.waitForURL(/#\/try\/[\w-]+$/);
    const other = await open({ url: page.url() });
    await until(async () => (await text(other).inputValue()).includes('ü/✓.ts'));
    await other.getByRole('article', { name: 'Call 1' }).getByText('ü/✓.ts').first().waitFor();
  });

  it('reports a damaged link, and shows an example', async () => {
    const page = await open(await stage(), '#/try/AAAA');
    await page.getByText('The link was damaged').waitFor();
    await page.getByRole('article', { name: 'Call 1' }).waitFor();
  });

  it('accepts any input: nothing, markup, a lot of text', async () => {
    const page = await opened();
    await text(page).fill('');
    await page.getByText('No call found in this text').waitFor();
    await text(page).fill('<script>window.hacked = 1</script>');
    await page.getByRole('heading', { name: 'Text for the user' }).waitFor();
    await page.getByLabel('Read as').selectOption('args:read_file');
    await text(page).fill(`${'['.repeat(20_000)}${'"'.repeat(20_000)}`);
    await page
      .getByText('Validation error')
      .or(page.getByText('Truncated', { exact: true }).last())
      .first()
      .waitFor();
    expect(await page.evaluate('window.hacked')).toBeUndefined();
  });
}
