import { isObject } from '../../json/value.ts';
import { closestKey } from '../../schema/closest-key.ts';
import type { JsonSchema } from '../../schema/types.ts';
import { Refs } from '../../schema/validate/refs.ts';
import { declaredNames } from '../../tools/check/parameters.ts';
import type { Fault } from '../../tools/config-error.ts';
import { checkUrl } from '../safe-fetch/check-url.ts';
import { hostOf, parseAllowEntry, trustOf } from '../safe-fetch/trust.ts';
import { headerFaults, headerName, queryTemplates, secretName } from './request.ts';
import { type RestSettings, restMethods } from './settings.ts';
import { placeholdersOf, urlTemplate } from './template.ts';

type Check = (value: unknown, field: string, settings: Readonly<Record<string, unknown>>) => Fault[];

const fault = (field: string, message: string, fix: string): Fault[] => [{ field, message, fix }];

const number =
  (least: number, most: number, fix: string): Check =>
  (value, field) =>
    typeof value === 'number' && value >= least && value <= most && Number.isInteger(value)
      ? []
      : fault(field, `${field} is ${shown(value)}`, `${fix}, an integer from ${least} to ${most}`);

const longestTimer = 2 ** 31 - 1;
const time = number(1, longestTimer, 'Set the milliseconds');

const texts: Check = (value, field) =>
  Array.isArray(value) && value.every((one) => typeof one === 'string')
    ? []
    : fault(field, `${field} is not a list of strings`, `Write it as a list, ["…"]`);

const templates: Check = (value, field) =>
  Array.isArray(value)
    ? texts(value, field, {})
    : fields(value, field, (one, at) =>
        ['string', 'number', 'boolean'].includes(typeof one)
          ? []
          : fault(at, `${at} is ${shown(one)}`, "Use a string, with '{name}' for an argument"),
      );

/** A check for each setting. Other names are unknown. */
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
      : known(value, field, { times: number(0, 10, 'Set the maximum number of retries'), base: time, longest: time }),
  timeout: time,
  breaker: (value, field) =>
    value === false
      ? []
      : known(value, field, { failures: number(1, 1000, 'Set the number of failures'), cooldown: time }),
  response: (value, field) =>
    known(value, field, {
      at: (at, where) =>
        typeof at === 'string' && /^(\/([^~]|~[01])*)?$/.test(at)
          ? []
          : fault(where, `${where} is not a JSON pointer`, "Write it like '/data/items'"),
      pick: texts,
      maxBytes: number(1, 100 * 1024 * 1024, 'Set the bytes'),
    }),
  allow: (value, field) =>
    Array.isArray(value)
      ? value.flatMap((entry, index) =>
          typeof entry === 'string' && parseAllowEntry(entry)
            ? []
            : fault(`${field}[${index}]`, `${shown(entry)} is neither a host nor an address range`, allowFix),
        )
      : fault(field, `${field} is not a list`, allowFix),
  keyHeader: (value, field) =>
    value === false || (typeof value === 'string' && headerName.test(value))
      ? []
      : fault(field, `${field} is ${shown(value)}`, 'Use the name of a header, or false'),
};

const allowFix = "Write hosts and ranges, like 'localhost:3000', '*.corp.test' or '10.0.0.0/8'";

/** Validates the settings of a REST tool, which may come from a file, and returns all faults. */
export function restFaults(settings: unknown, schema: () => JsonSchema | undefined): Fault[] {
  if (!isObject(settings)) return fault('rest', 'it has no settings', "Set rest: { url: 'https://…' }");
  const missing = Object.hasOwn(settings, 'url') ? {} : { url: undefined };
  const faults = known({ ...missing, ...settings }, 'rest', checks, settings);
  // How the settings fit together can only be checked if each is valid.
  return faults.length > 0 ? faults : placementFaults(settings as never, declared(schema));
}

/** Names of the arguments; undefined if the schema doesn't declare all. An invalid schema is reported elsewhere. */
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
  if (!isObject(value)) return fault(field, `${field} is ${shown(value)}`, 'Use an object');
  return Object.entries(value).flatMap(([name, one]) => check(one, `${field}.${name}`, name));
}

/** Doesn't repeat long values, because a secret may be in the wrong place. */
const shown = (value: unknown): string => {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 24 ? `an invalid ${typeof value}` : text;
};

/** Fields of each form of authentication. */
const forms: Readonly<Record<string, readonly string[]>> = {
  bearer: ['type', 'env'],
  basic: ['type', 'env', 'user', 'userEnv'],
  header: ['type', 'env', 'name', 'prefix'],
};
const variable = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/;

