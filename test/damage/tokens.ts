/** A call as written: tokens that a damage can change one by one. */
import { isObject, type JsonValue, type Path } from '../../src/json/value.ts';
import type { Random } from './random.ts';

export interface Token {
  readonly kind: '{' | '}' | '[' | ']' | ',' | ':' | 'key' | 'string' | 'number' | 'literal' | 'space';
  readonly text: string;
  /** The place it belongs to; for commas and closers that of the object or list around. */
  readonly path: Path;
  /** The text of a key or string before it was written as JSON. */
  readonly meant?: string;
}

export type Layout = 'compact' | 'spaced' | 'pretty';

export const anyLayout = (random: Random): Layout => random.pick(['compact', 'spaced', 'pretty'] as const);

/** Writes a value as tokens. */
export const tokensOf = (value: JsonValue, layout: Layout = 'spaced'): Token[] => {
  const out: Token[] = [];
  const space = (text: string, path: Path): void => {
    if (text !== '') out.push({ kind: 'space', text, path });
  };
  const line = (depth: number): string => (layout === 'pretty' ? `\n${'  '.repeat(depth)}` : '');
  const visit = (now: JsonValue, path: Path): void => {
    if (Array.isArray(now) || isObject(now)) {
      const list = Array.isArray(now);
      const members: [string | number, JsonValue][] = list ? now.map((item, at) => [at, item]) : Object.entries(now);
      out.push({ kind: list ? '[' : '{', text: list ? '[' : '{', path });
      members.forEach(([key, member], at) => {
        if (at > 0) out.push({ kind: ',', text: ',', path });
        space(layout === 'spaced' && at > 0 ? ' ' : line(path.length + 1), path);
        if (!list) {
          out.push({ kind: 'key', text: JSON.stringify(key), path: [...path, key], meant: String(key) });
          out.push({ kind: ':', text: ':', path: [...path, key] });
          space(layout === 'compact' ? '' : ' ', path);
        }
        visit(member, [...path, key]);
      });
      if (members.length > 0) space(line(path.length), path);
      out.push({ kind: list ? ']' : '}', text: list ? ']' : '}', path });
    } else if (typeof now === 'string') out.push({ kind: 'string', text: JSON.stringify(now), path, meant: now });
    else out.push({ kind: typeof now === 'number' ? 'number' : 'literal', text: JSON.stringify(now), path });
  };
  visit(value, []);
  return out;
};

/** The text of tokens. */
export const written = (tokens: readonly Token[]): string => tokens.map((token) => token.text).join('');

/** Writes with a say over each token's text; `undefined` leaves it as it is. */
export const rewritten = (tokens: readonly Token[], change: (token: Token, at: number) => string | undefined): string =>
  tokens.map((token, at) => change(token, at) ?? token.text).join('');

/** The index of a token that satisfies, picked at random. */
export const pickToken = (
  tokens: readonly Token[],
  random: Random,
  wanted: (token: Token, at: number) => boolean,
): number | undefined => {
  const found = tokens.flatMap((token, at) => (wanted(token, at) ? [at] : []));
  return found.length === 0 ? undefined : random.pick(found);
};

/** The nearest token before `at` that is no space. */
export const before = (tokens: readonly Token[], at: number): Token | undefined =>
  tokens.slice(0, at).findLast((token) => token.kind !== 'space');

/** The nearest token after `at` that is no space. */
export const after = (tokens: readonly Token[], at: number): Token | undefined =>
  tokens.slice(at + 1).find((token) => token.kind !== 'space');
