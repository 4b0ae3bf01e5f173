/** Commas, brackets and colons that are missing, doubled or too many. */
import { isObject, type JsonValue, type Path } from '../../src/json/value.ts';
import type { Sample } from './definition.ts';
import type { Kind } from './kind.ts';
import { formsOf, type Place, placesOf } from './places.ts';
import { after, anyLayout, before, pickToken, rewritten, type Token, tokensOf, written } from './tokens.ts';

const isCloser = (token: Token): boolean => token.kind === '}' || token.kind === ']';
const isOpener = (token: Token): boolean => token.kind === '{' || token.kind === '[';

const trailing =
  (closer: '}' | ']'): Kind['apply'] =>
  ({ input }, random) => {
    const tokens = tokensOf(input, anyLayout(random));
    const at = pickToken(
      tokens,
      random,
      (token, index) => token.kind === closer && !isOpener(before(tokens, index) as Token),
    );
    return at === undefined
      ? undefined
      : { arguments: rewritten(tokens, (token, index) => (index === at ? `,${token.text}` : undefined)) };
  };

const inList = (token: Token, input: JsonValue): boolean => {
  let value: JsonValue = input;
  for (const key of token.path) value = (value as Record<string | number, JsonValue>)[key] as JsonValue;
  return Array.isArray(value);
};

const doubled =
  (list: boolean): Kind['apply'] =>
  ({ input }, random) => {
    const tokens = tokensOf(input, anyLayout(random));
    const at = pickToken(tokens, random, (token) => token.kind === ',' && inList(token, input) === list);
    const commas = random.pick([',,', ', ,', ',,,']);
    return at === undefined
      ? undefined
      : { arguments: rewritten(tokens, (_, index) => (index === at ? commas : undefined)) };
  };

/**
 * Whether a closer too many has a second reading: a text before it opens a bracket, and its closing quote stands one closer
 * too early (`"{"}}` for `"{}"}`), which is so only where all closers between are alike, or the text opens several; or an
 * object before optional keys that it may hold itself was closed too early.
 */
const isTwofold = ({ input, tool }: Sample, closer: string): boolean => {
  const lists: boolean[] = [];
  let last: JsonValue | undefined = input;
  while (typeof last === 'object' && last !== null) {
    lists.push(Array.isArray(last));
    last = Object.values(last).at(-1);
  }
  const opened = typeof last === 'string' ? last.split(/[{[]/).length - last.split(/[}\]]/).length : 0;
  if (opened > 1 || (opened === 1 && lists.every((list) => list === closer.includes(']')))) return true;
  const places = placesOf(input, tool.inputSchema);
  const at = (path: Path): Place | undefined =>
    places.find((place) => JSON.stringify(place.path) === JSON.stringify(path));
  return (
    closer.includes('}') &&
    places.some(({ path, value, form }) => {
      const [holder, key] = [at(path.slice(0, -1)), path.at(-1)];
      if (path.length === 0 || !isObject(value) || !isObject(holder?.value)) return false;
      const keys = Object.keys(holder.value);
      const behind = keys.slice(keys.indexOf(String(key)) + 1);
      const mayHold = (one: string): boolean =>
        !holder.form.required?.includes(one) &&
        !Object.hasOwn(value, one) &&
        (form.additionalProperties !== false || Object.hasOwn(form.properties ?? {}, one));
      return behind.length > 0 && behind.every(mayHold);
    })
  );
};

const surplus =
  (closers: readonly string[], twofold: boolean): Kind['apply'] =>
  (sample, random) => {
    const text = written(tokensOf(sample.input, anyLayout(random)));
    const closer = random.pick(closers);
    return isTwofold(sample, closer) === twofold ? { arguments: text + closer } : undefined;
  };