/** Validates authentication. Never repeats the value, because it may be a secret. */
function authFaults(given: unknown, field: string): Fault[] {
  if (!Array.isArray(given)) return formFaults(given, field);
  return given.flatMap((one, index) => formFaults(one, `${field}[${index}]`));
}

function formFaults(auth: unknown, field: string): Fault[] {
  const fault = (at: string, message: string, fix: string): Fault => ({ field: `${field}.${at}`, message, fix });
  const type = isObject(auth) ? auth.type : undefined;
  if (type === 'query') {
    const fix = "Send it in a header: { type: 'header', name: 'X-Api-Key', env: 'API_KEY' }";
    return [fault('type', 'a secret in a URL ends up in logs', fix)];
  }
  const words = typeof type === 'string' && Object.hasOwn(forms, type) ? forms[type] : undefined;
  if (!isObject(auth) || !words) {
    return [fault('type', `${field} has an unknown type`, `Use one of: ${Object.keys(forms).join(', ')}`)];
  }
  const faults = Object.keys(auth)
    .filter((key) => !words.includes(key))
    .map((key) => fault(key, `${field}.${key} does not exist for ${type}`, `Use: ${words.join(', ')}`));
  for (const key of ['env', 'userEnv']) {
    if (key === 'userEnv' && auth[key] === undefined) continue;
    if (typeof auth[key] === 'string' && variable.test(auth[key])) continue;
    faults.push(
      fault(key, `${field}.${key} is not a valid variable name`, "Name the variable that holds it: 'API_TOKEN'"),
    );
  }
  if (type === 'header' && !(typeof auth.name === 'string' && headerName.test(auth.name))) {
    faults.push(fault('name', `${field}.name is not a valid header name`, "Name the header: 'X-Api-Key'"));
  }
  if (type === 'basic' && (typeof auth.user === 'string') === (typeof auth.userEnv === 'string')) {
    faults.push(
      fault('user', 'basic authentication needs a user', "Set either user: 'name' or userEnv: 'NAME_OF_VARIABLE'"),
    );
  }
  return faults;
}

/** Checks where arguments go: each placeholder must be declared, and each argument used. */
function placementFaults(settings: RestSettings, declared: ReadonlySet<string> | undefined): Fault[] {
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
  const fix = meant ? `Did you mean {${meant}}?` : 'Declare it as a property of the input, or remove it';
  return { field, message: `{${name}} is not an argument of the tool`, fix };
}

const nowhere = (name: string): Fault => ({
  field: 'rest.body.json',
  message: `the argument '${name}' is not used`,
  fix: `Put '{${name}}' into the body, the URL, the query or a header`,
});

/** Validates the URL of a REST tool. */
function urlFaults(url: unknown, field: string, { allow }: Readonly<Record<string, unknown>>): Fault[] {
  const fault = (message: string, fix: string): Fault[] => [{ field, message, fix }];
  if (typeof url !== 'string' || url === '')
    return fault('it has no URL', "Set one, such as 'https://api.test/users/{id}'");
  if (/^[a-z]+:\/\/[^/?#]*[{}]/i.test(url)) {
    const fix = 'Write out the host; if the model chooses the URL, write your own tool with safeFetch';
    return fault('the host contains an argument, so a call could send the credentials anywhere', fix);
  }
  const template = urlTemplate(url);
  if (!template)
    return fault(`${field} is not a URL`, "Write the complete URL, without #: 'https://api.test/users/{id}'");
  const texts = [template.path, ...template.query.map(([, text]) => text)];
  if (texts.some((text) => /[{}]/.test(text.replace(/\{[^{}]+\}/g, '')))) {
    return fault('its braces are not balanced', "Write each argument as '{name}'");
  }
  const secret = template.query.find(([name, text]) => secretName.test(name) && placeholdersOf(text).length === 0);
  if (secret)
    return fault(`'${secret[0]}' contains a secret in plain text`, 'Use auth to send it from an environment variable');
  const target = new URL(template.origin);
  const entries = Array.isArray(allow) ? allow.filter((one) => typeof one === 'string' && parseAllowEntry(one)) : [];
  try {
    checkUrl(target, trustOf(entries));
    return [];
  } catch (error) {
    const fix = `If this is intended, add it to rest.allow: ['${target.host || hostOf(target)}']`;
    return fault(error instanceof Error ? error.message : String(error), fix);
  }
}
