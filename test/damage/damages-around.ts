/** What stands around the object: fences, prose, tokens, invisible characters, the object twice, lines of keys. */
import type { JsonObject } from '../../src/json/value.ts';
import type { Definition } from './definition.ts';
import type { Kind } from './kind.ts';
import { only, placesOf } from './places.ts';
import type { Random } from './random.ts';
import { anyLayout, rewritten, tokensOf, written } from './tokens.ts';

const around = (
  name: string,
  wrap: (text: string, random: Random, tool: string) => string,
  expect: Kind['expect'] = 'lossless',
): Kind => ({
  name,
  expect,
  apply: ({ input, tool }, random) => {
    if (Object.keys(input).length === 0) return undefined;
    const text = written(tokensOf(input, anyLayout(random)));
    const wrapped = wrap(text, random, tool.name);
    return expect !== 'refused' && namesKey(wrapped.split(text), tool) ? undefined : { arguments: wrapped };
  },
});

/** Whether the text around names a declared key (`step 2:`), so that the object may be a part of it. */
const namesKey = (pieces: readonly string[], { inputSchema }: Definition): boolean =>
  Object.keys(inputSchema.properties ?? {}).some((key) =>
    pieces.some((piece) => new RegExp(`(?<!\\w)${key.replace(/\W/g, '\\$&')}(?!\\w)[^\\n]*:`, 'i').test(piece)),
  );

const opening = [
  'Here is the call:\n',
  "Sure! I'll use the tool now (see [1] and [docs](x)): ",
  'I will call "the tool" with these arguments:\n\n',
  'The placeholder {name} is filled in below.\n',
  'Step 1 [done]; step 2:\n',
];
/** Text that the object is a part of: a statement, a command, a sentence, a tag. */
const holding: readonly (readonly [before: string, after: string])[] = [
  ['args = ', ''],
  ['const input = ', ';'],
  ["curl -X POST https://example.com -d '", "'"],
  ['Never call this with ', '.'],
  ['<example>\n', '\n</example>'],
  ['- name: step\n  with: ', ''],
  ['Use `', '` for that.'],
];
const closing = [
  '\n\nLet me know if you need anything else.',
  ' That should work (I hope) [1].',
  "\nI've called the tool.",
  '\nThis lists all {items} in the folder.',
  ';',
];
const thoughts = [
  'The user wants this. I should call it.',
  'Maybe {"wrong": 1}? No, better the other one.',
  'What\'s "best"? {a: 1} or [2]...\nDone.',
];
const tokens = ['<|im_end|>', '<|eot_id|>', '</s>', '<|endoftext|>', '<|eom_id|>', '<|tool_call_end|>', '<|im_end|>\n'];
const invisible = ['\u200b', '\ufeff', '\u2060', '\u200d'];

/** Text that can stand on a line by itself and means nothing else there. */
const plainLine = /^(?!(?:null|none|undefined|nan)$)[\w./-][\w ./-]*$/i;

const lines =
  (sign: string): Kind['apply'] =>
  ({ input, tool }) => {
    const places = placesOf(input, tool.inputSchema).slice(1);
    const flat = places.length === Object.keys(input).length && places.length > 0;
    const fits = places.every(
      (place) =>
        place.parent === 'object' &&
        (typeof place.value === 'string'
          ? only(place, 'string') && plainLine.test(place.value) && place.value.trim() === place.value
          : !place.types.has('string') && (typeof place.value === 'number' || typeof place.value === 'boolean')),
    );
    // One line alone is any sentence with a colon in it; two are lines of keys and values.
    if (!flat || !fits || places.length < 2) return undefined;
    return { arguments: places.map((place) => `${place.path[0]}${sign}${String(place.value)}`).join('\n') };
  };

const differing = (input: JsonObject): JsonObject | undefined => {
  const [key, value] =
    Object.entries(input).find(([, one]) => typeof one === 'string' || typeof one === 'number') ?? [];
  if (key === undefined) return undefined;
  return { ...input, [key]: typeof value === 'string' ? `${value} other` : Number(value) === 1 ? 2 : 1 };
};

