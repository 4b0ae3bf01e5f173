import type { Upstream } from '../options.ts';

/** The first upstream that serves a model; the first of all where none says so. */
export function selectUpstream(upstreams: readonly Upstream[], model: string): Upstream {
  const found = upstreams.find(({ models }) => !models || models.some((pattern) => fits(pattern, model)));
  return found ?? (upstreams[0] as Upstream);
}

const fits = (pattern: string, model: string): boolean =>
  new RegExp(
    `^${pattern
      .split('*')
      .map((piece) => piece.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*?')}$`,
    's',
  ).test(model);

/** What an upstream is called in logs: its name, or where it is. */
export const upstreamName = ({ name, url }: Pick<Upstream, 'name' | 'url'>): string => name ?? new URL(url).host;
