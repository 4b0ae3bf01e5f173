import { blotFields } from './blot-fields.ts';
import { openFrom } from './open-secret.ts';

/** What a redactor knows beyond the common forms of secrets. */
export interface RedactOptions {
  /** Secrets by their value, wherever they stand. */
  readonly values?: Iterable<string>;
  /** Variables of which those named like a secret are taken by their value. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Further names of fields whose text is a secret, folded: `ssn`. */
  readonly fields?: Iterable<string>;
}

/** Takes secrets out of a value. */
export interface Redactor {
  <T>(value: T): T;
  /** Where, in text that goes on, the part begins that may turn out to be a secret with what comes next. */
  readonly heldFrom: (text: string) => number;
}

const gone = '[redacted]';

/** Whether something was taken out of a value. */
export const isRedacted = (value: unknown): boolean => JSON.stringify(value)?.includes(gone) ?? false;

/** Names of fields whose text is a secret, without case and separators. */
const secretFields = [
  ...['password', 'passwd', 'passphrase', 'secret', 'clientsecret', 'apikey', 'xapikey', 'xgoogapikey'],
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
  [/(:\/\/)[^\s/:@"'`<>]*:[^\s/?#"'`<>]+@/g, `$1${gone}@`],
  [/\b(?:hf|npm|gsk|r8|shpat|glsa)_[A-Za-z0-9]{16,}|\bdop_v1_[a-f0-9]{32,}/g, gone],
  [/\b(?:xai|pplx|pypi)-[A-Za-z0-9_-]{16,}|\bya29\.[A-Za-z0-9_-]{16,}|\bhvs\.[A-Za-z0-9_-]{16,}/g, gone],
  [/\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}/g, gone],
];

/** Something that stands in every one of these forms: one look at a text instead of one for each. */
const hint =
  /-----BEGIN|[spr]k[-_]|gh[pousr]_|github_pat_|glpat-|xox|AKIA|ASIA|AIza|eyJ|bearer|basic|:\/\/|(?:hf|npm|r8|shpat|glsa)_|dop_v1|xai-|pplx-|pypi-|ya29\.|hvs\.|SG\./i;

const fieldName = '[A-Za-z][A-Za-z0-9_-]{1,40}';
/** A parameter in an address. */
const parameter = new RegExp(`([?&#])(${fieldName})=([^&#\\s"'<>]+)`, 'g');

/** What is set to something, as shells and files of settings do it; a quote that opens the value stays. */
const assignment =
  /(?<![A-Za-z0-9_.$-])([A-Za-z][A-Za-z0-9_-]{1,60})([ \t]{0,2}=[ \t]{0,2})(\\*["'])?([^\s"'`;,&|<>(){}[\]\\$][^\s"'`;,&|<>(){}[\]\\]*)/g;
/** The same where a quote opens the value, which may then hold spaces. */
const quotedAssignment =
  /(?<![A-Za-z0-9_.$-])([A-Za-z][A-Za-z0-9_-]{1,60})([ \t]{0,2}=[ \t]{0,2})(\\*(["']))((?:(?!\4)[^\\\n$])(?:(?!\4)[^\\\n])*)/g;
/** Endings that make any name one of a secret, folded. */
const secretEnding =
  /(?:password|passwd|passphrase|apikey|secretkey|privatekey|clientsecret|accesstoken|refreshtoken)$/;
/** Variables of the environment: `NEXT_PAGE_TOKEN` is a place in a list, and no secret. */
const secretSetting = /^[A-Z][A-Z0-9_]*$/;
const place = /(?:PAGE|NEXT|SYNC|CONTINUATION|CURSOR)_TOKEN$/;
const plainWord = /^(?:null|none|nil|undefined|true|false)$/i;

const shortest = 6;
const secretVariable = /(KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?)$/i;

/**
 * Makes a function that takes secrets out of a value: fields named like one, texts of a secret's form, and values that are
 * known. What it is given is not changed, and is given back where it holds none.
 */
export function redactor({ values = [], env = {}, fields = [] }: RedactOptions = {}): Redactor {
  const named = new Set([...secretFields, ...[...fields].map(foldName)]);
  const fromEnv = Object.entries(env).flatMap(([name, value]) => (value && secretVariable.test(name) ? [value] : []));
  // The longest first, so that one secret inside another leaves nothing behind.
  const known = [...new Set([...values, ...fromEnv])]
    .filter((value) => value.length >= shortest)
    .sort((a, b) => b.length - a.length);

  const isSecret = remembered((name) => named.has(foldName(name)) || secretEnding.test(foldName(name)));
  const isSetting = remembered(
    (name) => isSecret(name) || (secretSetting.test(name) && secretVariable.test(name) && !place.test(name)),
  );
  const text = (given: string): string => {
    let clean = given;
    for (const value of known) if (clean.includes(value)) clean = clean.replaceAll(value, gone);
    if (hint.test(clean)) for (const [form, instead] of forms) clean = clean.replace(form, instead);
    if (clean.includes(':')) clean = blotFields(clean, isSecret, gone);
    if (!clean.includes('=')) return clean;
    clean = clean.replace(quotedAssignment, (all, name: string, sign: string, quote: string) =>
      isSetting(name) ? `${name}${sign}${quote}${gone}` : all,
    );
    clean = clean.replace(assignment, (all, name: string, sign: string, quote: string | undefined, value: string) =>
      quote === undefined && sign === '=' && isSetting(name) && !plainWord.test(value) ? `${name}=${gone}` : all,
    );
    return clean.replace(parameter, (all, lead: string, name: string) =>
      isSecret(name) || foldName(name) === 'key' ? `${lead}${name}=${gone}` : all,
    );
  };

  const walk = (given: unknown): unknown => {
    if (typeof given === 'string') return text(given);
    if (typeof given !== 'object' || given === null) return given;
    // What holds no secret is given back as it is: most of it, and copying it would cost more than looking.
    let clean: object | undefined;
    for (const key of Object.keys(given)) {
      const inner = (given as Record<string, unknown>)[key];
      const secret = typeof inner === 'string' && inner !== '' && isSecret(key);
      const value = secret ? gone : walk(inner);
      if (value === inner) continue;
      clean ??= Array.isArray(given) ? [...given] : { ...given };
      Object.defineProperty(clean, key, { value, enumerable: true, writable: true, configurable: true });
    }
    return clean ?? given;
  };
  const heldFrom = (given: string): number => openFrom(given, { known, isSecret, isSetting });
  return Object.assign(<T>(value: T): T => walk(value) as T, { heldFrom });
}

/** A test of names that remembers its answers, as names come again and again; it forgets them when they are many. */
function remembered(test: (name: string) => boolean): (name: string) => boolean {
  const answers = new Map<string, boolean>();
  return (name) => {
    const known = answers.get(name);
    if (known !== undefined) return known;
    if (answers.size >= 1000) answers.clear();
    const answer = test(name);
    answers.set(name, answer);
    return answer;
  };
}

const foldName = (name: string): string => name.toLowerCase().replace(/[_-]/g, '');
