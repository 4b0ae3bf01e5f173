/** Lists and objects that came as text, as one value, or in one list too many. */
import { isObject, type JsonValue } from '../../src/json/value.ts';
import type { Kind } from './kind.ts';
import { anything, formsOf, only, type Place } from './places.ts';
import { tokensOf, written } from './tokens.ts';
import { putting, spoiling } from './with-value.ts';
import { writePython } from './write-python.ts';

const isList = (place: Place): boolean =>
  Array.isArray(place.value) && only(place, 'array') && place.parent !== 'array';
const isMap = (place: Place): boolean => isObject(place.value) && only(place, 'object') && place.path.length > 0;
const itemTypes = (place: Place): string[] => {
  const items = place.form.items;
  return items === undefined || Array.isArray(items) || place.form.prefixItems
    ? []
    : formsOf(items, anything).map((form) => String(form.type));
};
const isTextList = (place: Place): boolean => isList(place) && itemTypes(place).join() === 'string';
const isScalarList = (place: Place): boolean =>
  isList(place) && /^(?:string|integer|number)$/.test(itemTypes(place).join());
const items = (place: Place): JsonValue[] => place.value as JsonValue[];

const xmlText = (value: JsonValue): string =>
  String(value).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
/** XML keeps no difference between empty, blank and padded text, and has no word for control characters. */
const xmlSafe = (value: JsonValue): boolean =>
  isObject(value)
    ? Object.values(value).every((part) => !isObject(part) && !Array.isArray(part) && xmlSafe(part))
    : !Array.isArray(value) &&
      value !== null &&
      String(value).trim() === String(value) &&
      value !== '' &&
      ![...String(value)].some((char) => char < ' ' || char === '\\');
const xmlItem = (tag: string, value: JsonValue): string =>
  `<${tag}>${
    isObject(value)
      ? Object.entries(value)
          .map(([key, part]) => `<${key}>${xmlText(part)}</${key}>`)
          .join('')
      : xmlText(value)
  }</${tag}>`;
