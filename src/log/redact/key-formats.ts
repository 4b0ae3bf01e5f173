/** A format of keys and tokens that is recognized anywhere in text. */
export interface KeyFormat {
  readonly name: string;
  /** Pattern of the key. Linear: each start reads a bounded number of characters, or what it takes out. */
  readonly pattern: string;
  /** Whether it must not follow `_`, `-` or a digit, because its prefix is short or a word. */
  readonly strict?: true;
}

const word = '[A-Za-z0-9]';
const wide = '[A-Za-z0-9_-]';
const hex = '[a-f0-9]';
/** Names of packages and files have the same prefix, but rarely digits. */
const digit = '(?=[A-Za-z0-9_-]{0,40}\\d)';
/** The end of a key of fixed length. A longer text is something else. */
const end = '(?![A-Za-z0-9])';

/** Formats whose prefix tells what they are. */
export const keyFormats: readonly KeyFormat[] = [
  { name: 'Stripe', pattern: `[sr]k_(?:live|test)_${word}{16,}` },
  { name: 'Stripe webhook', pattern: `whsec_[A-Za-z0-9+/=]{24,}` },
  { name: 'GitHub', pattern: `gh[pousr]_${word}{30,}|github_pat_[A-Za-z0-9_]{30,}` },
  {
    name: 'GitLab',
    pattern: `gl(?:pat|oas|dt|rt|cbt|ptt|ft|imt|agent|wt|soat|ffct)-${wide}{16,}(?:\\.${wide}{2,40}){0,3}`,
  },
  { name: 'Slack', pattern: `xox[abceoprs](?:\\.xox[bp])?-[A-Za-z0-9-]{10,}|xapp-\\d-[A-Za-z0-9-]{10,}` },
  { name: 'AWS', pattern: `A(?:KIA|SIA|BIA|CCA)[0-9A-Z]{16}${end}` },
  { name: 'Google', pattern: `AIza${wide}{30,}|GOCSPX-${wide}{20,}|ya29\\.${wide}{16,}|1//0${wide}{40,}` },
  { name: 'JWT', pattern: `eyJ${wide}{8,}\\.${wide}{8,}\\.${wide}*` },
  { name: 'Hugging Face', pattern: `hf_${word}{16,}` },
  { name: 'npm', pattern: `npm_${word}{16,}` },
  { name: 'PyPI', pattern: `pypi-${wide}{16,}` },
  { name: 'RubyGems', pattern: `rubygems_${hex}{32,}` },
  { name: 'Groq', pattern: `gsk_${word}{16,}` },
  { name: 'xAI', pattern: `xai-${digit}${wide}{16,}` },
  { name: 'Perplexity', pattern: `pplx-${digit}${wide}{16,}` },
  { name: 'Replicate', pattern: `r8_${word}{16,}` },
  { name: 'Fireworks', pattern: `fw_${digit}${word}{20,}` },
  { name: 'Cerebras', pattern: `csk-${digit}${word}{32,}` },
  { name: 'NVIDIA', pattern: `nvapi-${wide}{40,}` },
  { name: 'Tavily', pattern: `tvly-${digit}${wide}{20,}` },
  { name: 'LangSmith', pattern: `lsv2_(?:pt|sk)_${hex}{32}_${hex}{10}` },
  { name: 'SendGrid', pattern: `SG\\.${wide}{16,}\\.${wide}{16,}` },
  { name: 'Mailgun', pattern: `key-${hex}{32}${end}`, strict: true },
  { name: 'Brevo', pattern: `xkeysib-${hex}{64}-${word}{16}` },
  { name: 'Twilio', pattern: `SK${hex}{32}${end}` },
  { name: 'Discord', pattern: `[MNO]${wide}{23,27}\\.${wide}{6}\\.${wide}{27,40}`, strict: true },
  { name: 'Shopify', pattern: `shp(?:at|ss|ca|pa|ua)_${word}{16,}` },
  { name: 'Square', pattern: `sq0[a-z]{3}-${wide}{22,}` },
  { name: 'Square access token', pattern: `EAAA${digit}${wide}{56,60}(?![\\w+=-])`, strict: true },
  { name: 'DigitalOcean', pattern: `do[opr]_v1_${hex}{32,}` },
  { name: 'Vault', pattern: `hv[sbr]\\.${wide}{16,}` },
  { name: 'Databricks', pattern: `dapi${hex}{32}(?:-\\d)?${end}` },
  { name: 'Linear', pattern: `lin_(?:api|oauth)_${word}{32,}` },
  { name: 'Notion', pattern: `secret_${word}{43}${end}|ntn_${word}{40,}` },
  { name: 'Figma', pattern: `fig[dour]{1,2}_${digit}${wide}{30,}` },
  { name: 'Postman', pattern: `PMAK-${hex}{24}-${hex}{34}` },
  { name: 'Grafana', pattern: `glsa_${word}{16,}(?:_${hex}{8})?|glc_[A-Za-z0-9+/=_-]{32,}` },
  { name: 'New Relic', pattern: `NRAK-[A-Z0-9]{27}` },
  { name: 'Doppler', pattern: `dp\\.(?:pt|ct|sa|scim|audit|st(?:\\.${wide}{2,40})?)\\.${word}{40,}` },
  { name: 'Pulumi', pattern: `pul-${hex}{40}${end}`, strict: true },
  { name: 'Atlassian', pattern: `AT(?:ATT|CTT)3[A-Za-z0-9_=-]{60,}` },
  { name: 'Airtable', pattern: `pat${word}{14}\\.${hex}{64}`, strict: true },
  { name: 'Docker', pattern: `dckr_[po]at_${wide}{20,}` },
  { name: 'Terraform', pattern: `${word}{14}\\.atlasv1\\.${wide}{60,}`, strict: true },
  { name: 'PlanetScale', pattern: `pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.-]{30,}` },
  { name: 'Supabase', pattern: `sbp_${hex}{40}|sb_secret_${wide}{20,}` },
  { name: 'Sentry', pattern: `sntry[su]_[A-Za-z0-9+/=_-]{40,}` },
  { name: 'Netlify', pattern: `nfp_${word}{36,}` },
  { name: 'SonarQube', pattern: `sq[aup]_${hex}{40}` },
  { name: 'Artifactory', pattern: `AKCp${word}{60,}`, strict: true },
  { name: 'HubSpot', pattern: `pat-[a-z]{2}\\d-${hex}{8}-${hex}{4}-${hex}{4}-${hex}{4}-${hex}{12}` },
  { name: 'Cloudflare', pattern: `v1\\.0-${hex}{24}-${hex}{146}`, strict: true },
  { name: 'age', pattern: `AGE-SECRET-KEY-1[0-9A-Z]{58}` },
];

