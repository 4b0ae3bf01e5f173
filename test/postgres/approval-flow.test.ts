/** The example of the docs with real processes: web page, worker, webhook, result. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { freePort } from '../free-port.ts';
import { until } from '../until.ts';
import { closeAfterEach, usePostgres } from './use-postgres.ts';

const postgres = usePostgres();

const closing = closeAfterEach();

const folder = join(import.meta.dirname, '../../examples/approval-flow');

/** Starts a program of the example, and waits until it says that it is ready. */
async function start(file: string, env: Record<string, string>): Promise<ChildProcess> {
  const child = spawn(process.execPath, [join(folder, file)], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const gone = new Promise((resolve) => child.once('exit', resolve));
  closing.push(() => {
    child.kill('SIGKILL');
    return gone;
  });
  await new Promise((resolve) => child.stdout?.once('data', resolve));
  return child;
}

it('a payment is approved on a page, made by a worker, and confirmed by a webhook', { timeout: 120_000 }, async () => {
  const payments: { webhook: string; amount: number }[] = [];
  const provider = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    payments.push(JSON.parse(body));
    response.end();
  });
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
  closing.push(() => provider.close());
  const web = `http://127.0.0.1:${await freePort()}`;
  const env = {
    DATABASE_URL: await postgres.database(),
    WEB_URL: web,
    RESULT_SECRET: 'a secret of thirty-two characters',
    PROVIDER_URL: `http://127.0.0.1:${(provider.address() as AddressInfo).port}`,
  };
  await start('web.ts', env);
  const worker = await start('worker.ts', env);
  const post = async (url: string, body?: object) =>
    fetch(url, { method: 'POST', ...(body && { body: JSON.stringify(body) }) });
  const page = async (run: string) =>
    (await (await fetch(`${web}/runs/${run}`)).json()) as {
      end?: string;
      approvals: { callId: string }[];
      results: unknown;
    };

  const { run } = (await (await post(`${web}/invoices`)).json()) as { run: string };
  const waiting = await until(async () => (await page(run)).approvals[0]);
  expect(payments).toEqual([]);
  expect((await post(`${web}/runs/${run}/approve/${waiting.callId}`)).status).toBe(200);
  await until(async () => (await page(run)).end === 'awaiting_result');
  expect(payments).toMatchObject([{ amount: 120 }]);

  // The run waits without a worker, so that none needs to be there when the webhook arrives.
  const gone = new Promise((resolve) => worker.once('exit', resolve));
  worker.kill('SIGKILL');
  await gone;
  const webhook = payments[0]?.webhook ?? '';
  const statuses = [];
  for (const body of [{ paid: 'yes' }, { paid: true }, { paid: true }])
    statuses.push((await post(webhook, body)).status);
  expect(statuses).toEqual([422, 200, 409]);

  await start('worker.ts', env);
  await until(async () => (await page(run)).end === 'done');
  expect((await page(run)).results).toEqual([{ type: 'text', text: '{"paid":true}' }]);
  expect(payments).toHaveLength(1);
});
