import { isRandom, keyHint, keyPatterns, prefixedKey, privateKey } from './key-formats.ts';

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
