/** Calls that nothing is wrong with: they come out as they went in, with no repair. */
import type { Kind } from './kind.ts';
import { rewritten, tokensOf, written } from './tokens.ts';

/** Every character outside ASCII, and the slash, as an escape: other writing, the same text. */
const escaped = (text: string): string =>
  text.replace(/[^ -~]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`).replaceAll('/', '\\/');

export const goodKinds: readonly Kind[] = [
  { name: 'good, compact', expect: 'ok', apply: ({ input }) => ({ arguments: JSON.stringify(input) }) },
  { name: 'good, pretty', expect: 'ok', apply: ({ input }) => ({ arguments: written(tokensOf(input, 'pretty')) }) },
  { name: 'good, as a value', expect: 'ok', apply: ({ input }) => ({ arguments: structuredClone(input) }) },
  {
    name: 'good, with blanks everywhere',
    expect: 'ok',
    apply: ({ input }) => ({
      arguments: `\n ${rewritten(tokensOf(input, 'compact'), (token) => ` ${token.text}\t\r\n`)} `,
    }),
  },
  {
    name: 'good, with escapes',
    expect: 'ok',
    apply: ({ input }) => ({
      arguments: rewritten(tokensOf(input, 'compact'), (token) =>
        token.kind === 'string' || token.kind === 'key' ? escaped(token.text) : undefined,
      ),
    }),
  },
];
