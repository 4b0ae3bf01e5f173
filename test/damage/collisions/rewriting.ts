import type { Random } from '../random.ts';
import { anyLayout, pickToken, rewritten, type Token, tokensOf } from '../tokens.ts';
import type { Meant } from './mistake.ts';

/** Rewrites one token that fits. */
export const one =
  (
    fits: (token: Token, at: number, tokens: readonly Token[]) => boolean,
    change: (token: Token, random: Random) => string,
    layout?: 'compact' | 'spaced' | 'pretty',
  ) =>
  ({ value }: Meant, random: Random): string | undefined => {
    const tokens = tokensOf(value, layout ?? anyLayout(random));
    const at = pickToken(tokens, random, (token, index) => fits(token, index, tokens));
    const token = tokens[at ?? -1];
    if (token === undefined) return undefined;
    const text = change(token, random);
    return rewritten(tokens, (_, index) => (index === at ? text : undefined));
  };
/** Rewrites every token that fits. */
export const every =
  (fits: (token: Token) => boolean, change: (token: Token, random: Random) => string) =>
  ({ value }: Meant, random: Random): string | undefined => {
    const tokens = tokensOf(value, anyLayout(random));
    return tokens.some(fits)
      ? rewritten(tokens, (token) => (fits(token) ? change(token, random) : undefined))
      : undefined;
  };
