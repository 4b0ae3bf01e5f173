/** Two damages at once, as models make them. */

import type { JsonValue } from '../../src/json/value.ts';
import { aroundKinds } from './damages-around.ts';
import { keyKinds } from './damages-keys.ts';
import { literalKinds } from './damages-literals.ts';
import { nameKinds } from './damages-names.ts';
import { punctuationKinds } from './damages-punctuation.ts';
import { scalarKinds } from './damages-scalars.ts';
import { shapeKinds } from './damages-shapes.ts';
import { stringKinds } from './damages-strings.ts';
import { wholeKinds } from './damages-whole.ts';
import type { Sample } from './definition.ts';
import type { Expectation, Kind } from './kind.ts';
import { tokensOf, written } from './tokens.ts';

const every: readonly Kind[] = [
  ...punctuationKinds,
  ...stringKinds,
  ...literalKinds,
  ...aroundKinds,
  ...scalarKinds,
  ...shapeKinds,
  ...keyKinds,
  ...wholeKinds,
  ...nameKinds,
];
const kind = (name: string): Kind => {
  const found = every.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no damage named ${name}`);
  return found;
};

const weaker = (one: Expectation, other: Expectation): Expectation =>
  [one, other].includes('refused')
    ? 'refused'
    : [one, other].includes('safe')
      ? 'safe'
      : [one, other].includes('exact')
        ? 'exact'
        : [one, other].includes('inferred')
          ? 'inferred'
          : 'lossless';

/** The first changes what is meant by the value, the second how it is then written. */
const both = (first: string, second: string): Kind => {
  const [one, other] = [kind(first), kind(second)];
  return {
    name: `${first} + ${second}`,
    expect: weaker(one.expect, other.expect),
    ...((one.passesStrictly || other.passesStrictly) && { passesStrictly: true as const }),
    apply: (sample, random) => {
      const made = one.apply(sample, random);
      if (made === undefined) return undefined;
      let value: JsonValue;
      try {
        value = (typeof made.arguments === 'string' ? JSON.parse(made.arguments) : made.arguments) as JsonValue;
      } catch {
        return undefined;
      }
      const again = other.apply({ ...sample, input: value } as Sample, random);
      // The second must leave the value as it is, else the two would not add up.
      if (again === undefined || again.expected !== undefined) return undefined;
      return { ...again, ...(made.name !== undefined && { name: made.name }), expected: made.expected ?? sample.input };
    },
  };
};

/** The text of one, with something put around it. */
const dressed = (inner: string, name: string, dress: (text: string) => string): Kind => {
  const one = kind(inner);
  return {
    ...one,
    expect: dress === fence ? weaker(one.expect, 'inferred') : one.expect,
    name: `${inner} + ${name}`,
    apply: (sample, random) => {
      const made = one.apply(sample, random);
      return made && typeof made.arguments === 'string' && Object.keys(sample.input).length > 0
        ? { ...made, arguments: dress(made.arguments) }
        : undefined;
    },
  };
};

const fence = (text: string): string => `Here you go:\n\`\`\`json\n${text}\n\`\`\`\nDone.`;
const think = (text: string): string => `<think>Let me see.</think>\n${text}<|im_end|>`;

export const combinedKinds: readonly Kind[] = [
  dressed('trailing comma everywhere', 'a fence and prose', fence),
  dressed('single quotes', 'a fence and prose', fence),
  dressed('Python repr', 'a think block and a token', think),
  dressed('comments between members', 'a fence and prose', fence),
  dressed('raw line breaks', 'a fence and prose', fence),
  dressed('bare keys', 'a think block and a token', think),
  dressed('inner quotes not escaped', 'a fence and prose', fence),
  dressed('an invalid escape keeps its backslash', 'a think block and a token', think),
  both('a number as text', 'single quotes'),
  both('a number as text', 'trailing comma in an object'),
  both('a flag as text', 'Python repr'),
  both('a list as JSON text', 'a json fence'),
  both('an object as JSON text', 'single quotes'),
  both('a key in other letters', 'bare keys'),
  both('an unknown key in a closed object', 'comments between members'),
  both('wrapped in arguments, parameters, input or args', 'trailing comma everywhere'),
  both("wrapped with the tool's name", 'tool_call tags around'),
  both('null where an optional value may not be null', 'Python literals'),
  both('a number as text', 'a key in other letters'),
  both('a list as JSON text', 'wrapped in arguments, parameters, input or args'),
  both('the name in camel case', 'trailing comma in an object'),
  both('the name with a known prefix', 'Python repr'),
  both('a number in words or with a unit', 'trailing comma everywhere'),
  both('a required key missing', 'single quotes'),
  both('null where a value is required', 'Python repr'),
  {
    name: 'a JavaScript object: bare keys, single quotes, trailing commas, comments',
    expect: 'exact',
    apply: ({ input }) => {
      const tokens = tokensOf(input, 'pretty').map((token) => {
        if (token.kind === 'key' && /^[A-Za-z_]\w*$/.test(token.meant ?? ''))
          return { ...token, text: token.meant ?? '' };
        // A key that can't be bare is in single quotes too: beside double quotes, a string with its own may be raw.
        if (token.kind === 'key' || token.kind === 'string')
          return { ...token, text: `'${token.text.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'` };
        return token.kind === ',' ? { ...token, text: ', // next' } : token;
      });
      return { arguments: written(tokens).replace(/\n\}$/, ',\n}') };
    },
  },
];
