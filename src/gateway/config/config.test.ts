import { describe, expect, it } from 'vitest';
import type { PermissionOptions } from '../../execute/permission-rules.ts';
import { ConfigurationValidationError } from '../../tools/config-error.ts';
import { type GatewayConfig, type GatewayLog, readGatewayConfig, type ServerOptions } from './config.ts';

function faultsOf(value: unknown, env: Record<string, string> = {}): string[] {
  try {
    readGatewayConfig(value, env);
    return [];
  } catch (error) {
    if (!ConfigurationValidationError.isInstance(error)) throw error;
    return error.faults.map(({ field, message }) => `${field}: ${message}`);
  }
}

/** Every setting there is: the compiler minds one that is missing here, and the test one that is missing in the schema. */
const permissions: Required<PermissionOptions> = { mode: 'ask', allow: ['a'], deny: ['b'], ask: ['c'] };
const options: Required<ServerOptions> = {
  type: 'stdio',
  disabled: false,
  include: ['*'],
  exclude: ['x'],
  rename: { a: 'b' },
  prefix: 'p_',
  trusted: true,
  acceptNew: false,
  permissions,
  timeout: 1,
  connectTimeout: 1,
};
const log: Required<GatewayLog> = { file: 'a.db', content: true, keepDays: 7 };
const all: Required<GatewayConfig> = {
  mcpServers: {
    one: { command: 'node', args: ['x'], env: { A: 'b' }, cwd: '/', ...options },
    two: { url: 'https://example.com/mcp', headers: { 'X-Key': 'k' }, ...options },
  },
  $schema: 's',
  permissions,
  pins: 'p.json',
  host: 'localhost',
  port: 0,
  hosts: ['a'],
  log,
  token: 'sixteen-characters',
  policy: { check: true, minCertainty: 'lossless', limits: { depth: 9, size: 9, keys: 9 } },
};

describe('readGatewayConfig', () => {
  it('takes every setting there is', () => {
    expect(faultsOf(all)).toEqual([]);
  });

  it('puts variables in, and misses those that are not set', () => {
    const config = {
      mcpServers: { a: { url: 'https://example.com', headers: { Authorization: `Bearer \${env:KEY}` } } },
    };
    expect(readGatewayConfig(config, { KEY: 'k' }).mcpServers.a).toMatchObject({
      headers: { Authorization: 'Bearer k' },
    });
    expect(faultsOf(config)).toEqual(['mcpServers.a.headers.Authorization: the environment variable KEY is not set']);
  });

  it.each([
    [{}, 'mcpServers: '],
    [{ mcpServers: { a: {} } }, 'mcpServers.a.command: '],
    [{ mcpServers: { a: { command: 'x', url: 'https://example.com' } } }, 'mcpServers.a.command: '],
    [{ mcpServers: { a__b: { command: 'x' } } }, 'mcpServers.a__b: '],
    [{ mcpServers: { a: { url: 'ftp://example.com' } } }, 'mcpServers.a.url: '],
    [{ mcpServers: { a: { url: 'https://me:secret@example.com' } } }, 'mcpServers.a.url: '],
    [{ mcpServers: { a: { command: 'x', exlude: ['y'] } } }, 'mcpServers.a.exlude: '],
    [{ mcpServers: { a: { command: 'x', permissions: { mode: 'yolo' } } } }, 'mcpServers.a.permissions.mode: '],
    [{ mcpServers: {}, permisions: {} }, 'permisions: '],
    [{ mcpServers: {}, token: 'short' }, 'token: '],
  ])('%j is refused, with its place', (value, place) => {
    const [first = ''] = faultsOf(value);
    expect(first.slice(0, place.length)).toBe(place);
  });
});
