import { expect, it } from 'vitest';
import type { RunEvent } from '../../../src/log/events.ts';
import type { RunControl } from '../../../src/run/workers/control.ts';
import { until } from '../../until.ts';
import type { Theatre } from '../theatre.ts';

export function controlSuite({ stage, open }: Theatre): void {
  /** A control that only notes what it was told. */
  const noting = () => {
    const told: unknown[] = [];
    const note =
      (name: string) =>
      async (...args: unknown[]): Promise<void> =>
        void told.push([name, ...args]);
    const names = ['cancel', 'send', 'interrupt', 'requeue'] as const;
    const control = Object.fromEntries(names.map((name) => [name, note(name)])) as unknown as RunControl;
    return { told, control };
  };
  const waits = () => ({ calls: [{ id: 'c1', name: 'delete_folder', arguments: '{"path": "build", "days": 30}' }] });

  it('sends messages to a run, interrupts it and cancels it', async () => {
    const { told, control } = noting();
    const set = await stage({ control });
    const run = set.play([waits(), 'Ok.'], 'Clean up');
    await run.result;
    const page = await open(set, `#/runs/${run.id}`);
    await page.getByRole('button', { name: 'Send a message…' }).click();
    expect(await page.getByRole('button', { name: 'Send a message' }).isDisabled()).toBe(true);
    await page.getByLabel('Message', { exact: true }).fill('Hurry');
    await page.getByRole('button', { name: 'Send a message', exact: true }).click();
    await page.getByText('The message was sent.').waitFor();
    await page.getByRole('button', { name: 'Interrupt…' }).click();
    await page.getByLabel('Message to continue with').fill('Stop');
    await page.getByRole('button', { name: 'Interrupt', exact: true }).click();
    await page.getByText('The run was interrupted.').waitFor();
    await page.getByRole('button', { name: 'Cancel the run…' }).click();
    await page.getByLabel('Reason (optional)').fill('Enough');
    await page.getByRole('button', { name: 'Cancel the run', exact: true }).click();
    await page.getByText('The run was cancelled.').waitFor();
    expect(told).toEqual([
      ['send', run.id, 'Hurry'],
      ['interrupt', run.id, 'Stop'],
      ['cancel', run.id, 'Enough'],
    ]);
  });

  it('lists dead runs, and requeues one', async () => {
    const { told, control } = noting();
    const set = await stage({ control });
    await set.play(['Fine.'], 'Innocent').result;
    const run = set.play(['Fine.'], 'Poison');
    await run.result;
    const dead = {
      type: 'run.ended',
      end: 'dead',
      message: 'Failed too often',
      errors: [{ name: 'heartbeat_timeout', message: 'The worker died' }],
    };
    await set.store.append([{ ...dead, run: run.id, seq: run.journal.seq + 1, at: Date.now() } as RunEvent]);
    const page = await open(set);
    await page.getByRole('link', { name: '1 dead run' }).click();
    await until(async () => String(await page.locator('.run-line-asked').allInnerTexts()) === 'Poison');
    await page.locator('.run-line').click();
    await page.getByText('The worker died').first().waitFor();
    expect(await page.getByRole('button', { name: 'Cancel the run…' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Requeue' }).click();
    await page.getByText('The run is queued again.').waitFor();
    expect(told).toEqual([['requeue', run.id]]);
  });

  it('links a run with its parent and its children', async () => {
    const set = await stage();
    const parent = set.play(['Fine.'], 'The parent');
    await parent.result;
    const child = set.play(['Fine.'], 'The child');
    await child.result;
    const copy: RunEvent[] = [];
    for await (const event of set.store.read(child.id))
      copy.push({ ...event, run: 'linked', ...(event.seq === 1 && { parent: { run: parent.id, callId: 'c' } }) });
    await set.store.append(copy);
    const page = await open(set, '#/runs/linked');
    await page.getByRole('list', { name: 'Related runs' }).getByRole('link').click();
    await page.getByRole('heading', { name: 'The parent' }).waitFor();
    await page.getByRole('link', { name: 'The child' }).click();
    await page.getByText('Child of').waitFor();
  });

  it('shows no buttons where runs cannot be controlled', async () => {
    const set = await stage();
    const run = set.play(['Fine.'], 'Innocent');
    await run.result;
    const page = await open(set, `#/runs/${run.id}`);
    await page.getByRole('heading', { name: 'Innocent' }).waitFor();
    expect(await page.locator('.controls').count()).toBe(0);
  });
}
