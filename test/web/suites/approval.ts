import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { RunEvent } from '../../../src/log/events.ts';
import type { Script } from '../../../src/provider/scripted/script.ts';
import { until } from '../../until.ts';
import type { Stage } from '../stage.ts';
import type { Theatre } from '../theatre.ts';

const script: Script = (question) =>
  question.messages.every(({ role }) => role !== 'assistant')
    ? { calls: [{ id: 'c1', name: 'delete_folder', arguments: '{"path": "build", "days": 30}' }] }
    : 'As you say.';

const recorded = async ({ store }: Stage, run: string): Promise<RunEvent[]> => {
  const events: RunEvent[] = [];
  for await (const event of store.read(run)) events.push(event);
  return events;
};

export function approvalSuite({ stage, open }: Theatre): void {
  const asked = async (options: { canApprove?: boolean } = {}): Promise<{ set: Stage; page: Page; run: string }> => {
    const set = await stage(options);
    const run = set.play(script, 'Clean up');
    await run.result;
    const page = await open(set, `#/runs/${run.id}`);
    await page.getByText('May it run?').waitFor();
    return { set, page, run: run.id };
  };
  const over = (page: Page) => page.locator('.entry-turn', { hasText: 'As you say.' }).waitFor();

  it('allow a call, and the run continues', async () => {
    const { set, page, run } = await asked();
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByText('build is deleted').waitFor();
    await over(page);
    await page.getByText('Allowed by inspector').waitFor();
    expect((await recorded(set, run)).find(({ type }) => type === 'approval.decided')).toMatchObject({
      decision: { type: 'allow' },
    });
  });

  it('deny a call with a reason that the model reads', async () => {
    const { set, page, run } = await asked();
    await page.getByRole('button', { name: 'Deny…' }).click();
    await page.getByLabel('Reason (sent to the model)').fill('we still need them');
    await page.getByRole('button', { name: 'Deny', exact: true }).click();
    await over(page);
    await page.locator('.call-card-denied').waitFor();
    const denied = (await recorded(set, run)).find(({ type }) => type === 'call.denied');
    expect(JSON.stringify(denied)).toContain('we still need them');
  });

  it('allow a call with other arguments, once they are JSON', async () => {
    const { set, page, run } = await asked();
    await page.getByRole('button', { name: 'Edit…' }).click();
    const field = page.getByLabel('Arguments (checked again before the call runs)');
    expect(JSON.parse(await field.inputValue())).toEqual({ path: 'build', days: 30 });
    await field.fill('{"path": "old",');
    await page.getByRole('button', { name: 'Run with these' }).click();
    await page.getByRole('alert').filter({ hasText: 'Not valid JSON yet' }).waitFor();
    await field.fill('{"path": "old", "days": 7}');
    await page.getByRole('button', { name: 'Run with these' }).click();
    await page.getByText('old is deleted').waitFor();
    await over(page);
    expect((await recorded(set, run)).find(({ type }) => type === 'tool.started')).toMatchObject({
      input: { path: 'old', days: 7 },
    });
  });

  it('show the effect first and every argument, with hidden characters escaped', async () => {
    const set = await stage();
    const hostile = { path: `build/\u202egpj.exe\u2066 ${'x'.repeat(5000)} tail`, days: 30 };
    const run = set.play(
      (question) =>
        question.messages.every(({ role }) => role !== 'assistant')
          ? { calls: [{ id: 'c1', name: 'delete_folder', arguments: JSON.stringify(hostile) }] }
          : 'As you say.',
      'Clean up',
    );
    await run.result;
    const page = await open(set, `#/runs/${run.id}`);
    const form = page.locator('.approval');
    await form.waitFor();
    const text = (await form.innerText()).replaceAll('\u00a0', ' ');
    expect(text.trimStart().startsWith('DESTRUCTIVE')).toBe(true);
    for (const part of ['build/\\u202egpj.exe\\u2066', 'tail"', '(5021 characters)', '"days": 30'])
      expect(text).toContain(part);
    expect(text).not.toMatch(/[\u202e\u2066]/);
    await page.getByRole('button', { name: 'Edit…' }).click();
    const field = page.getByLabel('Arguments (checked again before the call runs)');
    expect(await field.inputValue()).not.toMatch(/[\u202e\u2066]/);
    expect(JSON.parse(await field.inputValue())).toEqual(hostile);
  });

  it("stay pending if an edit doesn't match the schema, with its problems", async () => {
    const { set, page, run } = await asked();
    await page.getByRole('button', { name: 'Edit…' }).click();
    await page.getByLabel('Arguments (checked again before the call runs)').fill('{"path": "old"}');
    await page.getByRole('button', { name: 'Run with these' }).click();
    await page.getByRole('alert').filter({ hasText: "Field 'days' is required but missing" }).waitFor();
    expect((await recorded(set, run)).some(({ type }) => type === 'approval.decided')).toBe(false);
  });

  it('are not given twice if another person was faster', async () => {
    const { set, page, run } = await asked();
    await page.route('**/api/live*', (route) => route.abort());
    const { seq = 0 } = (await recorded(set, run)).at(-1) ?? {};
    await page.route('**/api/approvals/**', async (route) => {
      await set.store.append([
        { type: 'approval.decided', callId: 'c1', decision: { type: 'allow' }, run, seq: seq + 1, at: Date.now() },
      ]);
      await route.continue();
    });
    await page.getByRole('button', { name: 'Allow' }).click();
    await until(async () => (await recorded(set, run)).some(({ type }) => type === 'approval.decided'));
    await page.getByText('Allowed', { exact: true }).waitFor();
    expect((await recorded(set, run)).filter(({ type }) => type === 'approval.decided')).toHaveLength(1);
  });

  it('are only shown if they are disabled', async () => {
    const { page } = await asked({ canApprove: false });
    await page.getByText('Approvals are disabled on this page').waitFor();
    expect(await page.getByRole('button', { name: 'Allow' }).count()).toBe(0);
  });
}
