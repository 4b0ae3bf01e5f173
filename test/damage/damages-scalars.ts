/** The rows of the coercion table that end in one number, flag, text, null or member of an enum. */
import type { Kind } from './kind.ts';
import { only, type Place } from './places.ts';
import type { Random } from './random.ts';
import { putting, spoiling } from './with-value.ts';

const isNumber = (place: Place): boolean => typeof place.value === 'number' && only(place, 'number', 'integer');
const isWhole = (place: Place): boolean =>
  isNumber(place) &&
  place.form.enum === undefined &&
  Number.isSafeInteger(place.value) &&
  Math.abs(place.value as number) < 1e15;
const integerOnly = (place: Place): boolean =>
  isNumber(place) && only(place, 'integer') && place.form.enum === undefined;
const isFlag = (place: Place): boolean => typeof place.value === 'boolean' && only(place, 'boolean');
const isText = (place: Place): boolean =>
  typeof place.value === 'string' && only(place, 'string') && place.form.enum === undefined && !('const' in place.form);
const isMember = (place: Place): boolean =>
  typeof place.value === 'string' && (place.form.enum?.length ?? 0) > 1 && only(place, 'string');
const requiredPlain = (place: Place): boolean =>
  place.required && place.parent === 'object' && !place.types.has('null') && place.types.size < 7;

const commas = (value: number): string => String(value).replace(/\B(?=(\d{3})+$)/g, ',');
const respelled = (word: string, random: Random): string =>
  random.pick([
    () => word.toUpperCase(),
    () => word.toLowerCase(),
    () => word.replace(/[_ ]/g, '-'),
    () => word.replace(/[_ ]/g, ''),
    () => ` ${word} `,
    () => word.replace(/[_ -]+(.)/g, (_, char: string) => char.toUpperCase()),
    () => word.replaceAll('_', ' '),
  ])();

