import { Interpreter } from '../schema/interpret.ts';
import type { SchemaObject } from '../schema/json-schema.ts';

const formats: Readonly<Record<string, string>> = {
  date: '2026-01-31',
  time: '12:00:00Z',
  'date-time': '2026-01-31T12:00:00Z',
  duration: 'PT1H',
  email: 'name@example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/',
  url: 'https://example.com/',
  'uri-reference': '/page',
  uuid: '123e4567-e89b-42d3-a456-426614174000',
};

/** A string a schema of strings would take, as far as that can be told: `<name>` where it may be anything. */
export function exampleString(form: SchemaObject, name: string): string {
  const known = form.format && Object.hasOwn(formats, form.format) ? formats[form.format] : undefined;
  if (known) return known;
  const text = form.pattern ? `<${name} matching ${form.pattern}>` : `<${name}>`;
  const long = text.padEnd(Math.min(form.minLength ?? 0, 200), '.');
  return form.pattern ? long : long.slice(0, form.maxLength ?? long.length);
}

/** A number a schema of numbers would take: 1 where it may be any. */
export function exampleNumber(form: SchemaObject): number {
  const { multipleOf: step = 1 } = form;
  const number = (...words: unknown[]) => words.find((word) => typeof word === 'number');
  const low = number(form.minimum, form.exclusiveMinimum);
  const high = number(form.maximum, form.exclusiveMaximum);
  const candidates = [1, step, low, high, 0];
  if (low !== undefined) candidates.push(Math.floor(low / step + 1) * step);
  if (high !== undefined) candidates.push(Math.ceil(high / step - 1) * step);
  if (low !== undefined && high !== undefined) candidates.push((low + high) / 2);
  const rules = new Interpreter(form);
  return candidates.find((one) => one !== undefined && rules.passes(one)) ?? low ?? high ?? 1;
}
