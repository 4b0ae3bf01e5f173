import { isObject } from '../../json/value.ts';
import { closestKey } from '../../schema/closest-key.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import { Refs } from '../../schema/refs.ts';
import type { Fault } from '../../tool/configuration-validation-error.ts';
import { declaredNames } from '../../tool/declared-names.ts';
import { openingOf } from '../safe-fetch/trust.ts';
import { authFaults } from './auth-faults.ts';
import { headerFaults, headerName } from './header-faults.ts';
import { placementFaults } from './placement-faults.ts';
import { restMethods } from './rest-settings.ts';
import { urlFaults } from './url-faults.ts';

type Check = (value: unknown, field: string, settings: Readonly<Record<string, unknown>>) => Fault[];

const fault = (field: string, message: string, fix: string): Fault[] => [{ field, message, fix }];

const number =
  (least: number, most: number, fix: string): Check =>
  (value, field) =>
    typeof value === 'number' && value >= least && value <= most && Number.isInteger(value)
      ? []
      : fault(field, `${field} is ${shown(value)}`, `${fix}, a whole number from ${least} to ${most}`);

const longestTimer = 2 ** 31 - 1;
const time = number(1, longestTimer, 'Give the milliseconds');

const texts: Check = (value, field) =>
  Array.isArray(value) && value.every((one) => typeof one === 'string')
    ? []
    : fault(field, `${field} is no list of texts`, `Write it as a list, ["…"]`);

const templates: Check = (value, field) =>
  Array.isArray(value)
    ? texts(value, field, {})
    : fields(value, field, (one, at) =>
        ['string', 'number', 'boolean'].includes(typeof one)
          ? []
          : fault(at, `${at} is ${shown(one)}`, "Write a text, '{name}' for an argument"),
      );

/** What each setting must be; a name that is not here is none. */
const checks: Readonly<Record<string, Check>> = {
  method: (value, field) =>
    (restMethods as readonly unknown[]).includes(value)
      ? []
      : fault(field, `${field} is ${shown(value)}`, `Use one of: ${restMethods.join(', ')}`),
  url: urlFaults,
  headers: (value, field) => fields(value, field, headerFaults),
  query: templates,
  body: (value, field) =>
    ['json', 'form', 'query'].includes(value as string) || (isObject(value) && Object.hasOwn(value, 'json'))
      ? []
      : fault(field, `${field} is ${shown(value)}`, "Use 'json', 'form', 'query', or { json: … } with a template"),
  auth: authFaults,
  retry: (value, field) =>
    value === false
      ? []
      : known(value, field, { times: number(0, 10, 'Say how often at most'), base: time, longest: time }),
  timeout: time,
  breaker: (value, field) =>
    value === false
      ? []
      : known(value, field, { failures: number(1, 1000, 'Say after how many failures'), cooldown: time }),
  response: (value, field) =>
    known(value, field, {
      at: (at, where) =>
        typeof at === 'string' && /^(\/([^~]|~[01])*)?$/.test(at)
          ? []
          : fault(where, `${where} is no JSON pointer`, "Write it like '/data/items'"),
      pick: texts,
      maxBytes: number(1, 100 * 1024 * 1024, 'Give the bytes'),
    }),
  allow: (value, field) =>
    Array.isArray(value)
      ? value.flatMap((entry, index) =>
          typeof entry === 'string' && openingOf(entry)
            ? []
            : fault(`${field}[${index}]`, `${shown(entry)} is no host and no range`, allowFix),
        )
      : fault(field, `${field} is no list`, allowFix),
  keyHeader: (value, field) =>
    value === false || (typeof value === 'string' && headerName.test(value))
      ? []
      : fault(field, `${field} is ${shown(value)}`, 'Give the name of a header, or false'),
};

const allowFix = "Write hosts and ranges, like 'localhost:3000', '*.corp.test' or '10.0.0.0/8'";

/** Everything wrong with the settings of a REST tool. Settings may come from a file, so that nothing is taken for granted. */
export function restFaults(settings: unknown, schema: () => JsonSchema | undefined): Fault[] {
  if (!isObject(settings)) return fault('rest', 'it has no settings', "Give rest: { url: 'https://…' }");
  const missing = Object.hasOwn(settings, 'url') ? {} : { url: undefined };
  const faults = known({ ...missing, ...settings }, 'rest', checks, settings);
  // Where the parts are broken, how they fit together can't be told.
  return faults.length > 0 ? faults : placementFaults(settings as never, declared(schema));
}

/** The names of the arguments; undefined where the schema does not tell them all. A broken schema is told of elsewhere. */
function declared(schema: () => JsonSchema | undefined): ReadonlySet<string> | undefined {
  try {
    const json = schema();
    if (!isObject(json)) return undefined;
    const names = declaredNames(new Refs(json))(json);
    return names === 'any' ? undefined : new Set(names);
  } catch {
    return undefined;
  }
}

function known(
  value: unknown,
  field: string,
  table: Readonly<Record<string, Check>>,
  settings: Readonly<Record<string, unknown>> = {},
): Fault[] {
  return fields(value, field, (one, at, name) => {
    const check = Object.hasOwn(table, name) ? table[name] : undefined;
    if (check) return one === undefined && name !== 'url' ? [] : check(one, at, settings);
    const meant = closestKey(name, Object.keys(table));
    return fault(at, `${at} is not known`, meant ? `Did you mean ${meant}?` : `Use: ${Object.keys(table).join(', ')}`);
  });
}

function fields(
  value: unknown,
  field: string,
  check: (value: unknown, field: string, name: string) => Fault[],
): Fault[] {
  if (!isObject(value)) return fault(field, `${field} is ${shown(value)}`, 'Give an object');
  return Object.entries(value).flatMap(([name, one]) => check(one, `${field}.${name}`, name));
}

/** Settings may hold a secret in the wrong place, so that long texts are not repeated. */
const shown = (value: unknown): string => {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 24 ? `no such thing (${typeof value})` : text;
};
