/** Words and numbers as Python and JavaScript write them, comments, tuples. */
import type { JsonObject, JsonValue } from '../../src/json/value.ts';
import type { Sample } from './definition.ts';
import type { Damaged, Kind } from './kind.ts';
import { anything, only, type Place, placesOf, replaced } from './places.ts';
import type { Random } from './random.ts';
import { after, anyLayout, rewritten, type Token, tokensOf } from './tokens.ts';
import { valid } from './valid.ts';

const python: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' };
const same = (one: readonly unknown[], other: readonly unknown[]): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** Sets a value at a place where it is valid and writes it there as `text`. */
const writtenAs =
  (
    fits: (place: Place) => boolean,
    choose: (random: Random) => readonly [value: JsonValue, text: string],
  ): Kind['apply'] =>
  (sample: Sample, random: Random): Damaged | undefined => {
    const root = sample.tool.inputSchema;
    const places = placesOf(sample.input, root).filter((place) => place.path.length > 0 && fits(place));
    if (places.length === 0) return undefined;
    const { path } = random.pick(places);
    const [value, text] = choose(random);
    const expected = replaced(sample.input, path, value) as JsonObject;
    if (!valid(expected, root)) return undefined;
    const leaf = (token: Token): boolean =>
      same(token.path, path) && (token.kind === 'number' || token.kind === 'literal' || token.kind === 'string');
    const tokens = tokensOf(expected, anyLayout(random));
    return { arguments: rewritten(tokens, (token) => (leaf(token) ? text : undefined)), expected };
  };

const numeric = (place: Place): boolean => only(place, 'number', 'integer') && typeof place.value === 'number';
const whole = (place: Place): boolean => only(place, 'integer', 'number') && Number.isInteger(place.value);
const textual = (place: Place): boolean => only(place, 'string') && typeof place.value === 'string';

const literal =
  (of: (token: Token, random: Random) => string | undefined): Kind['apply'] =>
  ({ input }, random) => {
    const tokens = tokensOf(input, anyLayout(random));
    return tokens.some((token) => of(token, random) !== undefined)
      ? { arguments: rewritten(tokens, (token) => of(token, random)) }
      : undefined;
  };

const comments = [
  '/* a note */',
  '/* has "quotes", {braces} and a: colon */',
  '// to the end of the line\n',
  '// don\'t forget, "this": [1, 2]\n',
  '# a Python comment\n',
  '/** two\n * lines */',
];

const commented =
  (behind: string, where: (tokens: readonly Token[], at: number) => boolean = () => true): Kind['apply'] =>
  ({ input }, random) => {
    const tokens = tokensOf(input, anyLayout(random));
    return {
      arguments: rewritten(tokens, (token, at) =>
        behind.includes(token.kind) && where(tokens, at) && random.chance(0.5)
          ? `${token.text} ${random.pick(comments)}`
          : undefined,
      ),
    };
  };

/** Whether an empty list opens here: a comment as all that is in it may be an item without quotes. */
const opensEmpty = (tokens: readonly Token[], at: number): boolean =>
  tokens[at]?.kind === '[' && after(tokens, at)?.kind === ']';

