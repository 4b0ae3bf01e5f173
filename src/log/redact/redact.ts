import { checkArgument, isObject } from '../../json/value.ts';
import { redactCommands } from './commands.ts';
import { redactFields } from './fields.ts';
import {
  formHint,
  formsOf,
  isLogin,
  place,
  secretEnding,
  secretFields,
  secretSetting,
  secretVariable,
  spellingsOf,
} from './key-formats.ts';
import { openFrom } from './open-secret.ts';
import { redactProse } from './prose.ts';

/** What replaces a secret. */
export const redactedText = '[redacted]';
const gone = redactedText;
const forms = formsOf(gone);

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

/** Whether a value was redacted. */
export const isRedacted = (value: unknown): boolean => JSON.stringify(value)?.includes(gone) ?? false;

/** The authorization header. Placeholders and ordinary words are not secrets. */
const header = '((?:Proxy-)?Authorization\\\\*["\']?\\s{0,4}[:=,]\\s{0,4}[rbf]?\\\\*["\'`]?';
/** A name in capitals instead of a token: `YOUR_TOKEN`. */
const placeholder = /\s[A-Z]+(?:_[A-Z]+)+$/;
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

/**
 * What all rules need, except for known values and formats: a space, a quote or another sign. Most ids, names and paths
 * have none.
 */
