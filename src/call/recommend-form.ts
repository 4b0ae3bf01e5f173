import { isObject } from '../json/value.ts';
import { layoutOf } from '../schema/coerce/layout.ts';
import type { JsonSchema, SchemaObject } from '../schema/json-schema.ts';
import { preview, shorten } from './feedback-preview.ts';

const mostForms = 5;

/** A type's name with its article: `a number`, `an integer`; other words as they are. */
export function withArticle(expected: string): string {
  if (!/^[a-z]+(?:(?:, | or )[a-z]+)*$/.test(expected)) return expected;
  return expected.replace(/[a-z]+/g, (word) =>
    word === 'or' || word === 'null' ? word : `${/^[aeiou]/.test(word) ? 'an' : 'a'} ${word}`,
  );
}

/** In a few words what a schema wants: `a list of strings`, `an object with path, find`; undefined where it says nothing. */
export function formOf(schema: JsonSchema | undefined, root: JsonSchema, depth = 0): string | undefined {
  const form = layoutOf(root).interpreter.resolve(schema ?? true);
  if (!isObject(form) || depth > 3) return undefined;
  const words = formWords(form, root, depth);
  if (depth > 0 || typeof form.description !== 'string') return words;
  const about = shorten(form.description.trim().split(/[.\n]/, 1)[0] ?? '', 80);
  return words && about ? `${words} (${about})` : words;
}

function formWords(form: SchemaObject, root: JsonSchema, depth: number): string | undefined {
  if ('const' in form) return preview(form.const, 60);
  if (Array.isArray(form.enum)) return anyOf(form.enum.map((value) => preview(value, 60)));
  const union = form.anyOf ?? form.oneOf;
  if (Array.isArray(union)) return anyOf(union.slice(0, 12).map((branch) => formOf(branch, root, depth + 1)));
  if (Array.isArray(form.type)) return withArticle(form.type.join(' or '));
  if (form.type === 'array') return listForm(form, root, depth);
  if (form.type === 'object' || isObject(form.properties)) return objectForm(form);
  if (typeof form.format === 'string' && form.type === 'string') return `a ${form.format} string`;
  return typeof form.type === 'string' ? withArticle(form.type) : undefined;
}

function anyOf(forms: readonly (string | undefined)[]): string | undefined {
  const known = [...new Set(forms.filter((form) => form !== undefined))];
  if (known.length === 0) return undefined;
  return known.length > mostForms ? `${known.slice(0, mostForms).join(', ')} …` : known.join(' or ');
}

function listForm(form: SchemaObject, root: JsonSchema, depth: number): string {
  const held = Array.isArray(form.items) ? undefined : form.items;
  const resolved = layoutOf(root).interpreter.resolve(held ?? true);
  const item = isObject(resolved) ? resolved : undefined;
  if (item?.type === 'object') return `a list of objects${objectForm(item).slice('an object'.length)}`;
  if (typeof item?.type === 'string' && !item.enum) return `a list of ${item.type}s`;
  const words = item && formOf(item, root, depth + 1);
  return words ? `a list of ${words}` : 'a list';
}

function objectForm(form: SchemaObject): string {
  const required = Array.isArray(form.required) ? form.required : [];
  const names = required.length > 0 ? required : Object.keys(form.properties ?? {});
  if (names.length === 0) return 'an object';
  return `an object with ${names.slice(0, 8).join(', ')}${names.length > 8 ? ' …' : ''}`;
}
