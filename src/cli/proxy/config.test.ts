import { expect, it } from 'vitest';
import { settingsOf } from './config.ts';

const upstream = 'http://127.0.0.1:9';

const becomes = (flags: object, settings: object): void => {
  expect(settingsOf({ upstream, ...flags }, { PROXY_TOKEN: 'a-token-of-some-length' })).toMatchObject(settings);
};

it.each([
  [{ live: true }, { dryRun: true }],
  [{ 'stream-arguments': true }, { streamArguments: true }],
  [
    { format: 'ollama', 'num-ctx': '32768' },
    { upstreams: { upstream: { format: 'ollama', defaults: { options: { num_ctx: 32768 } } } } },
  ],
])('%j becomes %j', becomes);

it.each([
  [{ port: '0' }, { port: 0 }],
  [{ host: '127.0.0.1' }, { host: '127.0.0.1' }],
  [{ retries: '2' }, { retries: 2 }],
  [{ token: 'PROXY_TOKEN' }, { token: 'a-token-of-some-length' }],
  [{ log: 'calls.db', 'keep-days': '3' }, { log: { file: 'calls.db', keepDays: 3 } }],
  [{ 'log-content': 'calls.db' }, { log: { file: 'calls.db', content: true } }],
  [
    { format: 'openai', dialect: 'hermes' },
    { upstreams: { upstream: { url: upstream, format: 'openai', dialect: 'hermes' } } },
  ],
])('guard: %j becomes %j', becomes);
