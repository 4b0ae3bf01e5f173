import type { JsonObject, JsonValue } from '../../../../src/json/value.ts';

const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  v: '\v',
  a: '\u0007',
  '0': '\0',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '\n': '',
};
const hex = /\\(?:x([\da-f]{2})|u([\da-f]{4})|U([\da-f]{8}))|\\([\s\S])/gi;

const unescaped = (body: string): string =>
  body.replace(hex, (all, byte?: string, unit?: string, point?: string, char?: string) => {
    const digits = byte ?? unit ?? point;
    return digits === undefined ? (escapes[char ?? ''] ?? all) : String.fromCodePoint(Number.parseInt(digits, 16));
  });

const string =
  /"""((?:[^\\]|\\[\s\S])*?)"""|'''((?:[^\\]|\\[\s\S])*?)'''|"((?:[^"\\\n]|\\[\s\S])*)"|'((?:[^'\\\n]|\\[\s\S])*)'/y;
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?(?![\w.])/iy;
const word = /[A-Za-z_]\w*/y;
const words: Readonly<Record<string, JsonValue>> = { True: true, False: false, None: null };

/**
 * The keyword arguments of one call of literals, as Python itself reads it; undefined for anything else. Strings side by
 * side and comments are left out: they are valid, and also what a lost comma and a `#` in a text look like.
 */
export const readStrictPython = (text: string): { readonly name: string; readonly value: JsonObject } | undefined => {
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found !== null) at = pattern.lastIndex;
    return found ?? undefined;
  };
  const skip = (): void => {
    while (/\s/.test(text[at] ?? '')) at += 1;
  };
  const sign = (char: string): boolean => {
    skip();
    if (text[at] !== char) return false;
    at += 1;
    skip();
    return true;
  };
  const need = (done: boolean): void => {
    if (!done) throw new SyntaxError(`at ${at}`);
  };
  const members = (closer: string, member: () => void): void => {
    while (!sign(closer)) {
      member();
      if (sign(',')) continue;
      need(sign(closer));
      return;
    }
  };
  const literal = (): JsonValue => {
    skip();
    if (sign('[')) {
      const items: JsonValue[] = [];
      members(']', () => items.push(literal()));
      return items;
    }
    if (sign('{')) {
      const object: JsonObject = {};
      members('}', () => {
        const key = literal();
        need(typeof key === 'string' && !Object.hasOwn(object, key) && sign(':'));
        object[key as string] = literal();
      });
      return object;
    }
    const quoted = take(string);
    if (quoted !== undefined) return unescaped(quoted.slice(1).find((part) => part !== undefined) ?? '');
    const digits = take(number);
    if (digits !== undefined) return Number(digits[0]);
    const name = take(word)?.[0] ?? '';
    need(Object.hasOwn(words, name));
    return words[name] as JsonValue;
  };
  try {
    skip();
    const isList = sign('[');
    const name = take(word)?.[0] ?? '';
    need(name !== '' && sign('('));
    const value: JsonObject = {};
    members(')', () => {
      const key = take(word)?.[0] ?? '';
      need(key !== '' && !Object.hasOwn(value, key) && sign('='));
      value[key] = literal();
    });
    if (isList) need(sign(']'));
    skip();
    return at === text.length ? { name, value } : undefined;
  } catch {
    return undefined;
  }
};
