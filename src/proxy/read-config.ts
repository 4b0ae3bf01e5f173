import { readFileSync } from 'node:fs';
import { isObject, type Path } from '../json/value.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { schemaOf } from '../schema/schema.ts';
import { ConfigurationValidationError, type Fault } from '../tool/configuration-validation-error.ts';
import type { ProxyConfig } from './proxy-config.ts';

type Env = Readonly<Record<string, string | undefined>>;

// The sources ship with the build, so that the schema stands in one place and editors can point at it.
const schemaFile = new URL('../../src/proxy/proxy-config.schema.json', import.meta.url);

/**
 * Reads settings: puts variables in, checks them against the published schema, and throws with every fault, where it is and
 * what to do about it.
 *
 * @param value the settings, parsed
 */
export function readConfig(value: unknown, env: Env): ProxyConfig {
  const faults: Fault[] = [];
  const filled = fill(value, env, [], faults);
  const schema = schemaOf(JSON.parse(readFileSync(schemaFile, 'utf8')) as JsonSchema);
  const checked = schema.check(filled);
  if (!checked.ok)
    for (const { path, message, suggestion, code } of checked.problems)
      faults.push({
        field: nameOf(path),
        message: message.replace(/^Field '[^']*' /, ''),
        fix: suggestion ?? fixes[code] ?? fixes.other,
      });
  if (faults.length === 0) faults.push(...danglingNames(filled as ProxyConfig));
  const [first] = faults;
  if (!first) return filled as ProxyConfig;
  const message = faults.map(sentence).join('\n');
  throw new ConfigurationValidationError(message, { configType: 'proxy', field: first.field, faults });
}

const sentence = ({ field, message, fix }: Fault): string =>
  `${field}: ${message}${/[.?!]$/.test(message) ? '' : '.'} ${fix}`;

const fixes: Readonly<Record<string, string>> & { readonly other: string } = {
  required: 'Add it',
  unknown: 'Take it out, or see the schema for what there is',
  other: 'See proxy-config.schema.json for what it may be',
};

const variable = /\$\{env:([^}]*)\}/g;

/** Every text with its variables put in. */
function fill(value: unknown, env: Env, path: Path, faults: Fault[]): unknown {
  if (Array.isArray(value)) return value.map((item, at) => fill(item, env, [...path, at], faults));
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, fill(one, env, [...path, key], faults)]));
  if (typeof value !== 'string') return value;
  return value.replace(variable, (all, name: string) => {
    const text = env[name];
    if (text !== undefined && text !== '') return text;
    faults.push({ field: nameOf(path), message: `the variable ${name} is not set`, fix: `Set ${name}` });
    return all;
  });
}

/** Models that are sent to an upstream that is not there. */
function danglingNames({ upstreams, models = {} }: ProxyConfig): Fault[] {
  return Object.entries(models).flatMap(([pattern, model]) => {
    const name = typeof model === 'string' ? model : model.upstream;
    if (Object.hasOwn(upstreams, name)) return [];
    const fix = `There are: ${Object.keys(upstreams).join(', ')}`;
    return [{ field: nameOf(['models', pattern]), message: `there is no upstream '${name}'`, fix }];
  });
}

const nameOf = (path: Path): string => path.join('.') || 'the file';
