import { isObject } from '../json/value.ts';
import type { JsonSchema } from './json-schema.ts';

/** What a schema wants, in a word or two; undefined where that can't be said so shortly. */
export const expects = (schema: JsonSchema | undefined): string | undefined => {
  if (!isObject(schema)) return undefined;
  const types = typeof schema.type === 'string' ? [schema.type] : Array.isArray(schema.type) ? schema.type : [];
  if (Array.isArray(schema.enum)) return `one of: ${schema.enum.slice(0, 20).map(String).join(', ')}`;
  if (schema.const !== undefined) return String(schema.const);
  if (types.length > 0) return types.join(' or ');
  const forms = [schema.anyOf, schema.oneOf].find(Array.isArray);
  if (forms === undefined) return undefined;
  const each = forms.map((form) => (isObject(form) && typeof form.type === 'string' ? form.type : undefined));
  return each.includes(undefined) ? undefined : [...new Set(each)].join(' or ');
};