export const aroundKinds: readonly Kind[] = [
  around('a json fence', (text) => `\`\`\`json\n${text}\n\`\`\``),
  around('a fence without a language', (text) => `\`\`\`\n${text}\n\`\`\`\n`),
  around(
    'a fence and prose',
    (text, random) => `${random.pick(opening)}\n\`\`\`json\n${text}\n\`\`\`${random.pick(closing)}`,
    'inferred',
  ),
  around('a fence that is never closed', (text) => `\`\`\`json\n${text}\n`),
  around('prose before', (text, random) => random.pick(opening) + text, 'inferred'),
  around('prose after', (text, random) => text + random.pick(closing), 'exact'),
  around('prose around', (text, random) => random.pick(opening) + text + random.pick(closing), 'inferred'),
  around(
    'inside other text',
    (text, random) => {
      const [before, after] = random.pick(holding);
      return before + text + after;
    },
    'refused',
  ),
  around('written as a function call', (text, _, tool) => `${tool}(${text})`, 'inferred'),
  around('a think block before', (text, random) => `<think>${random.pick(thoughts)}</think>\n${text}`),
  around('a thinking block before', (text, random) => `<thinking>\n${random.pick(thoughts)}\n</thinking>${text}`),
  around('a special token after', (text, random) => text + random.pick(tokens)),
  around('special tokens around', (text, random) => `<|python_tag|>${text}${random.pick(tokens)}`),
  around('tool_call tags around', (text) => `<tool_call>\n${text}\n</tool_call>`),
  around('a byte order mark', (text) => `\ufeff${text}`),
  around('a semicolon after', (text) => `${text};`),
  {
    name: 'zero-width characters between tokens',
    expect: 'lossless',
    apply: ({ input }, random) => ({
      arguments: rewritten(tokensOf(input, anyLayout(random)), (token) =>
        token.kind !== 'number' && random.chance(0.3) ? random.pick(invisible) + token.text : undefined,
      ),
    }),
  },
  {
    name: 'no-break spaces for spaces',
    expect: 'lossless',
    apply: ({ input }) => ({
      arguments: rewritten(tokensOf(input, 'pretty'), (token) =>
        token.kind === 'space' ? token.text.replaceAll(' ', '\u00a0') : undefined,
      ),
    }),
  },
  around('terminal colours around', (text) => `\u001b[32m${text}\u001b[0m`),
  {
    name: 'terminal colours on every token',
    expect: 'lossless',
    apply: ({ input }) => ({
      arguments: rewritten(tokensOf(input, 'pretty'), (token) =>
        token.kind === 'space' ? undefined : `\u001b[1;34m${token.text}\u001b[0m`,
      ),
    }),
  },
  around('the same object twice', (text, random) => text + random.pick(['', '\n', '\n\n', ' ']) + text),
  {
    name: 'the same object twice, written differently',
    expect: 'lossless',
    apply: ({ input }) =>
      Object.keys(input).length === 0
        ? undefined
        : { arguments: `${written(tokensOf(input, 'compact'))}\n${written(tokensOf(input, 'pretty'))}` },
  },
  {
    name: 'two different objects',
    expect: 'refused',
    apply: ({ input }, random) => {
      const other = differing(input);
      if (other === undefined) return undefined;
      // Without words or signs between them, they are two calls that a server merged.
      return {
        arguments: JSON.stringify(input) + random.pick([', ', ' and then ', '\nor\n']) + JSON.stringify(other),
      };
    },
  },
  {
    name: 'an empty object, then the call',
    expect: 'safe',
    apply: ({ input }) => (Object.keys(input).length === 0 ? undefined : { arguments: `{}${JSON.stringify(input)}` }),
  },
  {
    name: 'encoded twice',
    expect: 'lossless',
    apply: ({ input }) => ({ arguments: JSON.stringify(JSON.stringify(input)) }),
  },
  {
    name: 'encoded three times',
    expect: 'safe',
    apply: ({ input }) => ({ arguments: JSON.stringify(JSON.stringify(JSON.stringify(input))) }),
  },
  {
    name: 'escaped as if encoded twice, without the quotes',
    expect: 'exact',
    apply: ({ input }) => {
      const text = JSON.stringify(input);
      return /\\/.test(text) || Object.keys(input).length === 0
        ? undefined
        : { arguments: JSON.stringify(text).slice(1, -1) };
    },
  },
  { name: 'lines of key=value', expect: 'exact', apply: lines('=') },
  { name: 'lines of key: value', expect: 'exact', apply: lines(': ') },
  {
    name: 'lines with a key that is not declared',
    expect: 'refused',
    apply: (sample, random) => {
      const made = lines(random.pick([': ', '=']))(sample, random);
      return made && { arguments: `${String(made.arguments)}\nzz_unheard${random.pick([': ', '='])}of` };
    },
  },
  {
    name: 'prose and nothing else',
    expect: 'refused',
    apply: ({ tool }, random) => ({ arguments: `I would call ${tool.name} here. ${random.pick(closing)}` }),
  },
];
