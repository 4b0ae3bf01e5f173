import { checkArgument, isObject } from '../../json/value.ts';
import type { Upstream } from '../options.ts';
import { type DetectedFormats, detectFormats, namedFormats } from '../upstream/detect-formats.ts';
import type { ModelConfig, ProxyConfig, UpstreamConfig } from './config.ts';

/** An upstream with its detected API formats. */
export interface DetectedUpstream extends DetectedFormats {
  readonly name: string;
  readonly url: string;
}

/** The upstreams of a configuration. Formats that aren't configured are detected. */
export async function upstreamsOf(
  config: Pick<ProxyConfig, 'upstreams' | 'models'>,
  find: typeof detectFormats = detectFormats,
): Promise<{ readonly upstreams: readonly Upstream[]; readonly found: readonly DetectedUpstream[] }> {
  checkArgument(isObject(config?.upstreams), 'config', '{ upstreams }, such as readConfig() returns', config);
  const { upstreams, models } = config;
  const found = await Promise.all(
    Object.entries(upstreams).map(async ([name, one]) => ({ name, url: one.url, ...(await formatsOf(one, find)) })),
  );
  const made = new Map(found.map((one) => [one.name, upstreamOf(one, upstreams[one.name] as UpstreamConfig)]));
  const rows = Object.entries(models ?? {}).map(([pattern, model]): Upstream => {
    const { upstream, ...own }: ModelConfig = typeof model === 'string' ? { upstream: model } : model;
    const base = made.get(upstream) as Upstream;
    const headers = { ...base.headers, ...own.headers };
    return {
      ...base,
      ...own,
      ...(Object.keys(headers).length > 0 && { headers }),
      models: [pattern],
    };
  });
  return { upstreams: rows.length > 0 ? rows : [...made.values()], found };
}

const upstreamOf = ({ name, url, formats, target }: DetectedUpstream, own: UpstreamConfig): Upstream => {
  const { format: _, ...said } = own;
  return { ...said, name, url, formats, target };
};

async function formatsOf(
  { url, format, headers }: UpstreamConfig,
  find: typeof detectFormats,
): Promise<DetectedFormats> {
  if (typeof format === 'string') {
    const { formats, target } = namedFormats[format] as (typeof namedFormats)[string];
    return { formats, target, why: 'configured' };
  }
  if (format) return { formats: format, target: 'plain', why: 'configured' };
  return find(url, headers ? { headers } : {});
}
