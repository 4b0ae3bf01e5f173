import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterEach, describe, expect, it } from 'vitest';
import { postgresStore } from '../../src/log/postgres-store.ts';
import { call } from '../gateway/around.ts';
import { all } from '../log/store-suite.ts';
import { ask, closeAll, open } from '../proxy/around.ts';
import { expectWhole } from '../run/crash-checks.ts';
import { until } from '../until.ts';
import { usePostgres } from './use-postgres.ts';

const postgres = usePostgres();
afterEach(closeAll);

const flags = ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, '../../src/cli/main.ts')];
const server = join(import.meta.dirname, '../gateway/plain-server.ts');

/** A proxy that is a process of its own, with a script for a model; gives its address. */
async function proxy(log: string): Promise<string> {
  const child = spawn(process.execPath, [...flags, 'proxy', '--port', '0', '--log-content', log, '--json']);
  const gone = new Promise((resolve) => child.once('close', resolve));
  open.push({
    close: () => {
      child.kill('SIGKILL');
      return gone;
    },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (piece) => {
      said += piece;
    });
  return until(() => /"listening":"([^"]+)"/.exec(said)?.[1]);
}

/** Asks a server of MCP for something, through a gateway that is a process of its own. */
async function throughGateway(log: string): Promise<void> {
  const args = [...flags, 'gateway', '--log-content', log, '--', process.execPath, ...flags.slice(0, 1), server];
  const client = new Client({ name: 'test', version: '1' });
  open.push(client);
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }));
  await call(client, 'strict', { n: '5' });
}

describe('a log in a database', { timeout: 120_000 }, () => {
  it('is shared by proxies and gateways, and workers ignore their entries', async () => {
    const url = await postgres.database();
    const store = await postgresStore(url, { connections: 2 });
    open.push(store);
    const proxies = await Promise.all([proxy(url), proxy(url)]);
    const body = JSON.stringify({
      model: 'any',
      messages: [{ role: 'user', content: 'Hi' }],
      tools: [{ type: 'function', function: { name: 'read_file', parameters: { type: 'object', properties: {} } } }],
    });
    const answers = await Promise.all(proxies.map((at) => ask(`${at}/v1/chat/completions`, { body })));
    await throughGateway(url);

    const runs = await until(async () => {
      const listed = await store.runs();
      return listed.length === 3 && listed.map(({ run }) => run);
    });
    for (const { headers } of answers) expect(runs).toContain(headers['x-toolmend-id']);
    for (const run of runs) expectWhole(await all(store, run));
    const events = (await Promise.all(runs.map((run) => all(store, run)))).flat();
    expect(events).toContainEqual(expect.objectContaining({ type: 'call.mended', name: 'strict', input: { n: 5 } }));
    expect(await store.due?.(10)).toEqual([]);
  });
});
