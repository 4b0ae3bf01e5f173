/** Seeded texts of every sort: bytes, token soup, JSON mutated and cut, damaged calls. */
import { anyText } from './damage/content.ts';
import type { Random } from './damage/random.ts';
import { subjects } from './damage/schemas.ts';
import { hostileShapes } from './fuzz-hostile.ts';

const tokens = [
  ...'{}[]():,"\'`=/\\#<>|-+.0159eE_ \n\t',
  '"a"',
  '"b":',
  'true',
  'False',
  'None',
  'null',
  'NaN',
  '-Infinity',
  'undefined',
  '0x1F',
  '1_000',
  '5.',
  '.5',
  '1e400',
  '9007199254740993',
  '//',
  '/*',
  '*/',
  '```',
  '```json\n',
  '<think>',
  '</think>',
  '<|im_end|>',
  '\\"',
  '\\u00',
  '\\n',
  '\\d',
  '\\_',
  '“',
  '”',
  '\u200b',
  '\ufeff',
  '"__proto__":',
  '"constructor":',
  '{"a": ',
  '["x", ',
  '}}',
  ']]',
  'key=value\n',
  'key: value\n',
  '\u001b[31m',
  '\ud83d',
  '\u0000',
  'word',
  '</s>',
];

const json = (random: Random): string =>
  JSON.stringify(random.pick(subjects).make(random), null, random.chance(0.3) ? 2 : undefined);

const mutated = (text: string, random: Random): string => {
  let now = text;
  for (let times = random.between(1, 4); times > 0; times -= 1) {
    const at = random.int(now.length + 1);
    const end = Math.min(now.length, at + random.between(0, 6));
    now = random.pick([
      () => now.slice(0, at) + now.slice(end),
      () => now.slice(0, at) + random.pick(tokens) + now.slice(at),
      () => now.slice(0, at) + random.pick(tokens) + now.slice(end),
      () => now.slice(0, at) + now.slice(at, end) + now.slice(at),
      () => now.slice(end) + now.slice(0, at),
    ])();
  }
  return now;
};

const makers: readonly ((random: Random) => string)[] = [
  (random) => String.fromCharCode(...random.some(0, 60, () => random.int(256))),
  (random) => String.fromCharCode(...random.some(0, 40, () => random.int(0x10000))),
  (random) => random.some(0, 40, () => random.pick(tokens)).join(''),
  (random) => `{${random.some(0, 30, () => random.pick(tokens)).join('')}}`,
  (random) => `{"a": "${random.some(0, 20, () => random.pick(tokens)).join('')}"}`,
  (random) => mutated(json(random), random),
  (random) => mutated(json(random), random),
  (random) => {
    const text = json(random);
    return text.slice(0, random.int(text.length + 1));
  },
  (random) => {
    const text = mutated(json(random), random);
    return text.slice(random.int(4), random.int(text.length + 1));
  },
  (random) => json(random) + mutated(json(random), random),
  (random) =>
    random.pick(['Sure: ', '```json\n', '<think>', '\ufeff']) +
    mutated(json(random), random) +
    random.pick(['\n```', '</think>', '<|im_end|>', ' Done.']),
  (random) =>
    random
      .some(
        1,
        4,
        () => `${random.pick(['path', 'file_path', 'a'])}${random.pick([': ', '=', ' = '])}${anyText(random)}`,
      )
      .join('\n'),
  (random) => JSON.stringify(mutated(json(random), random)),
  (random) => random.pick(Object.values(hostileShapes))(random.between(1, 120)),
  (random) => mutated(random.pick(Object.values(hostileShapes))(random.between(1, 200)), random),
];

/** One text. */
export const fuzzInput = (random: Random): string => random.pick(makers)(random);

const cycle: { self?: unknown } = {};
cycle.self = cycle;
/** Arguments that are no JSON: a client may hand over anything. */
export const oddValues: readonly unknown[] = [
  undefined,
  null,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  10n,
  Symbol('s'),
  () => 1,
  new Date(0),
  new Map([['a', 1]]),
  cycle,
  [cycle],
  [undefined],
  { a: 1n },
  Object.create(null),
  JSON.parse('{"__proto__": {"a": 1}}'),
];
