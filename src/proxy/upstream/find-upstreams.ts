import { ConfigurationValidationError } from '../../tools/config-error.ts';
import { type ProxyOptions, type Upstream, upstreamName } from '../options.ts';
import { ignoredProxy, trustAuthority } from './agents.ts';
import { detectAtAny } from './detect-formats.ts';

/** The upstreams with their API formats. Those that don't respond have none, if others do. */
export async function findUpstreams({ upstreams, onNotice }: ProxyOptions): Promise<Upstream[]> {
  const ignored = ignoredProxy(process.env, process.version);
  if (ignored !== undefined) onNotice?.(ignored);
  const found = await Promise.all(upstreams.map(withFormats));
  const all = found.flatMap((one) => [one, ...one.fallbacks]);
  if (all.every(({ why }) => why !== undefined)) refuseSilence(String(all[0]?.why));
  for (const { upstream, why } of all)
    if (why !== undefined) onNotice?.(`${why}. The API formats of ${upstreamName(upstream)} are detected later`);
  return found.map(({ upstream, fallbacks }) =>
    fallbacks.length > 0 ? { ...upstream, fallbacks: fallbacks.map((one) => one.upstream) } : upstream,
  );
}

/** An upstream whose API formats are known, or why they aren't. */
interface FoundUpstream {
  readonly upstream: Upstream;
  readonly why?: string;
  readonly fallbacks: readonly FoundUpstream[];
}

/** A copy of an upstream with its API formats, detected if they aren't configured; or why there are none. */
async function withFormats(upstream: Upstream): Promise<FoundUpstream> {
  const { url, alternates = [], headers, ca } = upstream;
  if (ca !== undefined) for (const one of [url, ...alternates]) trustAuthority(one, ca);
  const fallbacks = await Promise.all((upstream.fallbacks ?? []).map(withFormats));
  if (upstream.formats) {
    const isSilent = upstream.formats.length === 0;
    const why = isSilent && { why: `No response from ${new URL(url).origin}` };
    return { upstream: { ...upstream }, fallbacks, ...why };
  }
  const { formats, target, why } = await detectAtAny([url, ...alternates], headers && { headers });
  if (formats.length > 0) return { upstream: { target, ...upstream, formats }, fallbacks };
  return { upstream: { ...upstream, formats: [] }, fallbacks, why };
}

function refuseSilence(why: string): never {
  const field = 'upstreams.formats';
  const fault = { field, message: why, fix: 'Start the server, or set its formats' };
  throw new ConfigurationValidationError(`${why}. ${fault.fix}`, { configType: 'proxy', field, faults: [fault] });
}
