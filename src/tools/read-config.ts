import { claimOf } from '../json/problem.ts';
import { isObject, type Path } from '../json/value.ts';
import { schemaOf } from '../schema/schema.ts';
import type { JsonSchema } from '../schema/types.ts';
import { ConfigurationValidationError, type Fault } from './config-error.ts';

export interface ReadSettings<T> {
  /** What the configuration is for: `proxy`, `gateway`. */
  readonly configType: string;
  readonly schema: JsonSchema;
  /** Where the schema is published. */
  readonly published: string;
  /** Environment variables for `${env:NAME}`. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Additional checks that a schema can't express. */
  readonly further?: (settings: T) => readonly Fault[];
}

/**
 * Replaces variables and validates a configuration. Throws an error with every fault: where it is and how to fix it.
 */
export function readSettings<T>(value: unknown, { configType, schema, published, env, further }: ReadSettings<T>): T {
  const faults: Fault[] = [];
  const filled = fill(value, env, [], faults);
  const checked = schemaOf(schema).check(filled);
  if (!checked.ok)
    for (const problem of checked.problems)
      faults.push({
        field: settingName(problem.path),
        message: claimOf(problem),
        fix: problem.suggestion ?? fixes[problem.code] ?? `See ${published} for the allowed values`,
      });
  if (faults.length === 0) faults.push(...(further?.(filled as T) ?? []));
  const [first] = faults;
  if (!first) return filled as T;
  const message = faults.map(sentence).join('\n');
  throw new ConfigurationValidationError(message, { configType, field: first.field, faults });
}

/** Path of a setting for messages. */
export const settingName = (path: Path): string => path.join('.') || 'the file';

const sentence = ({ field, message, fix }: Fault): string =>
  `${field}: ${message}${/[.?!]$/.test(message) ? '' : '.'} ${fix}`;

const fixes: Readonly<Record<string, string>> = {
  required: 'Add it',
  unknown: 'Remove it, or see the schema for the settings',
};

const variable = /\$\{env:([^}]*)\}/g;

/** Replaces the variables in all strings. */
function fill(value: unknown, env: ReadSettings<unknown>['env'], path: Path, faults: Fault[]): unknown {
  if (Array.isArray(value)) return value.map((item, at) => fill(item, env, [...path, at], faults));
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, fill(one, env, [...path, key], faults)]));
  if (typeof value !== 'string') return value;
  return value.replace(variable, (all, name: string) => {
    const text = env[name];
    if (text !== undefined && text !== '') return text;
    faults.push({
      field: settingName(path),
      message: `the environment variable ${name} is not set`,
      fix: `Set ${name}`,
    });
    return all;
  });
}
