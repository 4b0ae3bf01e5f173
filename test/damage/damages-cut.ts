/** Text that stops early: recovered only where nothing but closers is missing. */
import type { JsonObject } from '../../src/json/value.ts';
import { textOf } from './content.ts';
import type { Sample } from './definition.ts';
import type { Damaged, Kind } from './kind.ts';
import { formsOf, placesOf } from './places.ts';
import { anyLayout, pickToken, type Token, tokensOf, written } from './tokens.ts';
import { withText } from './with-text.ts';

const isCloser = (token: Token): boolean => token.kind === '}' || token.kind === ']';

/** The text up to a token, and as much of that token as `keep` says. */
const cutAt =
  (wanted: (token: Token) => boolean, keep: (token: Token, share: number) => string): Kind['apply'] =>
  ({ input }, random) => {
    const tokens = tokensOf(input, anyLayout(random));
    const at = pickToken(tokens, random, wanted);
    const token = tokens[at ?? -1];
    if (at === undefined || token === undefined) return undefined;
    return {
      arguments: written(tokens.slice(0, at)) + keep(token, random.next()),
      ...(random.chance(0.3) && { finishReason: 'length' as const }),
    };
  };

const whole = (token: Token): string => token.text;
/** At least one character, never all of them, and no half of an escaped character pair. */
const part = (token: Token, share: number): string =>
  token.text.slice(0, 1 + Math.floor(share * (token.text.length - 1)));

const truncated = (name: string, apply: Kind['apply']): Kind => ({
  name,
  expect: 'refused',
  errorType: 'truncated',
  apply,
});

/** Whether every object still open when `input` lacks its last `count` closers has declared keys only. */
const declaredOnly = ({ input, tool }: Sample, open: readonly Token[]): boolean =>
  open.every((token) => {
    const place = placesOf(input, tool.inputSchema).find(
      (one) => JSON.stringify(one.path) === JSON.stringify(token.path),
    );
    const forms = place?.forms ?? formsOf(tool.inputSchema, tool.inputSchema);
    return Object.keys((place?.value ?? input) as JsonObject).every((key) =>
      forms.some((form) => Object.hasOwn(form.properties ?? {}, key)),
    );
  });

const withoutClosers = (sample: Sample, count: number, last: (token: Token) => boolean): Damaged | undefined => {
  const tokens = tokensOf(sample.input, 'spaced');
  const closers: Token[] = [];
  while (closers.length < count && tokens.length > 0 && isCloser(tokens.at(-1) as Token))
    closers.push(tokens.pop() as Token);
  const end = tokens.at(-1);
  if (closers.length < count || end === undefined || !last(end) || closers.some((token) => token.kind === ']'))
    return undefined;
  return declaredOnly(sample, closers) ? { arguments: written(tokens) } : undefined;
};

export const cutKinds: readonly Kind[] = [
  {
    name: 'closing braces missing after a closer or a word',
    expect: 'inferred',
    apply: (sample, random) =>
      withoutClosers(sample, random.between(1, 2), (token) => isCloser(token) || token.kind === 'literal'),
  },
  {
    name: 'closing braces missing after a string',
    expect: 'safe',
    apply: (sample, random) => withoutClosers(sample, random.between(1, 2), (token) => token.kind === 'string'),
  },
  truncated('closing braces missing after a number', (sample, random) =>
    withoutClosers(sample, random.between(1, 2), (token) => token.kind === 'number'),
  ),
  truncated('closing braces missing, ended by length', (sample, random) => {
    const made = withoutClosers(sample, random.between(1, 2), (token) => token.kind !== '{');
    return made && { ...made, finishReason: 'length' };
  }),
  {
    name: 'closing braces missing, with a key nobody declared',
    expect: 'refused',
    apply: ({ input, tool }) => {
      const root = formsOf(tool.inputSchema, tool.inputSchema)[0];
      if (typeof root?.additionalProperties === 'object') return undefined;
      return { arguments: `${JSON.stringify({ ...input, zz_unheard: true }).slice(0, -1)}` };
    },
  },
  truncated(
    'cut in a string',
    cutAt((token) => token.kind === 'string' && token.text.length > 2, part),
  ),
  truncated(
    'cut right after a quote opens',
    cutAt(
      (token) => token.kind === 'string',
      () => '"',
    ),
  ),
  truncated(
    'cut in a key',
    cutAt((token) => token.kind === 'key' && token.text.length > 2, part),
  ),
  truncated(
    'cut after a key',
    cutAt((token) => token.kind === 'key', whole),
  ),
  truncated(
    'cut after a colon',
    cutAt((token) => token.kind === ':', whole),
  ),
  truncated(
    'cut after a comma',
    cutAt((token) => token.kind === ',', whole),
  ),
  truncated(
    'cut in or after a number',
    cutAt(
      (token) => token.kind === 'number',
      (token, share) => (share < 0.5 ? part(token, share * 2) : token.text),
    ),
  ),
  truncated(
    'cut in a word',
    cutAt((token) => token.kind === 'literal', part),
  ),
  truncated(
    'cut after an opening bracket',
    cutAt((token) => token.kind === '{' || token.kind === '[', whole),
  ),
  truncated('cut in a list after an item', ({ input }, random) => {
    const tokens = tokensOf(input, anyLayout(random));
    const at = pickToken(tokens, random, (token, index) => {
      const next = tokens.slice(index + 1).find((one) => one.kind !== 'space');
      return (
        token.kind !== 'space' &&
        token.kind !== '[' &&
        (next?.kind === ']' || (next?.kind === ',' && typeof token.path.at(-1) === 'number'))
      );
    });
    return at === undefined ? undefined : { arguments: written(tokens.slice(0, at + 1)) };
  }),
  truncated('cut in the middle of an escape', (sample, random) => {
    const made = withText(sample, random, random.pick(['line one\nline two', 'say "hi" now', textOf(random, 'regex')]));
    const text = made && JSON.stringify(made.input);
    const at = text?.indexOf('\\') ?? -1;
    return text === undefined || at < 0 ? undefined : { arguments: text.slice(0, at + 1) };
  }),
  truncated('cut in a string with inner quotes', (sample, random) => {
    const text = 'say "one" and "two" now';
    const made = withText(sample, random, text);
    if (made === undefined) return undefined;
    const tokens = tokensOf(made.input);
    const at = tokens.findIndex(
      (token) => token.kind === 'string' && JSON.stringify(token.path) === JSON.stringify(made.path),
    );
    return { arguments: `${written(tokens.slice(0, at))}"${text.slice(0, random.pick([9, 10, 13, 14]))}` };
  }),
  truncated('cut inside a fence', ({ input }, random) => {
    const text = JSON.stringify(input);
    return text.length < 8
      ? undefined
      : { arguments: `\`\`\`json\n${text.slice(0, text.lastIndexOf('"') + random.int(2))}`, finishReason: 'length' };
  }),
  truncated('an empty text that ended by length', () => ({ arguments: '', finishReason: 'length' })),
  {
    name: 'whole, though the message ended by length',
    expect: 'ok',
    apply: ({ input }, random) => ({ arguments: written(tokensOf(input, anyLayout(random))), finishReason: 'length' }),
  },
  {
    name: 'mended and whole, though the message ended by length',
    expect: 'lossless',
    apply: ({ input }) =>
      Object.keys(input).length === 0
        ? undefined
        : { arguments: `${JSON.stringify(input).slice(0, -1)},}`, finishReason: 'length' },
  },
];
