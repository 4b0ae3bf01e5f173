import type { Upstream } from './proxy-options.ts';

/** What an upstream is called in logs: its name, or where it is. */
export const upstreamName = ({ name, url }: Pick<Upstream, 'name' | 'url'>): string => name ?? new URL(url).host;