/**
 * What can end directly before a key although it is a letter or a digit: an escape of JSON or a shell, a percent
 * escape, a color.
 */
const encoded = String.raw`(?<=\\[abefnrtv0]|\\u[0-9A-Fa-f]{4}|\\x[0-9A-Fa-f]{2}|\\0\d\d|%[0-9A-Fa-f]{2}|\[[\d;]{0,12}[A-Za-z])`;

/** Where a key can start: after anything that isn't part of a longer word, in plain or in encoded text. */
export const keyStart = `(?:(?<![A-Za-z])|${encoded})`;
/** The same where `_`, `-` and digits are part of the word too. */
export const strictStart = `(?:(?<![\\w-])|(?<=^-{1,2}|[^\\w-]-{1,2})|${encoded})`;

const patternOf = (start: string, formats: readonly KeyFormat[]): RegExp =>
  new RegExp(`${start}(?:${formats.map(({ pattern }) => pattern).join('|')})`, 'g');

/** Patterns of all formats. */
export const keyPatterns: readonly RegExp[] = [
  patternOf(
    keyStart,
    keyFormats.filter(({ strict }) => !strict),
  ),
  patternOf(
    strictStart,
    keyFormats.filter(({ strict }) => strict),
  ),
];

/** A piece of each format, to check first. */
export const keyHint =
  /BEGIN|Private-L|[sprc]k[-_]|whsec_|gh[pousr]_|github_pat_|gl[a-z]{2,5}-|xox|xapp-|A(?:KIA|SIA|BIA|CCA)|AIza|GOCSPX|ya29|1\/\/0|eyJ|hf_|npm_|pypi-|rubygems_|xai-|pplx-|r8_|fw_|nvapi-|tvly-|lsv2_|S[GK][.\da-f]|key-|xkeysib|\.[\w-]{6}\.|shp[a-z]{2}_|sq[0aup]|EAAA|do[opr]_v1|hv[sbr]\.|dapi|lin_|secret_|ntn_|fig[dour]|PMAK|glsa_|glc_|NRAK|dp\.|pul-|AT[AC]TT|pat[-A-Za-z0-9]|dckr_|atlasv1|pscale_|sbp_|sb_s|sntry|nfp_|AKCp|v1\.0-|AGE-/;

