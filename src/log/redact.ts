import { blotFields } from './blot-fields.ts';

/** What a redactor knows beyond the common forms of secrets. */
export interface RedactOptions {
  /** Secrets by their value, wherever they stand. */
  readonly values?: Iterable<string>;
  /** Variables of which those named like a secret are taken by their value. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Further names of fields whose text is a secret, folded: `ssn`. */
  readonly fields?: Iterable<string>;
}

const gone = '[redacted]';

/** Names of fields whose text is a secret, without case and separators. */
const secretFields = [
  ...['password', 'passwd', 'passphrase', 'pwd', 'secret', 'clientsecret', 'apikey', 'xapikey', 'xgoogapikey'],
  ...['token', 'accesstoken', 'refreshtoken', 'idtoken', 'authtoken', 'bearertoken', 'sessiontoken', 'authorization'],
  ...['proxyauthorization', 'cookie', 'setcookie', 'privatekey', 'secretkey', 'accesskey', 'secretaccesskey'],
  ...['credential', 'credentials', 'connectionstring'],
];

/** Secrets that can be told by their form. Each is linear: no part of one can match what another part can. */
const forms: readonly [RegExp, string][] = [
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[^-]*(?:-----END [A-Z ]*PRIVATE KEY-----)?/g, gone],
  [/\b(?:sk|pk|rk)-[A-Za-z0-9_-]{16,}/g, gone],
  [/\b(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,}/g, gone],
  [/\bgh[pousr]_[A-Za-z0-9]{30,}|\bgithub_pat_[A-Za-z0-9_]{30,}|\bglpat-[A-Za-z0-9_-]{16,}/g, gone],
  [/\bxox[abeprs]-[A-Za-z0-9-]{10,}/g, gone],
  [/\b(?:AKIA|ASIA)[0-9A-Z]{16}\b|\bAIza[0-9A-Za-z_-]{30,}/g, gone],
  [/\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g, gone],
  [/\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{12,}/gi, `$1 ${gone}`],
  [/(:\/\/)[^\s/:@]+:[^\s/@]+@/g, `$1${gone}@`],
];

const fieldName = '[A-Za-z][A-Za-z0-9_-]{1,40}';
/** A parameter in an address. */
const parameter = new RegExp(`([?&#])(${fieldName})=([^&#\\s"'<>]+)`, 'g');

const shortest = 6;
const secretVariable = /(KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)$/i;

/**
 * Makes a function that takes secrets out of a value: fields named like one, texts of a secret's form, and values that are
 * known. What it is given is not changed.
 */
export function redactor({ values = [], env = {}, fields = [] }: RedactOptions = {}): <T>(value: T) => T {
  const named = new Set([...secretFields, ...[...fields].map(foldName)]);
  const fromEnv = Object.entries(env).flatMap(([name, value]) => (value && secretVariable.test(name) ? [value] : []));
  // The longest first, so that one secret inside another leaves nothing behind.
  const known = [...new Set([...values, ...fromEnv])]
    .filter((value) => value.length >= shortest)
    .sort((a, b) => b.length - a.length);

  const text = (given: string): string => {
    let clean = given;
    for (const value of known) if (clean.includes(value)) clean = clean.replaceAll(value, gone);
    for (const [form, instead] of forms) clean = clean.replace(form, instead);
    if (clean.includes(':')) clean = blotFields(clean, (name) => named.has(foldName(name)), gone);
    return clean.replace(parameter, (all, lead: string, name: string) =>
      named.has(foldName(name)) || foldName(name) === 'key' ? `${lead}${name}=${gone}` : all,
    );
  };

  const walk = (given: unknown): unknown => {
    if (typeof given === 'string') return text(given);
    if (Array.isArray(given)) return given.map(walk);
    if (typeof given !== 'object' || given === null) return given;
    const clean: Record<string, unknown> = {};
    for (const [key, inner] of Object.entries(given)) {
      const secret = typeof inner === 'string' && inner !== '' && named.has(foldName(key));
      Object.defineProperty(clean, key, {
        ...{ value: secret ? gone : walk(inner), enumerable: true, writable: true, configurable: true },
      });
    }
    return clean;
  };
  return <T>(value: T): T => walk(value) as T;
}

const foldName = (name: string): string => name.toLowerCase().replace(/[_-]/g, '');
