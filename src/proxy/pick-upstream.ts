import type { Upstream } from './proxy-options.ts';

/** The first upstream that serves a model; the first of all where none says so. */
export function pickUpstream(upstreams: readonly Upstream[], model: string): Upstream {
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
