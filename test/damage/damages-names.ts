/** Names of tools: one tool under another spelling is found, none is chosen between two. */
import { effectOf, type Sample } from './definition.ts';
import type { Damaged, Kind } from './kind.ts';
import type { Random } from './random.ts';

const words = (name: string): string[] =>
  name
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean);
const fold = (name: string): string => words(name).join('').toLowerCase();
const capital = (word: string): string => (word[0] ?? '').toUpperCase() + word.slice(1).toLowerCase();

/** Respelled, where no other tool would be meant as well. */
const spelt =
  (write: (name: string, random: Random) => string): Kind['apply'] =>
  ({ tool, input, others }, random): Damaged | undefined => {
    const name = write(tool.name, random);
    return name === tool.name || others.some((other) => fold(other) === fold(name))
      ? undefined
      : { name, arguments: JSON.stringify(input) };
  };

const distanceOne = (one: string, other: string): boolean => {
  if (Math.abs(one.length - other.length) > 1) return false;
  let start = 0;
  while (start < one.length && one[start] === other[start]) start += 1;
  let end = 0;
  while (end < one.length - start && end < other.length - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  return Math.max(one.length, other.length) - start - end <= 1;
};

const letters = 'abcdefghijklmnopqrstuvwxyz';
const misspelt = (name: string, random: Random): string => {
  const at = random.between(1, name.length - 1);
  const letter = random.pick([...letters]);
  return random.pick([
    name.slice(0, at) + name.slice(at + 1),
    name.slice(0, at) + letter + name.slice(at),
    name.slice(0, at) + letter + name.slice(at + 1),
  ]);
};

/** A slip inside a word of six letters or more, or in a shorter word; undefined where the name has none such. */
const slipped = (name: string, random: Random, long: boolean): string | undefined => {
  const found = [...name.matchAll(/[A-Z]?[a-z]+|[A-Z]+/g)].filter(([word]) => word.length >= 6 === long);
  if (found.length === 0) return undefined;
  const { index, 0: word } = random.pick(found);
  if (word.length < 3) return undefined;
  const made = misspelt(word.slice(0, -1), random) + word.slice(-1);
  return name.slice(0, index) + made + name.slice(index + word.length);
};

const typo = (sample: Sample, random: Random, reads: 'long' | 'short' | false): Damaged | undefined => {
  const { tool, input, others } = sample;
  const name = reads ? slipped(tool.name, random, reads === 'long') : misspelt(tool.name, random);
  if (name === undefined) return undefined;
  const clear = others.every(
    (other) => !distanceOne(other.toLowerCase(), name.toLowerCase()) && fold(other) !== fold(name),
  );
  const readsAsWanted = (effectOf(tool) === 'read') === (reads !== false);
  if (!clear || fold(name) === fold(tool.name) || fold(tool.name).length < 5 || !readsAsWanted) return undefined;
  return /\d/.test(tool.name) ? undefined : { name, arguments: JSON.stringify(input) };
};

const unknown = (name: string, write: (name: string, random: Random) => string | undefined): Kind => ({
  name,
  expect: 'refused',
  errorType: 'unknown_tool',
  apply: ({ tool, input, others }, random) => {
    const spelling = write(tool.name, random);
    if (spelling === undefined || [tool.name, ...others].some((other) => fold(other) === fold(spelling)))
      return undefined;
    return { name: spelling, arguments: JSON.stringify(input) };
  },
});

export const nameKinds: readonly Kind[] = [
  {
    name: 'the name in other letters',
    expect: 'lossless',
    apply: spelt((name, random) => random.pick([name.toUpperCase(), name.toLowerCase(), capital(name)])),
  },
  {
    name: 'the name with other separators',
    expect: 'lossless',
    apply: spelt((name, random) =>
      words(name)
        .join(random.pick(['-', '_', ' ', '', '.']))
        .toLowerCase(),
    ),
  },
  {
    name: 'the name in camel case',
    expect: 'lossless',
    apply: spelt((name, random) => {
      const pascal = words(name).map(capital).join('');
      return random.chance(0.5) ? pascal : (pascal[0] ?? '').toLowerCase() + pascal.slice(1);
    }),
  },
  {
    name: 'the name with a known prefix',
    expect: 'lossless',
    apply: spelt(
      (name, random) => random.pick(['functions.', 'tools.', 'default_api.', 'default_api:', 'mcp__files__']) + name,
    ),
  },
  {
    name: 'a prefix and other letters',
    expect: 'lossless',
    apply: spelt((name, random) => random.pick(['functions.', 'default_api:']) + words(name).map(capital).join('')),
  },
  {
    name: 'the name with a special token',
    expect: 'lossless',
    apply: spelt((name, random) =>
      random.pick([`${name}<|channel|>commentary`, `${name}<|im_end|>`, `<|python_tag|>${name}`]),
    ),
  },
  {
    name: 'blanks around the name',
    expect: 'lossless',
    apply: spelt((name, random) => random.pick([` ${name}`, `${name}\n`, ` ${name} `])),
  },
  {
    name: 'one letter wrong in a long word, for a tool that reads',
    expect: 'exact',
    apply: (sample, random) => typo(sample, random, 'long'),
  },
  {
    name: 'one letter wrong in a short word, for a tool that reads',
    expect: 'refused',
    errorType: 'unknown_tool',
    apply: (sample, random) => typo(sample, random, 'short'),
  },
  {
    name: 'one letter wrong, for a tool that writes',
    expect: 'refused',
    errorType: 'unknown_tool',
    apply: (sample, random) => typo(sample, random, false),
  },
  unknown('the first letter wrong', (name) => (name.startsWith('z') ? undefined : `z${name.slice(1)}`)),
  unknown('a name nobody has', (_, random) =>
    random.pick(['do_the_thing', 'browser', 'python', 'zzz', 'answer', 'final_result']),
  ),
  unknown('two letters wrong', (name) => (name.length < 8 ? undefined : `${name.slice(0, 2)}qx${name.slice(4)}`)),
  unknown('more words in the name', (name) => `${name}_please_now`),
  unknown('a word and a dot before the name', (name, random) => `${random.pick(['undo', 'files', 'my'])}.${name}`),
  unknown('an empty name or one of symbols', (_, random) => random.pick(['', ' ', '⚙', '---', '???'])),
  {
    name: 'a name between two tools',
    expect: 'refused',
    errorType: 'unknown_tool',
    subjects: ['get_item', 'get_itam'].map((name) => ({
      name,
      description: 'One of two tools a letter apart.',
      annotations: { readOnlyHint: true },
      inputSchema: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
      make: () => ({ id: 5 }),
    })),
    apply: ({ input }) => ({ name: 'get_itm', arguments: JSON.stringify(input) }),
  },
  {
    name: 'a digit of the name wrong',
    expect: 'refused',
    errorType: 'unknown_tool',
    subjects: ['read_disk1', 'read_block12'].map((name) => ({
      name,
      description: 'A tool with a number in its name.',
      annotations: { readOnlyHint: true },
      inputSchema: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
      make: () => ({ id: 5 }),
    })),
    apply: ({ tool, input }, random) => ({
      name: random.pick([tool.name.replace(/\d$/, '7'), `${tool.name}3`, tool.name.replace(/\d$/, '')]),
      arguments: JSON.stringify(input),
    }),
  },
];