export const punctuationKinds: readonly Kind[] = [
  { name: 'trailing comma in an object', expect: 'lossless', apply: trailing('}') },
  { name: 'trailing comma in a list', expect: 'lossless', apply: trailing(']') },
  {
    name: 'trailing comma everywhere',
    expect: 'lossless',
    apply: ({ input }, random) => {
      const tokens = tokensOf(input, anyLayout(random));
      return {
        arguments: rewritten(tokens, (token, at) =>
          isCloser(token) && !isOpener(before(tokens, at) as Token) ? `, ${token.text}` : undefined,
        ),
      };
    },
  },
  {
    name: 'missing comma between members',
    expect: 'exact',
    apply: ({ input }, random) => {
      const tokens = tokensOf(input, random.pick(['spaced', 'pretty'] as const));
      const at = pickToken(tokens, random, (token) => token.kind === ',' && !inList(token, input));
      return at === undefined
        ? undefined
        : { arguments: rewritten(tokens, (_, index) => (index === at ? '' : undefined)) };
    },
  },
  {
    name: 'missing comma between items',
    expect: 'exact',
    apply: ({ input }, random) => {
      const pretty = random.chance(0.5);
      const tokens = tokensOf(input, pretty ? 'pretty' : 'spaced');
      // On one line two strings side by side might be one with quotes inside.
      const at = pickToken(
        tokens,
        random,
        (token, index) =>
          token.kind === ',' && inList(token, input) && (pretty || before(tokens, index)?.kind !== 'string'),
      );
      return at === undefined
        ? undefined
        : { arguments: rewritten(tokens, (_, index) => (index === at ? '' : undefined)) };
    },
  },
  {
    name: 'all commas missing, a line each',
    expect: 'exact',
    apply: ({ input }) => {
      const tokens = tokensOf(input, 'pretty');
      return tokens.some((token) => token.kind === ',')
        ? { arguments: rewritten(tokens, (token) => (token.kind === ',' ? '' : undefined)) }
        : undefined;
    },
  },
  // Between members it may stand for one that was lost.
  { name: 'doubled comma', expect: 'inferred', apply: doubled(false) },
  // Between items it may stand for one that was left out.
  { name: 'doubled comma in a list', expect: 'refused', apply: doubled(true) },
  {
    name: 'leading comma',
    expect: 'inferred',
    apply: ({ input }, random) => {
      const tokens = tokensOf(input, anyLayout(random));
      const at = pickToken(
        tokens,
        random,
        (token, index) => token.kind === '{' && !isCloser(after(tokens, index) as Token),
      );
      return at === undefined
        ? undefined
        : { arguments: rewritten(tokens, (token, index) => (index === at ? `${token.text},` : undefined)) };
    },
  },
  {
    name: 'missing colon',
    expect: 'safe',
    apply: ({ input }, random) => {
      const tokens = tokensOf(input, 'spaced');
      const at = pickToken(tokens, random, (token) => token.kind === ':');
      return at === undefined
        ? undefined
        : { arguments: rewritten(tokens, (_, index) => (index === at ? '' : undefined)) };
    },
  },
  {
    name: 'equals sign or arrow for a colon',
    expect: 'safe',
    apply: ({ input }, random) => {
      const sign = random.pick([' =', ' =>', '=']);
      const text = rewritten(tokensOf(input, 'spaced'), (token) => (token.kind === ':' ? sign : undefined));
      return { arguments: text };
    },
  },
  {
    name: 'full-width punctuation',
    expect: 'safe',
    apply: ({ input }) => ({
      arguments: rewritten(tokensOf(input, 'compact'), (token) =>
        token.kind === ':' ? '：' : token.kind === ',' ? '，' : undefined,
      ),
    }),
  },
  {
    name: 'one closing brace too many',
    expect: 'lossless',
    apply: surplus(['}', '\n}', '}}', ' }'], false),
  },
  {
    name: 'one closing bracket too many',
    expect: 'lossless',
    apply: surplus([']', ' ]', '\n]'], false),
  },
  {
    name: 'one closer too many, and a second reading of it',
    expect: 'safe',
    apply: surplus(['}', '\n}', '}}', ' }', ']', ' ]', '\n]'], true),
  },
  {
    name: 'an early closing brace at the root',
    expect: 'exact',
    // In a flat object with declared keys there is one reading only: the object went on.
    apply: ({ input, tool }, random) => {
      const tokens = tokensOf(input, 'spaced');
      const flat = placesOf(input, tool.inputSchema).every(
        ({ parent, value }) =>
          parent === 'root' || (parent === 'object' && (typeof value !== 'object' || value === null)),
      );
      const at = flat ? pickToken(tokens, random, (token) => token.kind === ',') : undefined;
      return at === undefined
        ? undefined
        : { arguments: rewritten(tokens, (_, index) => (index === at ? '},' : undefined)) };
    },
  },
  {
    name: 'an early closing brace further in',
    expect: 'safe',
    apply: ({ input }, random) => {
      const tokens = tokensOf(input, 'spaced');
      const nested = tokens.filter((token) => token.kind === '{').length > 1;
      const at = nested ? pickToken(tokens, random, (token) => token.kind === ',' && !inList(token, input)) : undefined;
      return at === undefined
        ? undefined
        : { arguments: rewritten(tokens, (_, index) => (index === at ? '},' : undefined)) };
    },
  },
  {
    name: 'a list closed by a brace',
    expect: 'safe',
    apply: ({ input }, random) => {
      const tokens = tokensOf(input, 'spaced');
      const at = pickToken(tokens, random, (token) => token.kind === ']');
      return at === undefined
        ? undefined
        : { arguments: rewritten(tokens, (_, index) => (index === at ? '}' : undefined)) };
    },
  },
  {
    name: 'a list left open before a brace',
    expect: 'safe',
    apply: ({ input }, random) => {
      const tokens = tokensOf(input, 'spaced');
      const at = pickToken(tokens, random, (token) => token.kind === ']');
      return at === undefined
        ? undefined
        : { arguments: rewritten(tokens, (_, index) => (index === at ? '' : undefined)) };
    },
  },
  {
    name: 'the first brace missing',
    expect: 'safe',
    apply: ({ input }) =>
      Object.keys(input).length === 0 ? undefined : { arguments: written(tokensOf(input)).slice(1) },
  },
  {
    name: 'an inner object left open before more keys',
    expect: 'refused',
    apply: ({ input, tool }, random) => {
      const tokens = tokensOf(input, 'spaced');
      const forms = placesOf(input, tool.inputSchema);
      // Only where the key that follows is not declared inside: else that would be a legitimate reading.
      const at = pickToken(tokens, random, (token, index) => {
        const next = after(tokens, index);
        const key = after(tokens, tokens.indexOf(next as Token));
        const place = forms.find((one) => JSON.stringify(one.path) === JSON.stringify(token.path));
        if (token.kind !== '}' || next?.kind !== ',' || key?.kind !== 'key' || place === undefined) return false;
        if (tokens[index - 1]?.kind === '{') return false;
        return place.forms.every(
          (form) =>
            !Object.hasOwn(form.properties ?? {}, key.meant ?? '') &&
            typeof form.additionalProperties !== 'object' &&
            form.properties !== undefined,
        );
      });
      if (at === undefined) return undefined;
      const open = formsOf(tool.inputSchema, tool.inputSchema)[0]?.additionalProperties === undefined;
      return open ? undefined : { arguments: rewritten(tokens, (_, index) => (index === at ? '' : undefined)) };
    },
  },
];