export const literalKinds: readonly Kind[] = [
  {
    name: 'Python literals',
    expect: 'lossless',
    apply: literal((token) => (token.kind === 'literal' ? python[token.text] : undefined)),
  },
  {
    name: 'literals in capitals',
    expect: 'safe',
    apply: literal((token) => (token.kind === 'literal' ? token.text.toUpperCase() : undefined)),
  },
  {
    name: 'undefined for null',
    expect: 'lossless',
    apply: literal((token) => (token.kind === 'literal' && token.text === 'null' ? 'undefined' : undefined)),
  },
  {
    name: 'tuples for lists',
    expect: 'lossless',
    // In Python brackets around one thing make no tuple of it.
    apply: (sample, random) =>
      placesOf(sample.input, anything).some((place) => Array.isArray(place.value) && place.value.length === 1)
        ? undefined
        : literal((token) => (token.kind === '[' ? '(' : token.kind === ']' ? ')' : undefined))(sample, random),
  },
  {
    name: 'a tuple of one, with its comma',
    expect: 'lossless',
    apply: ({ input }) => {
      const tokens = tokensOf(input, 'spaced');
      const lists = placesOf(input, anything).filter((place) => Array.isArray(place.value) && place.value.length === 1);
      const list = lists[0];
      if (list === undefined) return undefined;
      const write = (token: Token): string | undefined =>
        same(token.path, list.path) ? { '[': '(', ']': ',)' }[token.kind as string] : undefined;
      return { arguments: rewritten(tokens, write) };
    },
  },
  {
    name: 'a hexadecimal number',
    expect: 'inferred',
    apply: writtenAs(whole, (random) => {
      const value = random.between(1, 4000);
      return [value, `0x${random.chance(0.5) ? value.toString(16) : value.toString(16).toUpperCase()}`];
    }),
  },
  {
    name: 'underscores between digits',
    expect: 'inferred',
    apply: writtenAs(whole, (random) => {
      const value = random.between(1, 4) * 1000 + random.int(1000);
      return [value, `${Math.floor(value / 1000)}_${String(value % 1000).padStart(3, '0')}`];
    }),
  },
  {
    name: 'a number with a trailing dot',
    expect: 'inferred',
    apply: writtenAs(whole, (random) => {
      const value = random.between(1, 40);
      return [value, `${value}.`];
    }),
  },
  {
    name: 'a number with a leading dot',
    expect: 'inferred',
    apply: writtenAs(
      (place) => numeric(place) && !only(place, 'integer'),
      (random) =>
        random.pick([
          [0.5, '.5'],
          [0.25, '.25'],
        ] as const),
    ),
  },
  {
    name: 'a number with a plus sign',
    expect: 'inferred',
    apply: writtenAs(numeric, (random) => {
      const value = random.between(1, 40);
      return [value, `+${value}`];
    }),
  },
  {
    name: 'NaN or Infinity where text is wanted',
    expect: 'exact',
    apply: writtenAs(textual, (random) => {
      const word = random.pick(['NaN', 'Infinity', '-Infinity']);
      return [word, word];
    }),
  },
  {
    name: 'a number where text is wanted keeps its literal',
    expect: 'inferred',
    apply: writtenAs(textual, (random) => {
      const word = random.pick(['5', '1.10', '2.0', '1e3', '-3', '0.50', '12345', '1.0E+2', '900719925474099267']);
      return [word, word];
    }),
  },
  {
    name: 'a number with leading zeros where text is wanted',
    expect: 'exact',
    apply: writtenAs(textual, (random) => {
      const word = random.pick(['007', '01234', '00']);
      return [word, word];
    }),
  },
  {
    name: 'a flag where text is wanted',
    expect: 'inferred',
    apply: writtenAs(textual, (random) => {
      const word = random.pick(['true', 'false']);
      return [word, word];
    }),
  },
  {
    name: 'a bare date where text is wanted',
    expect: 'exact',
    apply: writtenAs(textual, (random) => {
      const word = random.pick(['2024-01-31', '2023-12-05']);
      return [word, word];
    }),
  },
  {
    name: 'comments between members',
    // Lossless on lines of their own.
    expect: 'exact',
    apply: commented('{,[', (tokens, at) => !opensEmpty(tokens, at)),
  },
  {
    // The rest of the line can be the value: an item of a list of texts. The reader doesn't know what the list takes.
    name: 'comments as all that is in a list',
    expect: 'safe',
    apply: (sample, random) =>
      tokensOf(sample.input).some((_, at, tokens) => opensEmpty(tokens, at))
        ? commented('[', opensEmpty)(sample, random)
        : undefined,
  },
  {
    // Before a string they may be the first words of a text without quotes.
    name: 'comments behind colons',
    expect: 'safe',
    apply: commented(':'),
  },
  {
    name: 'a comment around the object',
    expect: 'exact',
    apply: ({ input }, random) => ({
      arguments: random.chance(0.5) ? `// the arguments\n${JSON.stringify(input)}` : `${JSON.stringify(input)} // done`,
    }),
  },
];