/** A key of the form of OpenAI's, which many others use. */
export const prefixedKey = new RegExp(`${keyStart}([spr]k-)(${wide}{16,})`, 'g');

/** Whether the text after `sk-` is random, and not a name of several words: `sk-learn-example-notebook`. */
export const isRandom = (text: string): boolean =>
  text
    .split(/[-_]/)
    .some((part) => part.length >= 16 || (part.length >= 10 && /\d/.test(part) && /[A-Za-z]/.test(part)));

/** A private key, to its end or the end of the text. Its headers can have dashes. */
const frame = '-{4,5} ?';
const label = '[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}';
export const privateKey = new RegExp(
  `${frame}BEGIN ${label}(?:[^-]|-(?!---))*(?:${frame}END ${label})?|(?<=Private-Lines: {0,2}\\d{1,4}[\\\\\\s])[A-Za-z0-9+/=\\\\\\s]{40,}(?=Private-MAC|$)`,
  'g',
);
/** The start of one, and a whole one, at the start of a text. */
export const completePrivateKey = new RegExp(`^${frame}BEGIN ${label}(?:[^-]|-(?!---))*${frame}END ${label}`);
export const otherBlock = new RegExp(`^${frame}BEGIN(?! ${label})[A-Z0-9 ]*(?:-----|[^A-Z0-9 -])`);

/** Names of secret fields, lowercase without separators. */
export const secretFields = [
  'password',
  'passwd',
  'passphrase',
  'secret',
  'clientsecret',
  'apikey',
  'xapikey',
  'xgoogapikey',
  'token',
  'accesstoken',
  'refreshtoken',
  'idtoken',
  'authtoken',
  'bearertoken',
  'sessiontoken',
  'authorization',
  'proxyauthorization',
  'cookie',
  'setcookie',
  'privatekey',
  'secretkey',
  'accesskey',
  'secretaccesskey',
  'credential',
  'credentials',
  'connectionstring',
  'passwort',
  'kennwort',
  'motdepasse',
  'contraseña',
  'contrasena',
  'senha',
  'wachtwoord',
];
/** Endings of secret names, lowercase without separators. */
export const secretEnding =
  /(?:password(?:confirm|confirmation|repeat|again)?|passwd|(?:user|db|smtp|mail|ftp|ssh|admin|root|http|redis|store|key)pass|passphrase|apikey|secretkey|privatekey|secretaccesskey|clientsecret|(?:account|sharedaccess|signing|encryption|master|subscription)key|(?:access|refresh|auth|api|bearer|session|security|bot|github|gitlab|npm|hf|slack|telegram|discord|vault|private|personal|deploy|device|push|oauth|csrf|xsrf|reset|verification|login|webhook)token|(?:jwt|webhook|app|application|shared|signing|consumer|api|hmac|session|oauth|auth|otp|totp|mfa|bot|channel|encryption|master|cookie)secret)$/;
/** Environment variables. `NEXT_PAGE_TOKEN` is a position and `SORT_KEY` a column, not secrets. */
export const secretSetting = /^[A-Z][A-Z0-9_]*$/;
export const place =
  /^KEY$|(?:PAGE|NEXT|SYNC|CONTINUATION|CURSOR|EOS|BOS|PAD|UNK|MASK|SEP|CLS|STOP)_TOKEN$|(?:PRIMARY|FOREIGN|SORT|PARTITION|PUBLIC|CACHE|UNIQUE|SHARD|ROUTING|HASH|RANGE|GROUP|INDEX)_KEY$/;
export const secretVariable = /(KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|_PASS)$/i;