const sign = /[^\w./-]/;
const plainLetters = /^[a-z]+$/;
const percentCode = /%[\dA-Fa-f]{2}/;
/** The name or the value of a query parameter, or a part of a path. */
const encodedRun = /[^\s"'<>&?#=/]{4,}/g;
/** Fields with the value at a path. */
const told: ReadonlySet<string> = new Set(['received', 'before', 'after']);

const shortest = 6;
const keyLength = 16;
const longestValue = 400;
const longestRemembered = 1000;

/**
 * Creates a function that removes secrets from a value: secret fields, secrets of a known form, and known values.
 * Doesn't modify the value; returns the same one if it contains no secrets.
 */
export function redactor(options: RedactOptions = {}): Redactor {
  checkArgument(isObject(options), 'options', '{ values, env, fields }', options);
  const { values = [], env = {}, fields = [] } = options;
  const own = new Set([...fields].map(foldName));
  const named = new Set([...secretFields, ...own]);
  const fromEnv = Object.entries(env).flatMap(([name, value]) => (value && secretVariable.test(name) ? [value] : []));
  // Longest first, so that a secret inside another leaves nothing behind.
  const known = [
    ...new Set([...values, ...fromEnv].filter((value) => value.length >= shortest).flatMap(spellingsOf)),
  ].sort((a, b) => b.length - a.length);

  const isSecret = remembered((name) => named.has(foldName(name)) || secretEnding.test(foldName(name)));
  const isSetting = remembered(
    (name) => isSecret(name) || (secretSetting.test(name) && secretVariable.test(name) && !place.test(name)),
  );
  /** Redacts tokens after a scheme. A quoted assignment is handled with the fields. */
  const blotTokens = (form: RegExp, given: string): string =>
    given.replace(form, (all: string, lead: string, at: number, whole: string) => {
      const end = at + all.length;
      if (placeholder.test(all)) return all;
      const name = /([A-Za-z_][A-Za-z0-9_-]*)=$/.exec(all.slice(-62))?.[1] ?? '';
      if (!isSetting(name) || !/^\\*["']/.test(whole.slice(end, end + 16))) return lead + gone;
      const kept = all.length - name.length - 1;
      return all.slice(0, kept).replace(form, `$1${gone}`) + all.slice(kept);
    });
  /** Redacts known values and formats. */
  const blotKnown = (given: string): string => {
    let clean = given;
    for (const value of known) if (clean.includes(value)) clean = clean.replaceAll(value, gone);
    if (formHint.test(clean)) for (const [form, instead] of forms) clean = clean.replace(form, instead as string);
    return clean;
  };
  const textOf = (given: string): string => {
    if (!sign.test(given)) return blotKnown(given);
    let clean = blotKnown(percentCode.test(given) ? given.replace(encodedRun, decoded) : given);
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

  /** Redacts text within a percent-encoded one. */
  const decoded = (run: string): string => {
    const plain = percentCode.test(run) ? decode(run) : run;
    const clean = plain === run ? run : textOf(plain);
    return clean === plain ? run : encodeURIComponent(clean.toWellFormed()).replaceAll(encodeURIComponent(gone), gone);
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

  const isStrong = (name: string): boolean =>
    own.has(foldName(name)) || (isSetting(name) && strong.test(foldName(name)));
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
    if (!isPlain(given)) return given;
    return holder.test(foldName(name)) ? blotAll(given) : blotValue(given);
  };
  /** Redacts everything in an object of secrets, unless it is a schema. */
  const blotAll = (given: object): object =>
    'type' in given || '$ref' in given
      ? (walk(given) as object)
      : Object.fromEntries(
          Object.entries(given).map(([key, one]) => [key, typeof one === 'string' ? gone : walk(one)]),
        );
  /** Redacts the value in the description of a secret field. */
  const blotValue = (given: object): object => {
    const clean = walk(given) as object;
    if (!Object.keys(clean).some((key) => valueKey.test(key))) return clean;
    return Object.fromEntries(
      Object.entries(clean).map(([key, one]) => [key, typeof one === 'string' && valueKey.test(key) ? gone : one]),
    );
  };
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

  /** What the name of a field says about its value. */
  const kindOf = (key: string): FieldKind => {
    if (isSetting(key) || isMany(key)) return 'secret';
    if (holder.test(foldName(key))) return 'holder';
    return told.has(key) || isValue.test(key) || key === 'pass' || key === 'auth' ? 'maybe' : 'plain';
  };
  /** The same, with the name to write. All events have the same few names. */
  const fieldOf = remembered((key): Field => {
    const kind = kindOf(key);
    // The name of a secret field isn't secret, even if it is someone's password too.
    return { kind, shown: key.length < shortest || kind === 'secret' ? key : text(key) };
  });
  /** Whether a field of a name that says nothing by itself has a secret. */
  const isSecretHere = (key: string, inner: unknown, given: object): boolean =>
    (told.has(key) && isAbout(given)) ||
    (isValue.test(key) && isSetting(pairName(given) ?? '')) ||
    (key === 'pass' && ('user' in given || 'username' in given)) ||
    (key === 'auth' &&
      typeof inner === 'string' &&
      (/^[^\s:/]+:[^\s/]\S*$/.test(inner) || (/^[\w+/-]{6,}={0,2}$/.test(inner) && isLogin(inner))));

  const walkField = (key: string, kind: FieldKind, inner: unknown, given: object): unknown => {
    const isNamed =
      kind !== 'plain' && (kind === 'secret' || (kind === 'holder' ? isPlain(inner) : isSecretHere(key, inner, given)));
    return isNamed ? blot(inner, key) : walk(inner);
  };
  const walk = (given: unknown): unknown => {
    if (typeof given === 'string') return text(given);
    if (typeof given !== 'object' || given === null) return given;
    return Array.isArray(given) ? walkList(given) : walkFields(given);
  };
  // Both copy only if something changes, because copying costs more than checking.
  const walkList = (given: readonly unknown[]): readonly unknown[] => {
    const list = listed(given);
    let clean = list === given ? undefined : [...list];
    for (let at = 0; at < given.length; at += 1) {
      const inner = (clean ?? given)[at];
      const key = String(at);
      const value = walkField(key, fieldOf(key).kind, inner, given);
      if (value === inner) continue;
      clean ??= [...given];
      clean[at] = value;
    }
    return clean ?? given;
  };
  const walkFields = (given: object): object => {
    let clean: object | undefined;
    let hasSecretKey = false;
    const keys = Object.keys(given);
    for (const key of keys) {
      const { kind, shown } = fieldOf(key);
      hasSecretKey ||= shown !== key;
      const inner = (given as Record<string, unknown>)[key];
      const value = walkField(key, kind, inner, given);
      if (value === inner) continue;
      clean ??= { ...given };
      Object.defineProperty(clean, key, { value, enumerable: true, writable: true, configurable: true });
    }
    return hasSecretKey ? withKeys(clean ?? given, keys) : (clean ?? given);
  };
  /** Redacts secrets that are keys. Two of them stay two. */
  const withKeys = (given: object, keys: readonly string[]): object => {
    const clean = {};
    const taken = new Set(keys);
    for (const [key, value] of Object.entries(given)) {
      const { shown } = fieldOf(key);
      let unique = shown;
      for (let count = 2; shown !== key && taken.has(unique); count += 1) unique = `${shown} (${count})`;
      taken.add(unique);
      Object.defineProperty(clean, unique, { value, enumerable: true, writable: true, configurable: true });
    }
    return clean;
  };
  const heldFrom = (given: string): number => openFrom(given, { known, isSetting, hint: formHint });
  return Object.assign(<T>(value: T): T => walk(value) as T, { heldFrom });
}

/** What the name of a field says: its value is secret, or its fields are, or that depends on the fields beside it. */
type FieldKind = 'secret' | 'holder' | 'maybe' | 'plain';
/** What a field's name says, and the name without secrets. */
interface Field {
  readonly kind: FieldKind;
  readonly shown: string;
}

const holder = /^(?:secrets?|credentials?|apikey)$/;
const headerName = /^(?:(?:proxy-)?authorization|(?:set-)?cookie|x-.*)$/i;
const isValue = /^val(?:ue)?$/i;
/** Fields of an object that has the name of a secret. */
const valueKey = /^(?:val(?:ue)?|access|refresh|raw|plain(?:text)?|current|old|new|data|text)$/i;
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

/** A text without its percent encoding, or the same if that is none. */
function decode(run: string): string {
  try {
    return decodeURIComponent(run);
  } catch {
    return run;
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

/** A name, lowercase without separators. */
const foldName = (name: string): string => name.toLowerCase().replace(/[_-]/g, '');
