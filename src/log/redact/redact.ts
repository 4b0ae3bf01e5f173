import { checkArgument, isObject } from '../../json/value.ts';
import { redactCommands } from './commands.ts';
import { redactFields } from './fields.ts';
import { openFrom } from './open-secret.ts';
import { redactProse } from './prose.ts';

/** Secrets to redact besides the common forms. */
export interface RedactOptions {
  /** Secrets by value. */
  readonly values?: Iterable<string>;
  /** Environment variables. The values of those with a secret's name are redacted. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** More names of secret fields, lowercase without separators: `ssn`. */
  readonly fields?: Iterable<string>;
}

/** Removes secrets from a value. */
export interface Redactor {
  <T>(value: T): T;
  /** The offset from which a streamed text may contain the start of a secret. */
  readonly heldFrom: (text: string) => number;
}

const gone = '[redacted]';

/** Whether a value was redacted. */
export const isRedacted = (value: unknown): boolean => JSON.stringify(value)?.includes(gone) ?? false;

/** Names of secret fields, lowercase without separators. */
const secretFields = [
  ...['password', 'passwd', 'passphrase', 'secret', 'clientsecret', 'apikey', 'xapikey', 'xgoogapikey'],
  ...['token', 'accesstoken', 'refreshtoken', 'idtoken', 'authtoken', 'bearertoken', 'sessiontoken', 'authorization'],
  ...['proxyauthorization', 'cookie', 'setcookie', 'privatekey', 'secretkey', 'accesskey', 'secretaccesskey'],
  ...['credential', 'credentials', 'connectionstring'],
  ...['passwort', 'kennwort', 'motdepasse', 'contraseña', 'contrasena', 'senha', 'wachtwoord'],
];