/** Secrets of a known form. Each pattern is linear, because no part can match what another part matches. */
export const formsOf = (gone: string): readonly [RegExp, string | ((...found: string[]) => string)][] => [
  [privateKey, gone],
  [prefixedKey, (all, _, rest) => (isRandom(rest ?? '') ? gone : all)],
  ...keyPatterns.map((pattern): [RegExp, string] => [pattern, gone]),
  [
    /\b([Bb]asic|BASIC)\s+([A-Za-z0-9+/_-]{6,}={0,2})/g,
    (all, lead, value) => (isLogin(value) ? `${lead} ${gone}` : all),
  ],
  // The configuration of Docker.
  [
    /(\bauth(\\*)["']\s*:\s*\\*["'])([A-Za-z0-9+/]{6,}={0,2})(?=\\*["'])/g,
    (all, lead, _, value) => (isLogin(value) ? `${lead}${gone}` : all),
  ],
  [/(:\/\/)(?=[^\s/:@"'`<>\\]*\d)[A-Za-z0-9_-]{12,}@/g, `$1${gone}@`],
  [/(hooks\.slack\.com\/services\/|discord(?:app)?\.com\/api\/webhooks\/)[A-Za-z0-9_/-]{20,}/g, `$1${gone}`],
  [/(?<!\d)(\d{8,10}):AA[A-Za-z0-9_-]{30,}/g, gone],
  [/\bAC[a-f0-9]{32}:[a-f0-9]{32}/g, gone],
  [/(:\\*\/\\*\/)[^\s/:@"'`<>\\]*:[^\s/?#"'`<>]+@/g, `$1${gone}@`],
  // A password with a slash or a quote; but not a port with a path.
  [
    /(:\/\/)[^\s/:@"'`<>\\]{0,80}:(?!\d{1,5}\/|[${%])(?:[^\s?#"'`<>]|'(?=[A-Za-z0-9])){1,120}@(?=[A-Za-z0-9[])/g,
    `$1${gone}@`,
  ],
];

/** One check that covers all forms. */
export const formHint = new RegExp(
  `${keyHint.source}|[Bb]asic|BASIC|auth|:\\\\*/|hooks\\.slack|webhooks/|:AA|AC[a-f0-9]{32}`,
);

/** Whether base64 contains a user name and a password. */
export function isLogin(value: string): boolean {
  try {
    return /^[^:\p{Cc}]{0,200}:[^\p{Cc}]*$/u.test(atob(value.replaceAll('-', '+').replaceAll('_', '/')));
  } catch {
    return false;
  }
}

/** The forms in which encoders write a secret: as it is, in JSON, in a URL and in base64. */
export function spellingsOf(secret: string): string[] {
  const inJson = jsonEscaped(secret);
  const inUrl = percentEncoded(secret);
  const inForm = inUrl.replaceAll('%20', '+');
  const inPath = inUrl.replaceAll('%2F', '/');
  return [
    secret,
    inJson,
    jsonEscaped(inJson),
    jsonEscaped(jsonEscaped(inJson)),
    // Some encoders escape slashes, or everything outside ASCII.
    inJson.replaceAll('/', '\\/'),
    inAscii(inJson),
    inAscii(inJson).replace(/\\u[\da-f]{4}/g, upperHex),
    ...[inUrl, inForm, inPath].flatMap((form) => [form, form.replace(/%[\dA-F]{2}/g, (code) => code.toLowerCase())]),
    inUrl.replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`),
    ...base64(secret),
  ];
}

const jsonEscaped = (text: string): string => JSON.stringify(text).slice(1, -1);

const inAscii = (text: string): string =>
  text.replace(/[^\0-~]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);

const upperHex = (code: string): string => `\\u${code.slice(2).toUpperCase()}`;

/** A lone surrogate can't be encoded. */
const percentEncoded = (text: string): string => encodeURIComponent(text.toWellFormed());

/** A short one could occur by chance. */
const shortestEncoded = 8;

function base64(secret: string): string[] {
  if (secret.length < shortestEncoded) return [];
  const encoded = btoa(Array.from(new TextEncoder().encode(secret), (byte) => String.fromCharCode(byte)).join(''));
  const bare = encoded.replace(/=+$/, '');
  return [bare, bare.replaceAll('+', '-').replaceAll('/', '_')];
}
