import { afterEach, describe, expect, it } from 'vitest';
import type { Format } from '../../src/model/index.ts';
import type { ServedTurn } from '../../src/provider/scripted/script.ts';
import { type ScriptedServer, serveScripted } from '../../src/provider/scripted/server.ts';
import { createProxy, type ResponseReport, type RunningProxy } from '../../src/proxy/server.ts';
import { sdks } from '../provider/sdks.ts';

const open: (ScriptedServer | RunningProxy)[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

async function through(turn: ServedTurn, formats: readonly Format[]) {
  const upstream = await serveScripted([turn]);
  const reports: ResponseReport[] = [];
  const errors: string[] = [];
  const proxy = await createProxy({
    upstreams: [{ url: upstream.url, formats }],
    onResponse: (report) => reports.push(report),
    onError: (message) => errors.push(message),
  }).listen();
  open.push(proxy, upstream);
  return { url: proxy.url, reports, errors, upstream };
}

const all: readonly Format[] = ['openai-chat', 'openai-responses', 'anthropic', 'gemini', 'ollama'];
const damaged = { city: 'Oslo', days: '3' };
const turn: ServedTurn = {
  text: 'Let me look.',
  calls: [{ id: 'call_1', name: 'getWeather', arguments: damaged }],
  usage: { input: 11, output: 7 },
  chunk: 5,
};
const seen = {
  text: 'Let me look.',
  calls: [{ name: 'get_weather', arguments: { city: 'Oslo', days: 3 } }],
  input: 11,
  output: 7,
};

describe.each(all)('an upstream with the API format %s', (format) => {
  describe.each(Object.entries(sdks))('through the proxy, with the %s package', (_, sdk) => {
    it('returns a damaged call mended, complete', async () => {
      const { url, reports } = await through(turn, [format]);
      expect(await sdk.whole(url)).toEqual(seen);
      expect(reports).toMatchObject([{ wire: format, streamed: false, calls: [{ status: 'mended', changed: true }] }]);
    });

    it('returns a damaged call mended, streamed', async () => {
      const { url, reports } = await through(turn, [format]);
      expect(await sdk.stream(url)).toEqual(seen);
      expect(reports).toMatchObject([{ wire: format, streamed: true, calls: [{ status: 'mended', changed: true }] }]);
    });

    it('returns an error as an error', async () => {
      const failing = { error: { kind: 'rate_limit', message: 'too many', status: 429, retryable: true } } as const;
      const { url } = await through(failing, [format]);
      await expect(sdk.whole(url)).rejects.toThrow(/too many|429/);
    });
  });
});