/** Secrets of a known form. Each pattern is linear, because no part can match what another part matches. */
const forms: readonly [RegExp, string | ((...found: string[]) => string)][] = [
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[^-]*(?:-----END [A-Z ]*PRIVATE KEY-----)?/g, gone],
  [/\b(?:sk|pk|rk)-[A-Za-z0-9_-]{16,}/g, gone],
  [/\b(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,}/g, gone],
  [/\bgh[pousr]_[A-Za-z0-9]{30,}|\bgithub_pat_[A-Za-z0-9_]{30,}|\bglpat-[A-Za-z0-9_-]{16,}/g, gone],
  [/\bxox[abeprs]-[A-Za-z0-9-]{10,}/g, gone],
  [/\b(?:AKIA|ASIA)[0-9A-Z]{16}\b|\bAIza[0-9A-Za-z_-]{30,}/g, gone],
  [/\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g, gone],
  [
    /\b([Bb]asic|BASIC)\s+([A-Za-z0-9+/_-]{6,}={0,2})/g,
    (all, lead, value) => (isLogin(value) ? `${lead} ${gone}` : all),
  ],
  [/(:\/\/)(?=[^\s/:@"'`<>\\]*\d)[A-Za-z0-9_-]{12,}@/g, `$1${gone}@`],
  [/(hooks\.slack\.com\/services\/|discord(?:app)?\.com\/api\/webhooks\/)[A-Za-z0-9_/-]{20,}/g, `$1${gone}`],
  [/(?<!\d)(\d{8,10}):AA[A-Za-z0-9_-]{30,}/g, gone],
  [/(:\\*\/\\*\/)[^\s/:@"'`<>\\]*:[^\s/?#"'`<>]+@/g, `$1${gone}@`],
  [/\b(?:hf|npm|gsk|r8|shpat|glsa)_[A-Za-z0-9]{16,}|\bdop_v1_[a-f0-9]{32,}/g, gone],
  [/\b(?:xai|pplx|pypi)-[A-Za-z0-9_-]{16,}|\bya29\.[A-Za-z0-9_-]{16,}|\bhvs\.[A-Za-z0-9_-]{16,}/g, gone],
  [/\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}/g, gone],
];

/** One check that covers all forms. */
const hint =
  /-----BEGIN|[spr]k[-_]|gh[pousr]_|github_pat_|glpat-|xox|AKIA|ASIA|AIza|eyJ|bearer|basic|:\\*\/|(?:hf|npm|r8|shpat|glsa)_|dop_v1|xai-|pplx-|pypi-|ya29\.|hvs\.|SG\.|hooks\.slack|webhooks\/|:AA/i;

/** The authorization header. Placeholders and ordinary words are not secrets. */
const header = '((?:Proxy-)?Authorization\\\\*["\']?\\s{0,4}[:=,]\\s{0,4}[rbf]?\\\\*["\'`]?';
const bearer = /\b(Bearer\s+)[A-Za-z0-9._~+/=-]{12,}/gi;
const authorizations: readonly RegExp[] = [
  new RegExp(
    `${header}(?:Basic|Bearer|Token|Api-?Key|Key|Negotiate|NTLM|Splunk|Snowflake|GenieKey|SSWS|Bot)\\s+)(?=[^\\s"'\`]*[0-9A-Z=+/._-]|[^\\s"'\`]{12})[^\\s"'\`\\\\<[{$]+`,
    'gi',
  ),
  new RegExp(
    `${header}(?:Digest|OAuth|Hawk|Signature|AWS4-HMAC-SHA256)\\s)(?:[^\\n'"\\\\=]|=(?:\\\\*"[^"\\n\\\\]*\\\\*")?)+`,
    'gi',
  ),
];
/** Forms used by databases, `.netrc` files and `expect` scripts. */
const spoken: readonly RegExp[] = [
  /(assword:[^\n]{0,40}(?:\n[^\n]{0,20})?\bsend(?:\s+--)?\s+\\*["'])[^"'\n\\$]+/gi,
  /(\b(?:identified\s+(?:with\s+\S{1,60}\s+)?by|password)(?:\s*=\s*|\s*\(\s*|\s+)N?\\*')[^'\s\\]+(?=\\*')/gi,
  /(\bmachine\s+[^\s"'\\]+\s+login\s+[^\s"'\\]+\s+password\s+)[^\s"'\\]+/g,
  /(\blogin\s+[^\s"'\\]+\s+password\s+)(?=[^\s"'\\]*\d)[^\s"'\\]+/g,
  /(\b(?:setx|ENV)\s+(?:\/[mM]\s+)?[A-Z0-9_]{0,40}(?:KEY|TOKEN|SECRET|PASSWORD|_PASS)\s+\\*["'])[^\n"'\\=$][^\n"'\\]*/g,
  /(\b(?:setx|ENV)\s+(?:\/[mM]\s+)?[A-Z0-9_]{0,40}(?:KEY|TOKEN|SECRET|PASSWORD|_PASS)\s+)[^\s"'\\=$][^\s"'\\]*/g,
  /(\b(?:name|key):[ \t]{0,4}[A-Za-z0-9_]{0,40}(?:KEY|TOKEN|SECRET|PASSWORD|_PASS|password)[ \t]{0,4}(?:\n|\\n)[ \t]{0,20}value:[ \t]{0,4}\\*["']?)[^\s"'\\{$]+/g,
  /(\b(?:Set-)?Cookie\\*["']?\s{0,4}:\s{0,4}\\*["'`]?)(?=[\w.%-]{1,60}=)[^\n"'`\\]+/gi,
];
/** A JSON field with a number. */
const numbered =
  /(?<![A-Za-z0-9_]|[A-Za-z0-9_]-)(_{0,2}[A-Za-z][A-Za-z0-9_-]{1,60})(\\*["'])(\s*:\s*)-?\d[\d.eE+-]{0,40}(?=\s*[,}\]\\]|\s*$)/g;
/** A user name followed by a password. */
const userPass =
  /((?:user|username|login)(\\*["'])\s*:\s*\\*["'][^"'\n\\]{1,100}\\*["'],\s*\\*["']pass\\*["']\s*:\s*\\*["'])[^"'\n\\]+(?=\\*["'])/g;

const fieldName = '[A-Za-z][A-Za-z0-9_-]{1,40}';
/** A query parameter. */
const parameter = new RegExp(`([?&#])(${fieldName})=([^&#\\s"'<>]+)`, 'g');

/** An assignment in a shell or a configuration file. */
const assigned =
  /(?<![A-Za-z0-9_$]|[A-Za-z0-9_]-)(_{0,2}[A-Za-z][A-Za-z0-9_-]{1,60})([ \t]{0,2}=[ \t]{0,2}|(?:\\*["'])?:[ \t]*)/g;
/** An unquoted value. A bracket after it means that it is code. */
const plainValue = /([^\s"'`;,&|<>(){}[\]\\$=:/][^\s"'`;,&|<>(){}[\]\\]*)([([]?)/y;
/** A variable alone on its line or in quotes, whose value can contain any character. */
const wholeLine = /(?<=^|[\n"'`]|\\n|export )([A-Z][A-Z0-9_]{1,60})=([^\s"'`$\\][^\s"'`\\]*)(?=$|[\n"'`\\])/g;
/** The value after a command's flag. */
const flag =
  /((?<![A-Za-z0-9_-])--?([A-Za-z][A-Za-z0-9-]{1,40})[ \t]+)([^\s"'`$<[({\\-][^\s"'`;|\\]*)(?=(["'\n\\]|[ \t]+-|[ \t]*$)?)/g;
/** Text in a tag or parameter of this name. */
const tagged = /((?:<|name=\\*["']|parameter=)([A-Za-z][A-Za-z0-9_-]{1,40})(?:\\*["'])?>)([^<]{1,500})(?=<)/g;
const taggedMore = /(<([A-Za-z][A-Za-z0-9_-]{1,40})\s[^<>\n]{0,100}>)([^<]{1,500})(?=<)/g;
/** The received value in feedback about a field. */
const toldField =
  /(Field '(?:[^'\n]{0,100}\.)?([A-Za-z][A-Za-z0-9_-]{1,40})'[^\n"]{0,200} got )(\\*"[^"\n]*"|[^\s"]+)/g;
/** Values that only name where the secret comes from. */
const elsewhere = /^(?:self|this|args|os|process|config|settings|env|options|opts|cfg|params|req|request|ctx)\./;
/** Endings of secret names, lowercase without separators. */
const secretEnding =
  /(?:password(?:confirm|confirmation|repeat|again)?|passwd|(?:user|db|smtp|mail|ftp|ssh|admin|root|http|redis|store|key)pass|passphrase|apikey|secretkey|privatekey|secretaccesskey|clientsecret|(?:account|sharedaccess|signing|encryption|master|subscription)key|(?:access|refresh|auth|api|bearer|session|bot|github|gitlab|npm|hf)token)$/;
/** Environment variables. `NEXT_PAGE_TOKEN` is a position and `SORT_KEY` a column, not secrets. */
const secretSetting = /^[A-Z][A-Z0-9_]*$/;
const place =
  /^KEY$|(?:PAGE|NEXT|SYNC|CONTINUATION|CURSOR|EOS|BOS|PAD|UNK|MASK|SEP|CLS|STOP)_TOKEN$|(?:PRIMARY|FOREIGN|SORT|PARTITION|PUBLIC|CACHE|UNIQUE|SHARD|ROUTING|HASH|RANGE|GROUP|INDEX)_KEY$/;
const plainWord = /^(?:null|none|nil|undefined|true|false|[*•.]+|https?:.*)$/i;
/** Query parameters that sign a URL. */
const signature = /^(?:sig|signature|x(?:amz|goog)signature)$/;

/** Words for the type or the state of a value. */
const typeWord =
  /^(?:str|string|text|number|int|integer|bool|boolean|bytes|object|array|any|unknown|required|optional|hidden|secret|password|token|yes|no|invalid|missing|empty|set|unset|changed|expired|wrong|incorrect|ok)[;,?]?$/i;
/** Names whose numbers are secrets too. The number of a token is often its index in a vocabulary. */
const strong = /(?:pass(?:word|wd|phrase)?(?:confirm|confirmation|repeat|again)?|secret|key)$/;
const lineStart = /(?:^|\n|\\n|["'`])[ \t]*(?:- )?$/;
const lineStop = /^(?:$|\r?\n|\\[rn]|\\*["'`])/;

const plainLetters = /^[a-z]+$/;
/** Fields with the value at a path. */
const told: ReadonlySet<string> = new Set(['received', 'before', 'after']);

const shortest = 6;
const keyLength = 16;
const longestValue = 400;
const longestRemembered = 1000;
const secretVariable = /(KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|_PASS)$/i;

/**
 * Creates a function that removes secrets from a value: secret fields, secrets of a known form, and known values.
 * Doesn't modify the value; returns the same one if it contains no secrets.
 */
export function redactor(options: RedactOptions = {}): Redactor {
  checkArgument(isObject(options), 'options', '{ values, env, fields }', options);
  const { values = [], env = {}, fields = [] } = options;
  const named = new Set([...secretFields, ...[...fields].map(foldName)]);
  const fromEnv = Object.entries(env).flatMap(([name, value]) => (value && secretVariable.test(name) ? [value] : []));
  // Longest first, so that a secret inside another leaves nothing behind.
  const known = [...new Set([...values, ...fromEnv])]
    .filter((value) => value.length >= shortest)
    .sort((a, b) => b.length - a.length);

  const isSecret = remembered((name) => named.has(foldName(name)) || secretEnding.test(foldName(name)));
  const isSetting = remembered(
    (name) => isSecret(name) || (secretSetting.test(name) && secretVariable.test(name) && !place.test(name)),
  );
  /** Redacts tokens after a scheme. A quoted assignment is handled with the fields. */
  const blotTokens = (form: RegExp, given: string): string =>
    given.replace(form, (all: string, lead: string, at: number, whole: string) => {
      const end = at + all.length;
      const name = /([A-Za-z_][A-Za-z0-9_-]*)=$/.exec(all.slice(-62))?.[1] ?? '';
      if (!isSetting(name) || !/^\\*["']/.test(whole.slice(end, end + 16))) return lead + gone;
      const kept = all.length - name.length - 1;
      return all.slice(0, kept).replace(form, `$1${gone}`) + all.slice(kept);
    });
  const textOf = (given: string): string => {
    let clean = given;
    for (const value of known) if (clean.includes(value)) clean = clean.replaceAll(value, gone);
    if (hint.test(clean)) for (const [form, instead] of forms) clean = clean.replace(form, instead as string);
    if (/bearer/i.test(clean)) clean = blotTokens(bearer, clean);
    clean = redactCommands(clean, gone);
    if (/authorization/i.test(clean)) for (const form of authorizations) clean = blotTokens(form, clean);
    if (/identified|assword|cookie|setx|ENV|value:/i.test(clean))
      for (const form of spoken) clean = clean.replace(form, `$1${gone}`);
    clean = redactProse(clean, gone);
    if (/[:=(]|-["'a-z]/i.test(clean)) clean = redactFields(clean, isSetting, gone);
    if (/[:=]/.test(clean)) clean = unquoted(clean);
    if (clean.includes('-')) {
      clean = clean.replace(flag, (all, lead: string, name: string, value: string, stop: string | undefined) =>
        isSecret(name) && (stop !== undefined || !plainLetters.test(value)) ? lead + gone : all,
      );
    }
    if (clean.includes('<')) {
      for (const form of [tagged, taggedMore])
        clean = clean.replace(form, (all, lead: string, name: string) => (isSecret(name) ? lead + gone : all));
    }
    if (!clean.includes("Field '")) return clean;
    return clean.replace(toldField, (all, lead: string, name: string) => (isSecret(name) ? lead + gone : all));
  };

  // The events of a call repeat its arguments, and all events repeat the names of their fields.
  const text = remembered(textOf, longestRemembered);

  /** Redacts unquoted values. */
  const unquoted = (given: string): string => {
    if (!given.includes('=')) return blotAssigned(numbers(given));
    const lines = numbers(given).replace(wholeLine, (all, name: string) => (isSetting(name) ? `${name}=${gone}` : all));
    return blotAssigned(lines).replace(parameter, (all, lead: string, name: string, value: string) =>
      isSecret(name) ||
      (signature.test(foldName(name)) && value.length >= shortest) ||
      (foldName(name) === 'key' && value.length >= keyLength)
        ? `${lead}${name}=${gone}`
        : all,
    );
  };

  const isStrong = (name: string): boolean => isSetting(name) && strong.test(foldName(name));
  const numbers = (given: string): string => {
    const clean = given.replace(numbered, (all, name: string, quote: string, sign: string) =>
      isStrong(name) ? `${name}${quote}${sign}${quote}${gone}${quote}` : all,
    );
    return clean.includes('pass') ? clean.replace(userPass, `$1${gone}`) : clean;
  };

  const blotAssigned = (given: string): string => {
    const parts: string[] = [];
    let kept = 0;
    assigned.lastIndex = 0;
    for (let found = assigned.exec(given); found; found = assigned.exec(given)) {
      const [, name = '', sign = ''] = found;
      if (!isSetting(name)) continue;
      const from = assigned.lastIndex;
      plainValue.lastIndex = from;
      const [, value = '', bracket] = plainValue.exec(given) ?? [];
      const isLine = (): boolean =>
        lineStart.test(given.slice(Math.max(0, found.index - 60), found.index)) &&
        lineStop.test(given.slice(from + value.length, from + value.length + 4));
      const isOwn = isStrong(name) && /^\d{4,}$/.test(value);
      const isWord = sign.includes(':') && !typeWord.test(value) && secretEnding.test(foldName(name)) && isLine();
      if (
        bracket !== '' ||
        !(isSecretValue(value, name, sign === '=') || ((isOwn || isWord) && isGiven(value, name)))
      ) {
        // Another value may be nested in it, but a long one is only searched once.
        if (value.length > longestValue) assigned.lastIndex += value.length;
        continue;
      }
      parts.push(given.slice(kept, from), gone);
      kept = from + value.length;
      assigned.lastIndex = kept;
    }
    return parts.length === 0 ? given : parts.join('') + given.slice(kept);
  };

  /** Redacts a secret value, or a list of them. */
  const blot = (given: unknown, name = ''): unknown => {
    if (typeof given === 'string') return given === '' ? given : gone;
    if (typeof given === 'number') return isStrong(name) ? gone : given;
    if (Array.isArray(given)) return given.map((item) => (typeof item === 'string' ? gone : walk(item)));
    return holder.test(foldName(name)) && isPlain(given) ? blotAll(given) : walk(given);
  };
  /** Redacts everything in an object of secrets, unless it is a schema. */
  const blotAll = (given: object): object =>
    'type' in given || '$ref' in given
      ? (walk(given) as object)
      : Object.fromEntries(
          Object.entries(given).map(([key, one]) => [key, typeof one === 'string' ? gone : walk(one)]),
        );
  /** Redacts list items that follow a flag or a header name. */
  const listed = (given: readonly unknown[]): readonly unknown[] => {
    const named = (at: number): boolean => {
      const before = given[at - 1];
      if (typeof before !== 'string') return false;
      const flagName = /^--?([A-Za-z][A-Za-z0-9-]{1,40})$/.exec(before)?.[1];
      if (flagName) return isSecret(flagName);
      return at === 1 && given.length === 2 && headerName.test(before) && isSecret(before);
    };
    if (!given.some((one) => typeof one === 'string')) return given;
    // Short flags only count next to their program.
    const line = given.every((one) => typeof one === 'string') ? JSON.stringify(given) : '';
    const clean = line && redactCommands(line, gone);
    const items: readonly unknown[] = clean === line ? given : asList(clean, given);
    if (!items.some((one, at) => typeof one === 'string' && named(at))) return items;
    return items.map((one, at) => (typeof one === 'string' && one !== '' && named(at) ? gone : one));
  };
  /** Names of lists of secrets: `apiKeys`. */
  const isMany = (name: string): boolean => /s$/i.test(name) && secretEnding.test(foldName(name).slice(0, -1));
  /** Whether a problem or repair is about a secret field, so that it quotes its value. */
  const isAbout = (given: object): boolean =>
    'path' in given &&
    Array.isArray(given.path) &&
    given.path.some((key) => typeof key === 'string' && (isSetting(key) || isMany(key)));

  /** What the name of a field says about its value. All events have the same few names. */
  const fieldKind = remembered((key): FieldKind => {
    if (isSetting(key) || isMany(key)) return 'secret';
    if (holder.test(foldName(key))) return 'holder';
    return told.has(key) || isValue.test(key) || key === 'pass' || key === 'auth' ? 'maybe' : 'plain';
  });
  /** Whether a field of a name that says nothing by itself has a secret. */
  const isSecretHere = (key: string, inner: unknown, given: object): boolean =>
    (told.has(key) && isAbout(given)) ||
    (isValue.test(key) && isSetting(pairName(given) ?? '')) ||
    (key === 'pass' && ('user' in given || 'username' in given)) ||
    (key === 'auth' && typeof inner === 'string' && /^[^\s:/]+:[^\s/]\S*$/.test(inner));

  const walkField = (key: string, inner: unknown, given: object): unknown => {
    const kind = fieldKind(key);
    const isNamed =
      kind !== 'plain' && (kind === 'secret' || (kind === 'holder' ? isPlain(inner) : isSecretHere(key, inner, given)));
    return isNamed ? blot(inner, key) : walk(inner);
  };
  const walk = (given: unknown): unknown => {
    if (typeof given === 'string') return text(given);
    if (typeof given !== 'object' || given === null) return given;
    // Copies only if something changes, because copying costs more than checking.
    let clean: object | undefined;
    if (Array.isArray(given)) {
      const list = listed(given);
      if (list !== given) clean = [...list];
    }
    const source = (clean ?? given) as Record<string, unknown>;
    for (const key of Object.keys(given)) {
      const inner = source[key];
      const value = walkField(key, inner, given);
      if (value === inner) continue;
      clean ??= Array.isArray(given) ? [...given] : { ...given };
      Object.defineProperty(clean, key, { value, enumerable: true, writable: true, configurable: true });
    }
    return clean ?? given;
  };
  const heldFrom = (given: string): number => openFrom(given, { known, isSetting, hint });
  return Object.assign(<T>(value: T): T => walk(value) as T, { heldFrom });
}

/** What the name of a field says: its value is secret, or its fields are, or that depends on the fields beside it. */
type FieldKind = 'secret' | 'holder' | 'maybe' | 'plain';

const holder = /^(?:secrets?|credentials?|apikey)$/;
const headerName = /^(?:(?:proxy-)?authorization|(?:set-)?cookie|x-.*)$/i;
const isValue = /^val(?:ue)?$/i;
const isPlain = (given: unknown): given is object => typeof given === 'object' && given !== null;

/** The name in a pair of name and value. */
function pairName(given: object): string | undefined {
  if (!('value' in given || 'val' in given)) return undefined;
  const { name, key, header } = given as Record<string, unknown>;
  return [name, key, header].find((one) => typeof one === 'string') as string | undefined;
}

/** Parses a list, or returns the previous one. */
function asList(text: string, before: readonly unknown[]): readonly unknown[] {
  try {
    return JSON.parse(text);
  } catch {
    return before;
  }
}

/** Next to a colon, or an equals sign with spaces, code and prose are more likely than a secret. */
function isSecretValue(value: string, name: string, isSure: boolean): boolean {
  if (!isGiven(value, name)) return false;
  return isSure || (value.length >= shortest && /\d/.test(value));
}

/** Whether a value is literal, not a reference to where it comes from. */
const isGiven = (value: string, name: string): boolean =>
  value !== '' && value !== name && !plainWord.test(value) && !elsewhere.test(value);

/** Whether base64 contains a user name and a password. */
function isLogin(value: string): boolean {
  try {
    return /^[^:\p{Cc}]{0,200}:[^\p{Cc}]*$/u.test(atob(value.replaceAll('-', '+').replaceAll('_', '/')));
  } catch {
    return false;
  }
}

/** Memoizes a function of short texts, and clears the cache when it grows large. */
function remembered<T>(answerTo: (text: string) => T, longest = 200): (text: string) => T {
  const answers = new Map<string, T>();
  return (given) => {
    if (given.length > longest) return answerTo(given);
    const known = answers.get(given);
    if (known !== undefined) return known;
    if (answers.size >= 1000) answers.clear();
    const answer = answerTo(given);
    answers.set(given, answer);
    return answer;
  };
}

const foldName = (name: string): string => name.toLowerCase().replace(/[_-]/g, '');
