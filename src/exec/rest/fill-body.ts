import { hasOwn, isObject } from '../../json/value.ts';
import { argumentText } from './argument-text.ts';
import { fill, onlyPlaceholder } from './template.ts';

/** Fills a template of a body: text that is one placeholder becomes the argument itself, and a field without one is left out. */
export function fillBody(template: unknown, input: Readonly<Record<string, unknown>>): unknown {
  if (typeof template === 'string') {
    const value = (name: string): unknown => (hasOwn(input, name) ? input[name] : undefined);
    const only = onlyPlaceholder(template);
    return only === undefined ? fill(template, (name) => argumentText(name, value(name)) ?? '') : value(only);
  }
  if (Array.isArray(template)) {
    return template.map((item) => fillBody(item, input)).filter((item) => item !== undefined);
  }
  if (!isObject(template)) return template;
  return Object.fromEntries(Object.entries(template).map(([key, inner]) => [key, fillBody(inner, input)]));
}
