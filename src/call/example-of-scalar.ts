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
  const fits = fitter(form);
  const step = typeof form.multipleOf === 'number' && form.multipleOf > 0 ? form.multipleOf : 1;
  const low = number(form.minimum) ?? number(form.exclusiveMinimum);
  const high = number(form.maximum) ?? number(form.exclusiveMaximum);
  const candidates = [
    1,
    step,
    low,
    low === undefined ? undefined : Math.floor(low / step + 1) * step,
    high,
    high === undefined ? undefined : Math.ceil(high / step - 1) * step,
    low === undefined || high === undefined ? undefined : (low + high) / 2,
    0,
  ];
  return candidates.find((candidate) => candidate !== undefined && fits(candidate)) ?? low ?? high ?? 1;
}

const number = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

function fitter(form: SchemaObject): (value: number) => boolean {
  const over = number(form.exclusiveMinimum) ?? (form.exclusiveMinimum === true ? form.minimum : undefined);
  const under = number(form.exclusiveMaximum) ?? (form.exclusiveMaximum === true ? form.maximum : undefined);
  const isWhole = form.type === 'integer' || (Array.isArray(form.type) && !form.type.includes('number'));
  return (value) =>
    value >= (form.minimum ?? Number.NEGATIVE_INFINITY) &&
    value <= (form.maximum ?? Number.POSITIVE_INFINITY) &&
    value > (over ?? Number.NEGATIVE_INFINITY) &&
    value < (under ?? Number.POSITIVE_INFINITY) &&
    (!isWhole || Number.isInteger(value)) &&
    (!form.multipleOf || Number.isInteger(value / form.multipleOf));
}
