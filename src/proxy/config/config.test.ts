import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ConfigurationValidationError } from '../../tools/config-error.ts';
import { type LogConfig, type ModelConfig, type ProxyConfig, readConfig, type UpstreamConfig } from './config.ts';
import { upstreamsOf } from './upstreams.ts';

const url = 'http://127.0.0.1:11434';
const from = (variable: string): string => `\${env:${variable}}`;

function faultsOf(value: unknown, env: Record<string, string> = {}) {
  try {
    readConfig(value, env);
    return [];
  } catch (error) {
    if (!ConfigurationValidationError.isInstance(error)) throw error;
    return error.faults;
  }
}

/** Every setting there is: the compiler minds one that is missing here, and the test one that is missing in the schema. */
const policy: Required<NonNullable<UpstreamConfig['policy']>> = {
  check: true,
  minCertainty: 'lossless',
  limits: { depth: 9, size: 9, keys: 9 },
};
const perModel = {
  headers: { 'X-Team': 'a' },
  policy,
  dialect: 'auto',
  toolsInText: true,
  defaults: { a: 1 },
  drop: ['store'],
  reasoning: true,
  contextWindow: 9,
};
const upstream: Required<UpstreamConfig> = { ...perModel, url, format: 'ollama', ca: 'a.pem' };
const model: Required<ModelConfig> = { ...perModel, upstream: 'local', model: 'b' };
const log: Required<LogConfig> = { file: 'a.db', content: true, responses: true, keepDays: 7 };
const limits: Required<NonNullable<ProxyConfig['limits']>> = { perMinute: 1, concurrency: 1, connections: 1 };
const timeouts: Required<NonNullable<ProxyConfig['timeouts']>> = {
  head: 1,
  request: 1,
  close: 1,
  connect: 1,
  idle: 1,
};
const retryLimits: Required<NonNullable<ProxyConfig['retryLimits']>> = { time: 1, tokens: 1 };
const failover: Required<NonNullable<ProxyConfig['failover']>> = {
  attempts: 2,
  maxWait: 1,
  ejectAfter: 1,
  ejectFor: 1,
};
const key: Required<NonNullable<ProxyConfig['keys']>[string]> = {
  key: 'sixteen-letters-y',
  perMinute: 1,
  concurrency: 1,
  tokensPerDay: 1,
};
const all: Required<ProxyConfig> = {
  keys: { alice: key },
  origins: ['https://app.example.com'],
  failover,
  retries: 2,
  retryLimits,
  streamArguments: true,
  $schema: 'x',
  host: '127.0.0.1',
  port: 1,
  hosts: ['a'],
  token: 'sixteen-letters-x',
  dryRun: false,
  limits,
  timeouts,
  log,
  upstreams: { local: upstream },
  models: { 'a*': model, 'b*': ['local', model], '*': 'local' },
};

const schema = JSON.parse(readFileSync(new URL('../proxy-config.schema.json', import.meta.url), 'utf8'));

describe('settings', () => {
  it('accept everything that the types allow', () => {
    expect(readConfig(all, {})).toEqual(all);
  });

  it.each<[string, { properties: object }, object]>([
    ['the whole', schema, all],
    ['limits', schema.properties.limits, limits],
    ['timeouts', schema.properties.timeouts, timeouts],
    ['limits of retries', schema.properties.retryLimits, retryLimits],
    ['failover', schema.properties.failover, failover],
    ['a key', schema.properties.keys?.additionalProperties, key],
    ['log', schema.properties.log, log],
    ['an upstream', schema.properties.upstreams.additionalProperties, upstream],
    ['a model', schema.definitions.target?.anyOf[1], model],
    ['a policy', schema.definitions.policy, policy],
  ])('the published schema has the same settings for %s as the types', (_, part, sample) => {
    expect(Object.keys(part.properties).sort()).toEqual(Object.keys(sample).sort());
  });

  it('replace environment variables anywhere in a string', () => {
    const value = {
      upstreams: { a: { url, headers: { Authorization: `Bearer ${from('KEY')}` } } },
      token: from('TOKEN'),
    };
    expect(readConfig(value, { KEY: 'k', TOKEN: 'sixteen-letters-x' })).toMatchObject({
      upstreams: { a: { headers: { Authorization: 'Bearer k' } } },
      token: 'sixteen-letters-x',
    });
  });

  it.each<[string, unknown, string, RegExp, RegExp]>([
    [
      'a variable that is not set',
      { upstreams: { a: { url } }, token: from('NONE') },
      'token',
      /NONE is not set/,
      /Set/,
    ],
    ['no upstream', {}, 'upstreams', /required/, /Add/],
    ['an empty list', { upstreams: {} }, 'upstreams', /at least 1/, /./],
    ['no address', { upstreams: { a: {} } }, 'upstreams.a.url', /required/, /./],
    ['an address of another kind', { upstreams: { a: { url: 'ftp://x' } } }, 'upstreams.a.url', /match/, /./],
    ['a word that is close', { upstreams: { a: { url } }, prt: 1 }, 'prt', /did you mean 'port'/, /./],
    ['a word that is not known', { upstreams: { a: { url } }, zebra: 1 }, 'zebra', /not known/, /./],
    ['a port that is none', { upstreams: { a: { url } }, port: 70000 }, 'port', /at most 65535/, /./],
    [
      'an upstream that is not there',
      { upstreams: { a: { url } }, models: { '*': 'b' } },
      'models.*',
      /unknown upstream 'b'/,
      /a/,
    ],
    ['a list', [], 'the file', /object/, /./],
  ])('reports %s with its location, the fault and a fix', (_, value, field, message, fix) => {
    const [first] = faultsOf(value);
    expect(first).toMatchObject({ field, message: expect.stringMatching(message), fix: expect.stringMatching(fix) });
  });

  it('reports every fault, not only the first', () => {
    expect(faultsOf({ upstreams: { a: {} }, port: 'x', zebra: 1 }).length).toBeGreaterThanOrEqual(3);
  });
});

describe('upstreams of settings', () => {
  const find = async () => ({ formats: ['gemini'] as const, target: 'gemini' as const, why: 'a test said so' });

  it('detect their API formats unless configured', async () => {
    const { upstreams } = await upstreamsOf({ upstreams: { a: { url }, b: { url, format: 'openai' } } }, find);
    expect(upstreams).toMatchObject([
      { name: 'a', formats: ['gemini'], target: 'gemini' },
      { name: 'b', formats: ['openai-chat', 'openai-responses'] },
    ]);
  });

  it('are chosen by model, in the order of the file, with the settings of the model', async () => {
    const { upstreams } = await upstreamsOf(
      {
        upstreams: { a: { url, format: 'ollama', headers: { x: '1', y: '1' } }, b: { url, format: ['anthropic'] } },
        models: {
          'claude-*': 'b',
          'qwen*': { upstream: 'a', headers: { y: '2' }, policy: { minCertainty: 'lossless' } },
        },
      },
      find,
    );
    expect(upstreams).toMatchObject([
      { name: 'b', models: ['claude-*'], formats: ['anthropic'] },
      {
        name: 'a',
        models: ['qwen*'],
        formats: ['ollama'],
        headers: { x: '1', y: '2' },
        policy: { minCertainty: 'lossless' },
      },
    ]);
  });
});
