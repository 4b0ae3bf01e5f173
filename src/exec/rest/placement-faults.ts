import { isObject } from '../../json/value.ts';
import { closestKey } from '../../schema/closest-key.ts';
import type { Fault } from '../../tool/configuration-validation-error.ts';
import { queryTemplates } from './rest-request.ts';
import type { RestSettings } from './rest-settings.ts';
import { placeholdersOf, urlTemplate } from './template.ts';

/** What is wrong with where arguments go: one that is not declared, or one that goes nowhere. */
export function placementFaults(settings: RestSettings, declared: ReadonlySet<string> | undefined): Fault[] {
  const template = urlTemplate(settings.url);
  if (!template || !declared) return [];
  const { headers = {}, body } = settings;
  const placed: (readonly [string, string])[] = [
    ...placeholdersOf(template.path).map((name) => ['rest.url', name] as const),
    ...queryTemplates(settings, template).flatMap(([key, text]) => names(`rest.query.${key}`, text)),
    ...Object.entries(headers).flatMap(([key, text]) => names(`rest.headers.${key}`, text)),
    ...(typeof body === 'object' ? inBody(body.json, 'rest.body.json') : []),
  ];
  const faults = placed.flatMap(([field, name]) => (declared.has(name) ? [] : [undeclared(field, name, declared)]));
  if (typeof body !== 'object') return faults;
  const used = new Set(placed.map(([, name]) => name));
  return [...faults, ...[...declared].filter((name) => !used.has(name)).map(nowhere)];
}

const names = (field: string, text: string): [string, string][] => placeholdersOf(text).map((name) => [field, name]);

function inBody(template: unknown, field: string): [string, string][] {
  if (typeof template === 'string') return names(field, template);
  if (Array.isArray(template)) return template.flatMap((item, index) => inBody(item, `${field}[${index}]`));
  if (!isObject(template)) return [];
  return Object.entries(template).flatMap(([key, inner]) => inBody(inner, `${field}.${key}`));
}

function undeclared(field: string, name: string, declared: ReadonlySet<string>): Fault {
  const meant = closestKey(name, declared);
  const fix = meant ? `Did you mean {${meant}}?` : 'Declare it as a property of the input, or take it out';
  return { field, message: `{${name}} is no argument of the tool`, fix };
}

const nowhere = (name: string): Fault => ({
  field: 'rest.body.json',
  message: `the argument '${name}' goes nowhere`,
  fix: `Put '{${name}}' into the body, the address, the query or a header`,
});
