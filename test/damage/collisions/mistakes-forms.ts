/** Mistakes in the form as a whole: other ways to part keys, escapes around everything, fields and values out of place. */
import { isObject, type JsonObject, type JsonValue } from '../../../src/json/value.ts';
import type { Random } from '../random.ts';
import { anyLayout, rewritten, tokensOf, written } from '../tokens.ts';
import { bodyOf, escapes, isJson, type Meant, type Mistake, writingStrings } from './mistake.ts';
import { one } from './rewriting.ts';

const write = (value: JsonValue, random: Random): string => written(tokensOf(value, anyLayout(random)));

/** Text that such a form keeps: one line that is neither in quotes nor a number, literal or word for nothing. */
const isPlain = (part: string): boolean =>
  /^[^\s"'“‘`[{][^\n]*$/.test(part) && !/^(?:null|none|undefined)$/i.test(part) && !isJson(part);

/** The fields of flat arguments, each as key and text; undefined where one can't be written so. */
const flat = ({ value, template }: Meant): [string, string][] | undefined => {
  if (!isObject(value) || template.way !== 'call' || Object.keys(value).length < 2) return undefined;
  const fields = Object.entries(value);
  if (fields.some(([, part]) => typeof part === 'object' || (typeof part === 'string' && !isPlain(part))))
    return undefined;
  return fields.map(([key, part]) => [key, String(part)]);
};

const joined =
  (join: (fields: readonly [string, string][], random: Random) => string) =>
  (meant: Meant, random: Random): string | undefined => {
    const fields = flat(meant);
    return fields && join(fields, random);
  };

/** Both ways a model may mean a field: what it wrote, or the other after a change of mind. */
const another = (text: string): string => (/^\d+$/.test(text) ? String(Number(text) + 1) : `${text}2`);

export const formMistakes: readonly Mistake[] = [
  {
    name: 'Hjson',
    why: 'settings without quotes or commas, a line each in braces',
    write: joined((fields) => `{\n${fields.map(([key, part]) => `  ${key}: ${part}\n`).join('')}}`),
  },
  {
    name: 'Hjson with commas at some lines',
    why: 'half of the habit of JSON is kept',
    write: joined(
      (fields, random) =>
        `{\n${fields.map(([key, part], at) => `  ${key}: ${part}${at < fields.length - 1 && random.chance(0.5) ? ',' : ''}\n`).join('')}}`,
    ),
  },
  {
    name: 'a TypeScript type’s form',
    why: 'semicolons part the members',
    write: joined((fields) => `{${fields.map(([key, part]) => `${key}: ${part}`).join('; ')}}`),
  },
  {
    name: 'entities for quotes',
    why: 'the text went through a template that escapes HTML',
    write: ({ value }, random) => (isObject(value) ? write(value, random).replaceAll('"', '&quot;') : undefined),
  },
  {
    name: 'every quote escaped',
    why: 'the arguments as a string, without the quotes around it',
    write: ({ value }) => (isObject(value) ? bodyOf(JSON.stringify(value)) : undefined),
  },
  {
    name: 'only the quotes escaped',
    why: 'a template escapes quotes and nothing else',
    write: ({ value }) => (isObject(value) ? JSON.stringify(value).replaceAll('"', '\\"') : undefined),
  },
  {
    name: 'full-width signs',
    why: 'Chinese and Japanese keyboards',
    write: one(
      (token) => token.kind === ',' || token.kind === ':',
      (token) => (token.kind === ',' ? '，' : '：'),
    ),
  },
  {
    name: 'an empty object beside',
    why: 'servers that begin or end the stream of arguments with {}',
    write: ({ value }, random) =>
      isObject(value) ? random.pick([`{}${JSON.stringify(value)}`, `${JSON.stringify(value)}{}`]) : undefined,
  },
  {
    name: 'an escaped quote without its quote',
    why: 'the token is skipped',
    lost: true,
    write: writingStrings((text, random) => {
      const body = bodyOf(text);
      const quotes = body.split('\\"').length - 1;
      // Where they come in odd numbers nobody can see that one is missing; before some signs the rest is another escape.
      if (quotes < 2 || quotes % 2 === 1 || /\\[^"]/.test(body)) return undefined;
      let left = random.int(quotes);
      return `"${escapes(body, (sequence) => (sequence === '\\"' && left-- === 0 ? '\\' : undefined))}"`;
    }),
  },
  {
    name: 'two values to choose from',
    why: 'the model leaves the choice open',
    lost: true,
    write: one(
      (token) => token.kind === 'string' && /^"\w[\w./-]*"$/.test(token.text),
      (token, random) =>
        `${token.text}${random.pick([' or ', 'or', ' / ', ' | ', ' and '])}${JSON.stringify(another(token.meant ?? ''))}`,
    ),
  },
  {
    name: 'the words of a key swapped',
    why: 'models name an argument as other tools do: date_end for end_date',
    write: ({ value }, random) => {
      const keys = isObject(value) ? Object.keys(value).filter((key) => /^[a-z]+_[a-z]+$/.test(key)) : [];
      if (keys.length === 0) return undefined;
      const key = random.pick(keys);
      const swapped = key.split('_').reverse().join('_');
      if (Object.hasOwn(value as JsonObject, swapped)) return undefined;
      return JSON.stringify(
        Object.fromEntries(Object.entries(value as JsonObject).map(([k, v]) => [k === key ? swapped : k, v])),
      );
    },
  },
  {
    name: 'the fields of an inner object beside it',
    why: 'models flatten what is nested',
    write: ({ value }) => {
      const inner = isObject(value) ? Object.entries(value).find(([, part]) => isObject(part)) : undefined;
      if (inner === undefined) return undefined;
      const { [inner[0]]: _, ...rest } = value as JsonObject;
      const own = inner[1] as JsonObject;
      return Object.keys(own).some((key) => Object.hasOwn(rest, key)) ? undefined : JSON.stringify({ ...rest, ...own });
    },
  },
  {
    name: 'begun again after a cut',
    why: 'servers resend a call from its start, and clients append it to what they have',
    write: ({ value }, random) => {
      const text = written(tokensOf(value, random.pick(['compact', 'spaced'] as const)));
      return text.startsWith('{"') ? text.slice(0, random.between(2, text.length - 1)) + text : undefined;
    },
  },
  {
    name: 'closing tags behind a value',
    why: 'servers that parse tagged calls leave the tags behind the last value',
    write: ({ value }, random) => {
      const tokens = tokensOf(value, 'spaced');
      const last = tokens.findLastIndex(({ kind }) => !['}', ']', 'space'].includes(kind));
      const tags = random.pick(['</parameter>', '</parameter></invoke>', '</parameter>\n</invoke>', '</arg_value>']);
      const at = random.chance(0.5) ? last : tokens.length - 2;
      return tokens.length > 3
        ? rewritten(tokens, ({ text }, index) => (index === at ? text + tags : undefined))
        : undefined;
    },
  },
  {
    name: 'a key in the markup of its parameter',
    why: 'servers that parse tagged calls take the tag for the key',
    write: one(
      ({ kind, path }) => kind === 'key' && path.length === 1,
      ({ meant }, random) =>
        JSON.stringify(
          random.pick([
            `parameter name="${meant}"`,
            `<parameter=${meant}>`,
            `parameter=${meant}`,
            `${meant}</arg_key>`,
          ]),
        ),
    ),
  },
];
