/** The arguments as a whole: wrapped, listed, empty, or meant for another tool. */
import type { JsonObject, JsonValue } from '../../src/json/value.ts';
import type { Sample } from './definition.ts';
import type { Kind } from './kind.ts';
import { placesOf } from './places.ts';
import { asSent } from './with-value.ts';

const wrappers = ['arguments', 'parameters', 'input', 'args'] as const;

/** A wrapper is only one where every key inside is declared and the wrapper's own is not. */
const wrappable = ({ tool, input }: Sample, ...keys: readonly string[]): boolean => {
  const declared = placesOf(input, tool.inputSchema)[0]?.form.properties ?? {};
  return (
    Object.keys(input).length > 0 &&
    keys.every((key) => !Object.hasOwn(declared, key)) &&
    Object.keys(input).every((key) => Object.hasOwn(declared, key))
  );
};

const wrapping =
  (make: (input: JsonObject, wrapper: string, tool: string, others: readonly string[]) => JsonValue): Kind['apply'] =>
  (sample, random) => {
    const wrapper = random.pick(wrappers);
    if (!wrappable(sample, wrapper, 'name')) return undefined;
    return { arguments: asSent(make(sample.input, wrapper, sample.tool.name, sample.others), random) };
  };

const hasRequired = ({ tool, input }: Sample): boolean =>
  (placesOf(input, tool.inputSchema)[0]?.form.required?.length ?? 0) > 0;
const nothings: readonly unknown[] = ['', ' ', '\n', 'null', null, undefined, '{}', {}];

export const wholeKinds: readonly Kind[] = [
  {
    name: 'wrapped in arguments, parameters, input or args',
    expect: 'inferred',
    passesStrictly: true,
    apply: wrapping((input, wrapper) => ({ [wrapper]: input })),
  },
  {
    name: "wrapped with the tool's name",
    expect: 'inferred',
    passesStrictly: true,
    apply: (sample, random) => {
      const wrapper = random.pick(['arguments', 'parameters'] as const);
      if (!wrappable(sample, wrapper, 'name')) return undefined;
      return { arguments: asSent({ name: sample.tool.name, [wrapper]: sample.input }, random) };
    },
  },
  {
    name: 'wrapped, with the arguments as text',
    expect: 'inferred',
    // An open object may well hold such a key with text.
    apply: wrapping((input, wrapper) => ({ [wrapper]: JSON.stringify(input) })),
  },
  {
    name: 'wrapped with the name of another tool',
    expect: 'refused',
    apply: (sample) => {
      const other = sample.others[0];
      if (!wrappable(sample, 'parameters', 'name') || !hasRequired(sample) || other === undefined) return undefined;
      return { arguments: JSON.stringify({ name: other, parameters: sample.input }) };
    },
  },
  {
    name: 'a list of one object',
    expect: 'inferred',
    apply: (sample, random) =>
      Object.keys(sample.input).length === 0 ? undefined : { arguments: asSent([sample.input], random) },
  },
  {
    name: 'a list of two different objects',
    expect: 'refused',
    apply: (sample, random) =>
      Object.keys(sample.input).length === 0
        ? undefined
        : { arguments: asSent([sample.input, { ...sample.input, other: 1 }], random) },
  },
  {
    name: 'nothing where nothing is required',
    expect: 'exact',
    apply: (sample, random) => (hasRequired(sample) ? undefined : { arguments: random.pick(nothings), expected: {} }),
  },
  {
    name: 'nothing where something is required',
    expect: 'refused',
    apply: (sample, random) => (hasRequired(sample) ? { arguments: random.pick(nothings) } : undefined),
  },
  {
    name: 'a number, a flag or plain text for the whole',
    expect: 'refused',
    apply: (_, random) => ({
      arguments: random.pick<unknown>([
        '5',
        'true',
        '"text"',
        5,
        true,
        'text',
        '[]',
        '[1, 2]',
        '"',
        'undefined behaviour',
      ]),
    }),
  },
  {
    name: 'nested past every limit',
    expect: 'refused',
    apply: ({ input }) => ({
      arguments: `${JSON.stringify(input).slice(0, -1)}${Object.keys(input).length > 0 ? ',' : ''}"zz_deep":${'['.repeat(3000)}${']'.repeat(3000)}}`,
    }),
    passesStrictly: true,
  },
];
