/** Mistakes in what a value is: its type and its shape. */
import { isObject, type JsonObject, type JsonValue } from '../../../src/json/value.ts';
import type { SchemaObject } from '../../../src/schema/types.ts';
import { only, type Place, replaced } from '../places.ts';
import type { Random } from '../random.ts';
import { anyLayout, tokensOf, written } from '../tokens.ts';
import { writePython } from '../write-python.ts';
import { isJson, type Meant, type Mistake, places, untyped } from './mistake.ts';

const write = (value: JsonValue, random: Random): string => written(tokensOf(value, anyLayout(random)));

/** Puts another value where one fits. */
const putting =
  (fits: (place: Place) => boolean, put: (place: Place, random: Random) => JsonValue | undefined) =>
  (meant: Meant, random: Random): string | undefined => {
    const apt = places(meant).filter(
      (place) => (place.path.length > 0 || meant.template.way === 'value') && fits(place),
    );
    if (apt.length === 0) return undefined;
    const place = random.pick(apt);
    const next = put(place, random);
    return next === undefined ? undefined : write(replaced(meant.value, place.path, next), random);
  };

const isNumber = (place: Place): boolean => typeof place.value === 'number' && !place.types.has('string');
const isFlag = (place: Place): boolean => typeof place.value === 'boolean' && !place.types.has('string');
const isText = (place: Place): boolean => typeof place.value === 'string' && only(place, 'string');
const isList = (place: Place): boolean => Array.isArray(place.value) && !place.types.has('string');
const isMap = (place: Place): boolean => isObject(place.value) && !place.types.has('string') && place.path.length > 0;
const itemsOf = (place: Place): JsonValue[] => place.value as JsonValue[];
const isFlat = (place: Place): boolean =>
  isList(place) && itemsOf(place).every((item) => typeof item === 'string' || typeof item === 'number');
const isFixed = ({ form }: Place): boolean => {
  const items = form.items as SchemaObject | undefined;
  return items?.enum !== undefined || items?.anyOf?.every((one) => typeof one === 'object' && 'const' in one) === true;
};
const grouped = (value: number): string => String(value).replace(/\B(?=(\d{3})+$)/g, ',');

const camel = (key: string): string => key.replace(/[_-](\w)/g, (_, char: string) => char.toUpperCase());

