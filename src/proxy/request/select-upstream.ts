import { textCache } from '../../json/text-cache.ts';
import type { Format } from '../../model/index.ts';
import type { Upstream } from '../options.ts';

/** The first upstream that serves a model; otherwise the first one, if possible with an API format. */
export function selectUpstream(upstreams: readonly Upstream[], model: string, format?: Format): Upstream {
  const fitting = format && upstreams.find(({ formats = [] }) => formats.includes(format));
  if (fitting) return fitting;
  const match = upstreams.find(({ models }) => !models || models.some((pattern) => patternOf(pattern).test(model)));
  return match ?? (upstreams[0] as Upstream);
}

/** The name of a model at an upstream. */
export function upstreamModel({ model: alias, models = [] }: Upstream, model: string): string {
  if (alias === undefined || model === '') return model;
  if (!alias.includes('*')) return alias;
  const matches = models.map((pattern) => patternOf(pattern).exec(model));
  return alias.replace('*', matches.find((match) => match !== null)?.[1] ?? model);
}

const patterns = textCache<RegExp>(1000);

/** A pattern of models, where `*` matches any text. */
export const patternOf = (pattern: string): RegExp =>
  patterns(
    pattern,
    () =>
      new RegExp(
        `^${pattern
          .split('*')
          .map((piece) => piece.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
          .join('(.*?)')}$`,
        's',
      ),
  );
