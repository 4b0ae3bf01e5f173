import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeAll, folder } from './around.ts';
import { program, startCommand, startSuiteServer } from './program.ts';

const suite = join(import.meta.dirname, '../../node_modules/@modelcontextprotocol/conformance/dist/index.js');

/**
 * Scenarios that show nothing of a gateway, each with the reason. Closing a call's stream to have its client come back for
 * the rest is between a server and its own client; the suite only warns where it is not done.
 */
const notOurs: Readonly<Record<string, string>> = { 'server-sse-polling': '0 passed, 0 failed' };

/** What the MCP project's suite says of the server at an address: each scenario with its count. */
async function conformanceOf(url: string): Promise<Record<string, string>> {
  const { said, exit } = program(suite, 'server', '--url', url, '--suite', 'all');
  await exit;
  const lines = said().matchAll(/^[✓✗] (\S+): (\d+ passed, \d+ failed)$/gmu);
  return Object.fromEntries([...lines].map(([, scenario, counts]) => [scenario, counts]));
}

describe("the MCP project's conformance suite", () => {
  let bare: Record<string, string>;
  let behind: Record<string, string>;
  beforeAll(async () => {
    const url = await startSuiteServer();
    const config = join(folder(), 'gateway.json');
    writeFileSync(config, JSON.stringify({ mcpServers: { suite: { url } } }));
    bare = await conformanceOf(url);
    behind = await conformanceOf(await startCommand(config));
  }, 120_000);
  afterAll(closeAll);

  it("passes with the server alone, so any failure is the gateway's", () => {
    expect(Object.keys(bare)).toHaveLength(32);
    expect(Object.entries(bare).filter(([, counts]) => !counts.endsWith(' 0 failed'))).toEqual([]);
  });

  it('has the same results through the gateway, check by check', () => {
    expect(behind).toEqual(bare);
  });

  it('has checks in every scenario that applies to a gateway', () => {
    const silent = Object.entries(behind).filter(([, counts]) => counts.startsWith('0 passed'));
    expect(Object.fromEntries(silent)).toEqual(notOurs);
  });
});