export const valueMistakes: readonly Mistake[] = [
  {
    name: 'a number as text',
    why: 'the commonest wrong type',
    write: putting(isNumber, (place, random) =>
      random.pick([
        String(place.value),
        ` ${place.value} `,
        Number.isInteger(place.value) ? `${place.value}.0` : String(place.value),
      ]),
    ),
  },
  {
    name: 'a number as text, grouped',
    why: 'as people write amounts in English',
    write: putting(
      (place) => isNumber(place) && Number.isInteger(place.value) && Number(place.value) >= 1000,
      (place) => grouped(place.value as number),
    ),
  },
  {
    name: 'a number as text with a decimal comma',
    why: 'as people write amounts in most of Europe',
    write: putting(
      (place) => isNumber(place) && !Number.isInteger(place.value),
      (place) => String(place.value).replace('.', ','),
    ),
  },
  {
    name: 'a flag as a word or number',
    why: 'forms and spreadsheets write yes and 1',
    write: putting(isFlag, (place, random) =>
      random.pick(place.value ? ['true', 'True', 'yes', 'YES', 1, '1'] : ['false', 'False', 'no', 'No', 0, '0']),
    ),
  },
  {
    name: 'digits without their quotes',
    why: 'models take ids, versions and phone numbers for numbers',
    write: (meant, random) => {
      const tokens = tokensOf(meant.value, anyLayout(random));
      const loose = untyped(meant);
      const apt = tokens.flatMap((token, at) =>
        token.kind === 'string' &&
        /^[-+]?\d[\d._e]*$|^true$/.test(token.meant ?? '') &&
        !(loose(token) && isJson(token.meant ?? ''))
          ? [at]
          : [],
      );
      if (apt.length === 0) return undefined;
      const only = random.chance(0.5) ? random.pick(apt) : undefined;
      return tokens
        .map((token, at) => (apt.includes(at) && (only === undefined || only === at) ? token.meant : token.text))
        .join('');
    },
  },
  {
    name: 'a list as text',
    why: 'arguments that are encoded twice by clients and models',
    write: putting(isList, (place, random) =>
      random.pick([JSON.stringify(place.value), written(tokensOf(place.value, 'spaced')), writePython(place.value)]),
    ),
  },
  {
    name: 'a list as separated text',
    why: 'command lines, forms and prose write lists so',
    write: putting(
      // Who writes a list so sees that its items hold no separator.
      (place) => isFlat(place) && itemsOf(place).length > 1 && !/[,;|\n\t、，[\]{}"]/.test(itemsOf(place).join('')),
      (place, random) => {
        const items = itemsOf(place).map(String);
        return random.pick([
          ...[', ', ',', '; ', ';', ' | ', '|', '、', '，', '・', ' • ', '\n', '\t'].map((separator) =>
            items.join(separator),
          ),
          ...[
            ' and ',
            ' & ',
            ' und ',
            ' y ',
            ' et ',
            ' e ',
            ' и ',
            '和',
            '或',
            'と',
            ' en ',
            ' i ',
            ' or ',
            ' oder ',
          ].map((word) => items.join(word)),
          items.map((item) => `- ${item}`).join('\n'),
          items.map((item) => `• ${item}`).join(' '),
          ...['#', '@', '--'].map((sign) => items.map((item) => sign + item.replace(/\s/g, '_')).join(' ')),
          items.map((item, at) => `${at + 1}. ${item}`).join('\n'),
          `[${items.join(', ')}]`,
          `{${items.join(', ')}}`,
        ]);
      },
    ),
  },
  {
    name: 'a list of fixed words, with blanks between',
    why: 'OAuth writes scopes so, and command lines write options so',
    write: putting(
      (place) => isFlat(place) && itemsOf(place).length > 1 && isFixed(place),
      (place, random) => random.pick<JsonValue>([itemsOf(place).join(' '), [itemsOf(place).join(' ')]]),
    ),
  },
  {
    name: 'the item of a list of one',
    why: 'the list is forgotten where there is one item',
    write: putting(
      (place) => isList(place) && itemsOf(place).length === 1,
      (place) => itemsOf(place)[0],
    ),
  },
  {
    name: 'a word for the empty list',
    why: 'models say that there is nothing',
    write: putting(
      (place) => isList(place) && itemsOf(place).length === 0,
      (_, random) => random.pick<JsonValue>(['', 'none', 'None', 'N/A', 'n/a', '-', 'null', false, 0, {}, '[]']),
    ),
  },
  {
    name: 'an object as text',
    why: 'arguments that are encoded twice by clients and models',
    write: putting(isMap, (place, random) => random.pick([JSON.stringify(place.value), writePython(place.value)])),
  },
  {
    name: 'a list around one value',
    why: 'models wrap a value in a list by habit',
    write: putting(
      (place) => (isText(place) || isMap(place) || isNumber(place)) && place.parent !== 'array',
      (place) => [place.value],
    ),
  },
  {
    name: 'null for what is left out',
    why: 'models fill in every optional key',
    write: (meant, random) => {
      const { properties = {}, required = [] } = meant.template.json;
      if (!isObject(meant.value)) return undefined;
      const free = Object.keys(properties).filter(
        (key) => !required.includes(key) && !Object.hasOwn(meant.value as JsonObject, key),
      );
      if (free.length === 0) return undefined;
      // A key that may hold null would say something by it.
      const apt = free.filter((key) => {
        const schema = properties[key];
        return typeof schema === 'object' && !(Array.isArray(schema.type) && schema.type.includes('null'));
      });
      return apt.length === 0 ? undefined : write({ ...meant.value, [random.pick(apt)]: null }, random);
    },
  },
  {
    name: 'null as text',
    why: 'models write null and None in quotes',
    write: putting(
      (place) => place.value === null && !place.types.has('string'),
      (_, random) => random.pick(['null', 'None']),
    ),
  },
  {
    name: 'an enum in other letters',
    why: 'case, spaces, underscores and hyphens are what models remember least',
    write: putting(
      (place) => typeof place.value === 'string' && place.form.enum !== undefined,
      (place, random) => {
        const text = place.value as string;
        return random.pick([
          text.toUpperCase(),
          text.replace(/[_-]/g, ' '),
          text.replace(/[_-]/g, ''),
          camel(text),
          text[0]?.toUpperCase() + text.slice(1),
          text.replaceAll('_', '-'),
        ]);
      },
    ),
  },
  {
    name: 'a sign of a member lost',
    why: 'forms and addresses turn + into a blank, and labels leave signs out',
    write: putting(
      (place) => typeof place.value === 'string' && place.form.enum !== undefined && /[+/-]\d/.test(place.value),
      (place, random) => String(place.value).replace(/[+/-](?=\d)/, random.pick([' ', '', '_'])),
    ),
  },
  {
    name: 'a member of an enum of numbers as text',
    why: 'the type is lost, and sometimes a sign is added',
    write: putting(
      (place) => typeof place.value === 'number' && place.form.enum !== undefined,
      (place, random) =>
        random.pick([String(place.value), Number(place.value) > 0 ? `+${place.value}` : String(place.value)]),
    ),
  },
];
