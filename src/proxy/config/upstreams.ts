import { readFileSync } from 'node:fs';
import { checkArgument, isObject } from '../../json/value.ts';
import { ConfigurationValidationError } from '../../tools/config-error.ts';
import type { Upstream } from '../options.ts';
import { trustAuthority } from '../upstream/agents.ts';
import { type DetectedFormats, detectAtAny, detectFormats, namedFormats } from '../upstream/detect-formats.ts';
import { type ModelConfig, type ProxyConfig, targetsOf, type UpstreamConfig } from './config.ts';

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
  for (const [name, one] of Object.entries(upstreams)) if (one.ca !== undefined) trustFile(name, one, one.ca);
  const found = await Promise.all(
    Object.entries(upstreams).map(async ([name, one]) => ({
      name,
      url: [one.url].flat()[0] as string,
      ...(await formatsOf(one, find)),
    })),
  );
  const made = new Map(found.map((one) => [one.name, upstreamOf(one, upstreams[one.name] as UpstreamConfig)]));
  const rowOf = (pattern: string, { upstream, ...own }: ModelConfig): Upstream => {
    const base = made.get(upstream) as Upstream;
    const headers = { ...base.headers, ...own.headers };
    return { ...base, ...own, ...(Object.keys(headers).length > 0 && { headers }), models: [pattern] };
  };
  const rows = Object.entries(models ?? {}).map(([pattern, targets]): Upstream => {
    const [first, ...fallbacks] = targetsOf(targets).map((target) => rowOf(pattern, target));
    return { ...(first as Upstream), ...(fallbacks.length > 0 && { fallbacks }) };
  });
  return { upstreams: rows.length > 0 ? rows : [...made.values()], found };
}

/** Trusts the certificates in a file for an upstream. */
function trustFile(name: string, { url }: UpstreamConfig, file: string): void {
  try {
    for (const one of [url].flat()) trustAuthority(one, readFileSync(file, 'utf8'));
  } catch (error) {
    const field = `upstreams.${name}.ca`;
    const fault = { field, message: `'${file}' can't be read: ${(error as Error).message}`, fix: 'Use a PEM file' };
    throw new ConfigurationValidationError(`${field}: ${fault.message}. ${fault.fix}`, {
      configType: 'proxy',
      field,
      faults: [fault],
    });
  }
}

const upstreamOf = ({ name, url, formats, target }: DetectedUpstream, own: UpstreamConfig): Upstream => {
  const { format: _, ca: __, url: urls, ...said } = own;
  const alternates = [urls].flat().slice(1);
  return { ...said, name, url, ...(alternates.length > 0 && { alternates }), formats, target };
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
  return detectAtAny([url].flat(), headers ? { headers } : {}, find);
}