const plain = (value: JsonValue | undefined): value is string =>
  typeof value === 'string' &&
  !/[,;|、，；\t\n[\]{}<]|\s(?:and|&)\s|^\s*(?:[-*•·‣–—]|\d+[.)])\s/i.test(value) &&
  !/^(?:n\/a|n\.a\.|-+|[–—]|nan|false|0)$/i.test(value.trim()) &&
  value.trim() !== '' &&
  !/^(?:null|none|undefined)$/i.test(value.trim()) &&
  !/^["'`]/.test(value);

export const shapeKinds: readonly Kind[] = [
  {
    name: 'a list as JSON text',
    expect: 'inferred',
    apply: putting(isList, (place, random) => ({
      put: written(tokensOf(place.value, random.pick(['compact', 'spaced', 'pretty'] as const))),
    })),
  },
  {
    name: 'a list as Python text',
    expect: 'inferred',
    apply: putting(isList, (place) => {
      const text = writePython(place.value);
      return /\\x/.test(text) ? undefined : { put: text };
    }),
  },
  {
    name: 'a list as JSON text with a fault',
    expect: 'safe',
    apply: putting(isList, (place, random) =>
      items(place).length === 0
        ? undefined
        : {
            put: random.pick([
              `${JSON.stringify(place.value).slice(0, -1)},]`,
              JSON.stringify(place.value).slice(0, -1),
            ]),
          },
    ),
  },
  {
    name: 'a list as XML text, with an element around',
    expect: 'inferred',
    apply: putting(
      (place) =>
        isList(place) && items(place).length > 1 && items(place).every(xmlSafe) && itemTypes(place).length === 1,
      (place, random) => {
        const gap = random.pick(['', '\n', '\n  ']);
        return {
          put: `<items>${gap}${items(place)
            .map((item) => xmlItem('item', item))
            .join(gap)}${gap && '\n'}</items>`,
        };
      },
    ),
  },
  {
    name: 'a list as XML text, elements alone',
    expect: 'inferred',
    apply: putting(
      (place) =>
        isList(place) && items(place).length > 1 && items(place).every(xmlSafe) && itemTypes(place).length === 1,
      (place, random) => ({
        put: items(place)
          .map((item) => xmlItem('item', item))
          .join(random.pick(['', '\n'])),
      }),
    ),
  },
  {
    name: 'a list of one as XML text',
    expect: 'safe',
    apply: putting(
      (place) =>
        isList(place) && items(place).length === 1 && items(place).every(xmlSafe) && itemTypes(place).length === 1,
      (place, random) => ({
        put: random.pick([
          xmlItem('item', items(place)[0] as JsonValue),
          `<items>${xmlItem('item', items(place)[0] as JsonValue)}</items>`,
        ]),
      }),
    ),
  },
  {
    name: 'one plain text for a list of one',
    expect: 'inferred',
    apply: putting(isTextList, (place, random) => {
      const text = items(place).find(plain) ?? random.pick(['alpha', 'src/main.ts', 'https://example.com/a']);
      return plain(text) ? { put: text, want: [text] } : undefined;
    }),
  },
  {
    name: 'one number for a list of one',
    expect: 'inferred',
    apply: putting(
      (place) => isScalarList(place) && !isTextList(place),
      (_, random) => {
        const value = random.between(1, 99);
        return { put: value, want: [value] };
      },
    ),
  },
  {
    name: 'one object for a list of one',
    expect: 'inferred',
    apply: putting(
      (place) => isList(place) && isObject(items(place)[0]) && Object.keys(items(place)[0] as object).length > 0,
      (place) => ({ put: items(place)[0] as JsonValue, want: [items(place)[0] as JsonValue] }),
    ),
  },
  {
    name: 'one object as text for a list of one',
    expect: 'inferred',
    apply: putting(
      (place) => isList(place) && isObject(items(place)[0]) && Object.keys(items(place)[0] as object).length > 0,
      (place) => ({ put: JSON.stringify(items(place)[0]), want: [items(place)[0] as JsonValue] }),
    ),
  },
  {
    name: 'text with commas, lines or brackets for a list',
    expect: 'refused',
    apply: spoiling(isTextList, (_, random) =>
      random.pick([
        'a, b, c',
        'a,b',
        'one\ntwo',
        'a.ts [old]',
        '{x} y',
        '- a\n- b',
        'a; b',
        'a | b',
        'a and b',
        'a & b',
        'a、b',
        'a，b',
        'a\tb',
        '- a',
        '• a',
        'src/{a,b}.ts',
      ]),
    ),
  },
  {
    name: 'empty or null-like text, or {}, for a list',
    expect: 'refused',
    apply: spoiling(
      (place) => isList(place) && place.required && !place.types.has('null'),
      (_, random) => random.pick(['', ' ', 'null', 'None', 'N/A', '-', 'none', false, 0, {}]),
    ),
  },
  {
    name: 'a bad item in a list is not dropped',
    expect: 'refused',
    apply: spoiling(isScalarList, (place, random) => {
      const bad = random.pick<JsonValue>(
        isTextList(place) ? [null, { a: 1 }, ['a', 'b']] : ['x', null, '12 years', 1.5e-3, {}],
      );
      if (bad === 1.5e-3 && !itemTypes(place).includes('integer')) return undefined;
      const list = [...items(place), ...(isTextList(place) ? ['ok'] : [1])];
      list.splice(random.int(list.length + 1), 0, bad);
      return list;
    }),
  },
  {
    name: 'numbers of a list as text',
    expect: 'inferred',
    apply: putting(
      (place) => isScalarList(place) && !isTextList(place) && items(place).length > 0,
      (place) => ({ put: items(place).map(String) }),
    ),
  },
  {
    name: 'numbers for a list of text',
    expect: 'inferred',
    apply: putting(isTextList, (_, random) => {
      const list = random.some(1, 3, () => random.between(0, 99));
      return { put: list, want: list.map(String) };
    }),
  },
  {
    name: 'an object as JSON text',
    expect: 'inferred',
    apply: putting(isMap, (place, random) => ({
      put: written(tokensOf(place.value, random.pick(['compact', 'spaced', 'pretty'] as const))),
    })),
  },
  {
    name: 'an object as Python text',
    expect: 'inferred',
    apply: putting(isMap, (place) => {
      const text = writePython(place.value);
      return /\\x/.test(text) ? undefined : { put: text };
    }),
  },
  {
    name: 'a list of one object for an object',
    expect: 'inferred',
    apply: putting(
      (place) => isMap(place) && Object.keys(place.value as object).length > 0,
      (place) => ({ put: [place.value] }),
    ),
  },
  {
    name: 'prose, a number or two objects for an object',
    expect: 'refused',
    apply: spoiling(
      (place) => isMap(place) && place.parent !== 'array',
      (place, random) =>
        random.pick<JsonValue>(['as before', 5, true, [place.value, { other: 1 }], [], '', '{"cut": "off', 'a: b c']),
    ),
  },
  {
    name: 'JSON text where text is allowed beside a list stays',
    expect: 'ok',
    apply: putting(
      (place) => place.types.has('array') && place.types.has('string'),
      (_, random) => {
        const text = random.pick(['["a", "b"]', '[]', 'a, b']);
        return { put: text, want: text };
      },
    ),
  },
  {
    name: 'text for a number or flag where text is allowed stays',
    expect: 'ok',
    apply: putting(
      (place) => place.types.has('string') && place.types.has('number'),
      (_, random) => {
        const text = random.pick(['5', 'true', 'null', '1,234', 'None']);
        return { put: text, want: text };
      },
    ),
  },
];