export const scalarKinds: readonly Kind[] = [
  {
    name: 'a number as text',
    expect: 'inferred',
    apply: putting(isNumber, (place, random) => ({ put: random.pick([String(place.value), ` ${place.value} `]) })),
  },
  {
    name: 'a whole number as "5.0"',
    expect: 'inferred',
    apply: putting(isWhole, (place) => ({ put: `${place.value}.0` })),
  },
  {
    name: 'a number as text with zeros before or an exponent',
    expect: 'inferred',
    apply: putting(isWhole, (place, random) =>
      (place.value as number) < 0 ? undefined : random.pick([{ put: `00${place.value}` }, { put: '1e3', want: 1000 }]),
    ),
  },
  {
    name: 'an integer as "1,234"',
    expect: 'inferred',
    apply: putting(integerOnly, (_, random) => {
      const value = random.between(1000, 5000) * random.pick([1, 1000]);
      return { put: commas(value), want: value };
    }),
  },
  {
    name: '"1,234" where a fraction may be meant',
    expect: 'refused',
    apply: spoiling(
      (place) => isNumber(place) && place.types.has('number'),
      () => '1,234',
    ),
  },
  {
    name: 'an integer written 5.0',
    expect: 'safe',
    apply: (sample, random) => {
      const made = putting(isWhole, (place) => ({ put: `@@${place.value}.0@@` }))(sample, random);
      return made && typeof made.arguments === 'string'
        ? { ...made, arguments: made.arguments.replace(/"@@(.*)@@"/, '$1') }
        : undefined;
    },
  },
  {
    name: 'a fraction where an integer is wanted',
    expect: 'refused',
    apply: spoiling(integerOnly, (_, random) => random.pick([5.3, '5.3', 2.5, '0.1', -1.5])),
  },
  {
    name: 'a number in words or with a unit',
    expect: 'refused',
    apply: spoiling(isNumber, (_, random) =>
      random.pick(['12 years', '5px', 'five', '$10', '50%', 'about 3', '1/2', '3-4', '~7', '1,23', '12,34,567']),
    ),
  },
  { name: 'hexadecimal text where a number is wanted', expect: 'refused', apply: spoiling(isNumber, () => '0x10') },
  {
    name: 'a flag, list, object or empty text where a number is wanted',
    expect: 'refused',
    apply: spoiling(isNumber, (_, random) => random.pick([true, false, [], {}, { value: 5 }, [1, 2], '', ' '])),
  },
  {
    name: 'NaN, infinity or too big for a number',
    expect: 'refused',
    passesStrictly: true,
    apply: (sample, random) => {
      const made = spoiling(isNumber, () => '@@')(sample, random);
      const word = random.pick(['NaN', 'Infinity', '-Infinity', '1e400', '-1e999']);
      return made && typeof made.arguments === 'string'
        ? { arguments: made.arguments.replace('"@@"', word) }
        : undefined;
    },
  },
  {
    name: 'an integer past 2^53 where a number is wanted',
    expect: 'refused',
    passesStrictly: true,
    apply: (sample, random) => {
      const made = spoiling(isNumber, () => '@@')(sample, random);
      const word = random.pick(['9007199254740993', '-9007199254740993', '12345678901234567890', '900719925474099267']);
      return made && typeof made.arguments === 'string'
        ? { arguments: made.arguments.replace('"@@"', random.chance(0.5) ? word : `"${word}"`) }
        : undefined;
    },
  },
  {
    name: 'a flag as text',
    expect: 'inferred',
    apply: putting(isFlag, (place, random) => ({
      put: random.pick(
        place.value ? ['true', 'True', 'TRUE', 'yes', 'Yes', 'YES'] : ['false', 'False', 'FALSE', 'no', 'No', 'NO'],
      ),
    })),
  },
  { name: 'a flag as 1 or 0', expect: 'inferred', apply: putting(isFlag, (place) => ({ put: place.value ? 1 : 0 })) },
  {
    name: 'something else where a flag is wanted',
    expect: 'refused',
    apply: spoiling(isFlag, (_, random) =>
      random.pick([2, -1, 0.5, 'maybe', 'enabled', '', 'truee', 'not', [true, false], {}]),
    ),
  },
  {
    name: 'a list of one string where text is wanted',
    expect: 'inferred',
    apply: putting(isText, (place) => ({ put: [place.value] })),
  },
  {
    name: 'several strings, or an object, where text is wanted',
    expect: 'refused',
    apply: spoiling(isText, (_, random) =>
      random.pick([['a', 'b'], {}, { text: 'a' }, [], [['a']], { value: 1, unit: 'm' }]),
    ),
  },
  {
    name: 'text that looks like JSON stays text',
    expect: 'ok',
    apply: putting(isText, (_, random) => {
      const text = random.pick(['{"a": 1}', '[1, 2]', 'null', 'None', '5', 'true', '"x"', '<item>a</item>']);
      return { put: text, want: text };
    }),
  },
  {
    name: 'null as text where only null or no text fits',
    expect: 'inferred',
    apply: (sample, random) => {
      const nullable = (place: Place): boolean => place.types.has('null') && !place.types.has('string');
      const { tool, input } = sample;
      const cleared = putting(nullable, () => ({ put: '@@', want: null }))({ tool, input, others: [] }, random);
      return cleared && { ...cleared, arguments: swap(cleared.arguments, random.pick(['null', 'None'])) };
    },
  },
  {
    name: 'null where an optional value may not be null',
    expect: 'inferred',
    apply: putting(
      (place) => !place.required && place.parent === 'object' && !place.types.has('null') && place.types.size < 7,
      () => ({ put: null, gone: true }),
    ),
  },
  {
    name: 'null where null is allowed stays',
    expect: 'ok',
    apply: putting(
      (place) => place.types.has('null') && place.parent === 'object',
      () => ({ put: null, want: null }),
    ),
  },
  { name: 'null where a value is required', expect: 'refused', apply: spoiling(requiredPlain, () => null) },
  {
    name: 'a member of an enum in other letters',
    expect: 'inferred',
    apply: putting(isMember, (place, random) => ({ put: respelled(place.value as string, random) })),
  },
  {
    name: 'a number of an enum as text',
    expect: 'inferred',
    apply: putting(
      (place) => typeof place.value === 'number' && place.form.enum !== undefined,
      (place) => ({ put: String(place.value) }),
    ),
  },
  {
    name: 'no member of the enum',
    expect: 'refused',
    apply: spoiling(isMember, (place, random) =>
      random.pick(['zzz', '', `${place.value}s`, `${place.value} or so`, 'any', 3, true]),
    ),
  },
  {
    name: 'a number out of its range',
    expect: 'refused',
    apply: spoiling(
      (place) => isNumber(place) && (place.form.minimum !== undefined || place.form.maximum !== undefined),
      (place, random) => {
        const value = place.form.maximum === undefined ? (place.form.minimum ?? 0) - 1 : place.form.maximum + 1;
        return random.chance(0.5) ? value : String(value);
      },
    ),
  },
];

/** Replaces the mark in text or value. */
function swap(sent: unknown, word: string): unknown {
  return typeof sent === 'string'
    ? sent.replace('"@@"', `"${word}"`)
    : JSON.parse(JSON.stringify(sent).replace('"@@"', `"${word}"`));
}
