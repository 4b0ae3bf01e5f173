import { isObject, type JsonValue } from '../../src/json/value.ts';

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

const text = (value: string): string => {
  const quote = value.includes("'") && !value.includes('"') ? '"' : "'";
  const body = [...value]
    .map((char) => {
      if (char === quote) return `\\${quote}`;
      const code = char.codePointAt(0) ?? 0;
      return escapes[char] ?? (code < 32 || code === 127 ? `\\x${code.toString(16).padStart(2, '0')}` : char);
    })
    .join('');
  return quote + body + quote;
};

/** Writes a value as Python's `repr` does. */
export const writePython = (value: JsonValue): string => {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'string') return text(value);
  if (Array.isArray(value)) return `[${value.map(writePython).join(', ')}]`;
  if (isObject(value))
    return `{${Object.entries(value)
      .map(([key, part]) => `${text(key)}: ${writePython(part)}`)
      .join(', ')}}`;
  return JSON.stringify(value);
};
