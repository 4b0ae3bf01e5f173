/** F23 Keys of known formats, wherever text puts them; private keys; keys of objects; spellings of known secrets. */
import { describe, expect, it } from 'vitest';
import { keyFormats } from '../../src/log/redact/key-formats.ts';
import { RedactingBuffer } from '../../src/log/redact/open-secret.ts';
import { redactor } from '../../src/log/redact/redact.ts';
import { growthOf } from '../cpu-of.ts';

const redact = redactor();

/** Text that nobody takes for a real key: `FaKe0FaKe0…`. */
const fake = (length: number): string => 'FaKe0'.repeat(40).slice(0, length);
const hex = (length: number): string => 'fa4e0'.repeat(40).slice(0, length);
const upper = (length: number): string => 'FAKE7'.repeat(40).slice(0, length);
const lower = (length: number): string => 'fake0'.repeat(40).slice(0, length);

/** For each format, a key of it and text that only looks like one. */
const examples: Readonly<Record<string, readonly [string[], string[]]>> = {
  Stripe: [[`sk_live_${fake(24)}`, `rk_test_${fake(24)}`], ['sk_live_demo']],
  'Stripe webhook': [[`whsec_${fake(32)}`], ['whsec_short']],
  GitHub: [['p', 'o', 's', 'u', 'r'].map((kind) => `gh${kind}_${fake(36)}`), ['ghp_name', 'github_pat_name']],
  GitLab: [['pat', 'rt', 'dt'].map((kind) => `gl${kind}-${fake(20)}`), ['glob-pattern-of-many-files', 'glpat-x']],
  Slack: [
    [`xoxb-123456789012-${fake(24)}`, `xoxe.xoxp-1-${fake(24)}`, `xapp-1-A0123-456-${hex(64)}`],
    ['xoxo kisses', 'xapp-name-of-an-app'],
  ],
  AWS: [
    [`AKIA${upper(16)}`, `ASIA${upper(16)}`],
    ['AKIAshort', `AKIA${upper(24)}`],
  ],
  Google: [
    [`AIza${fake(35)}`, `GOCSPX-${fake(28)}`, `ya29.${fake(60)}`],
    ['AIzawa', 'GOCSPX-'],
  ],
  JWT: [[`eyJ${fake(20)}.eyJ${fake(40)}.${fake(43)}`], ['eyJ is how one starts', 'eyJpZCI6MTIzNDU2Nzg5MH0']],
  'Hugging Face': [[`hf_${fake(34)}`], ['hf_hub_download(repo_id)', 'shelf_FaKe0FaKe0FaKe0FaKe0']],
  npm: [[`npm_${fake(36)}`], ['npm_package_version_is_something']],
  PyPI: [[`pypi-AgEI${fake(60)}`], ['pypi-mirror']],
  RubyGems: [[`rubygems_${hex(48)}`], ['rubygems_version']],
  Groq: [[`gsk_${fake(52)}`], ['gsk_something_else']],
  xAI: [[`xai-${fake(80)}`], ['xai-explainability-example-notebook']],
  Perplexity: [[`pplx-${fake(48)}`], ['pplx-example-of-a-longer-name']],
  Replicate: [[`r8_${fake(37)}`], ['r8_register']],
  Fireworks: [[`fw_${fake(24)}`], ['fw_rulesAndOtherWordsOfNetworks']],
  Cerebras: [[`csk-${lower(48)}`], ['csk-a-name-of-several-words']],
  NVIDIA: [[`nvapi-${fake(64)}`], ['nvapi-client']],
  Tavily: [[`tvly-${fake(32)}`], ['tvly-search-example-notebook']],
  LangSmith: [[`lsv2_pt_${hex(32)}_${hex(10)}`], ['lsv2_pt_name']],
  SendGrid: [[`SG.${fake(22)}.${fake(43)}`], ['SG.Field.name']],
  Mailgun: [[`key-${hex(32)}`], [`cache-key-${hex(32)}`, `key-${hex(40)}`, 'key-value']],
  Brevo: [[`xkeysib-${hex(64)}-${fake(16)}`], ['xkeysib-name']],
  Twilio: [[`SK${hex(32)}`], [`TASK${hex(32)}`, `SK${hex(40)}`]],
  Discord: [[`MTAx${fake(20)}.${fake(6)}.${fake(38)}`], ['Module.method.call', 'NAME.abcdef.other']],
  Shopify: [['at', 'ss', 'ca'].map((kind) => `shp${kind}_${hex(32)}`), ['shpat_name']],
  Square: [[`sq0csp-${fake(43)}`], ['sq0csp-short']],
  'Square access token': [[`EAAAE${fake(59)}`], [`EAAA${'A'.repeat(60)}`, `EAAA${fake(90)}`]],
  DigitalOcean: [[`dop_v1_${hex(64)}`, `doo_v1_${hex(64)}`], ['dop_v1_name']],
  Vault: [[`hvs.${fake(90)}`, `hvb.${fake(90)}`], ['hvs.length']],
  Databricks: [[`dapi${hex(32)}`], [`adapi${hex(32)}`, 'dapi.read']],
  Linear: [[`lin_api_${fake(40)}`], ['lin_api_url']],
  Notion: [
    [`secret_${fake(43)}`, `ntn_${fake(46)}`],
    ['secret_name', `secret_${fake(50)}`],
  ],
  Figma: [[`figd_${fake(40)}`], ['figd_name', 'figure_of_the_first_chapter_of_the_book_in_print']],
  Postman: [[`PMAK-${hex(24)}-${hex(34)}`], ['PMAK-name']],
  Grafana: [[`glsa_${fake(32)}_${hex(8)}`, `glc_${fake(60)}`], ['glc_name']],
  'New Relic': [[`NRAK-${upper(27)}`], ['NRAK-NAME']],
  Doppler: [[`dp.pt.${fake(43)}`, `dp.st.prd.${fake(43)}`], ['dp.pt.name']],
  Pulumi: [[`pul-${hex(40)}`], [`of-pul-${hex(40)}`, 'pul-name']],
  Atlassian: [[`ATATT3xFfGF0${fake(180)}`], ['ATATT3']],
  Airtable: [[`pat${fake(14)}.${hex(64)}`], [`path${fake(14)}.${hex(20)}`]],
  Docker: [[`dckr_pat_${fake(27)}`], ['dckr_pat_name']],
  Terraform: [[`${fake(14)}.atlasv1.${fake(67)}`], ['x.atlasv1.name']],
  PlanetScale: [[`pscale_tkn_${fake(43)}`], ['pscale_tkn_name']],
  Supabase: [[`sbp_${hex(40)}`, `sb_secret_${fake(22)}`], ['sbp_name']],
  Sentry: [[`sntrys_${fake(80)}`], ['sntrys_name']],
  Netlify: [[`nfp_${fake(40)}`], ['nfp_name']],
  SonarQube: [[`sqp_${hex(40)}`], ['sqp_name']],
  Artifactory: [[`AKCp${fake(69)}`], ['AKCpName']],
  HubSpot: [[`pat-na1-fa4e0fa4-e0fa-4e0f-a4e0-fa4e0fa4e0fa`], ['pat-na1-name']],
  Cloudflare: [[`v1.0-${hex(24)}-${hex(146)}`], ['v1.0-beta']],
  age: [[`AGE-SECRET-KEY-1${upper(58)}`], ['AGE-SECRET-KEY-1']],
};
const prefixed = [`sk-${fake(48)}`, `sk-proj-${fake(48)}`, `sk-ant-api03-${fake(80)}`, `sk-or-v1-${hex(64)}`];
const keys = [...keyFormats.flatMap(({ name }) => examples[name]?.[0] ?? []), ...prefixed];

/** What can be around a key. */
const contexts: readonly [string, (key: string) => unknown][] = [
  ['alone', (key) => key],
  ['in a sentence', (key) => `here it is: ${key}, ok`],
  ['after a line break in JSON', (key) => JSON.stringify({ a: `first\n${key}\nlast` })],
  ['after a tab in JSON', (key) => JSON.stringify({ a: `first\t${key}\tlast` })],
  ['after a line break in JSON in JSON', (key) => JSON.stringify(JSON.stringify({ a: `first\n${key}\nlast` }))],
  ['after controls in JSON', (key) => JSON.stringify([`\r${key}`, `\b${key}`, `\f${key}`])],
  ['after a Unicode escape', (key) => `"\\u000a${key}"`],
  ['after a percent escape', (key) => `q=%0A${key}&r=%20${key}`],
  ['in a percent-encoded text', (key) => `https://x.test/?q=${encodeURIComponent(`is "${key}" it?`)}`],
  ['in a color', (key) => `\u001b[32m${key}\u001b[0m`],
  ['in a color that is escaped', (key) => JSON.stringify(`\u001b[1;32m${key}\u001b[0m`)],
  ['in a color of a script', (key) => `echo "\\033[31m${key}\\e[0m"`],
  ['as a key of an object', (key) => ({ [key]: 1, [`of ${key}`]: { [key]: 'x' } })],
  ['as a key in JSON', (key) => JSON.stringify({ [key]: 1 })],
  ['in brackets, quotes and after signs', (key) => `(${key}) '${key}' \`${key}\` a,${key},b +${key} x=${key} /${key}/`],
  ['beside wide characters', (key) => `密钥${key}。\u200b${key}`],
];

describe('F23 keys of known formats', () => {
  it('guard: every format has an example', () => {
    expect(Object.keys(examples).sort()).toEqual(keyFormats.map(({ name }) => name).sort());
  });

  describe.each(contexts)('%s', (_, within) => {
    it.each(keys)('%s', (key) => {
      const clean = JSON.stringify(redact(within(key)));
      expect(clean).toContain('[redacted]');
      expect(clean).not.toContain(key);
    });
  });

  it.each(['ghp', 'gho'])('also after `_` and digits: %s', (kind) => {
    for (const text of [`my_${kind}_${fake(36)}`, `1${kind}_${fake(36)}`, `--sk-${fake(48)}`])
      expect(redact(text)).not.toContain(fake(30));
  });

  it.each([
    ...Object.values(examples).flatMap(([, lookAlikes]) => lookAlikes),
    'sk-learn-pipeline-example-notebook',
    'pk-fields-of-the-users-table',
    'npm run sk-translate-all-of-the-files',
    'risk-assessment-for-the-quarter-2026',
    'desk-lamp-model-1234567890',
    'mask-image-with-a-long-css-name',
    'C:\\\\new\\\\risk-assessment-of-the-year-2026',
    'git checkout -b feature/task-1234567890123456789',
    '5e290e9c1f2a3b4c5d6e7f8091a2b3c4d5e6f708',
    '550e8400-e29b-41d4-a716-446655440000',
    'sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==',
    'type Token = "a" | "b"',
    'https://x.test/?q=100%25%20of%20%22words%22&page_token=abc',
  ])('what is none stays: %s', (text) => {
    expect(redact(text)).toBe(text);
    expect(redact({ [text]: text })).toEqual({ [text]: text });
    expect(redact(JSON.stringify({ a: `\n${text}` }))).toBe(JSON.stringify({ a: `\n${text}` }));
  });

  it('in linear time', () => {
    const pieces = [
      ...keys.map((key) => key.slice(0, 6)),
      '%0A',
      '\\n',
      '[0m',
      'sk-',
      'xai-',
      '://a:',
      "://a:'",
      'EAAA0',
    ];
    for (const piece of pieces)
      expect(
        growthOf(
          () => redact(piece.repeat(1500)),
          () => redact(piece.repeat(6000)),
          { bar: 9, floor: 3 },
        ).ratio,
      ).toBeLessThan(9);
  });
});

const body = `${fake(64)}\n${fake(64)}`;
const block = (label: string, inner = body, dashes = '-----'): string =>
  `${dashes}BEGIN ${label}${dashes}\n${inner}\n${dashes}END ${label}${dashes}`;
const privateKeys: readonly [string, string][] = [
  ...[
    'PRIVATE KEY',
    'RSA PRIVATE KEY',
    'EC PRIVATE KEY',
    'DSA PRIVATE KEY',
    'OPENSSH PRIVATE KEY',
    'ENCRYPTED PRIVATE KEY',
  ].map((label): [string, string] => [label, block(label)]),
  ['PGP', block('PGP PRIVATE KEY BLOCK', `Version: GnuPG v2.0.22 (GNU-Linux)\n\n${body}\n=abcd`)],
  ['encrypted PEM', block('RSA PRIVATE KEY', `Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,${hex(32)}\n\n${body}`)],
  ['SSH2', block('SSH2 ENCRYPTED PRIVATE KEY', body, '---- ').replaceAll('KEY---- ', 'KEY ----')],
  ['PuTTY', `PuTTY-User-Key-File-3: ssh-ed25519\nPrivate-Lines: 2\n${body}\nPrivate-MAC: ${hex(64)}`],
  ['cut off', `-----BEGIN RSA PRIVATE KEY-----\n${body}`],
];

describe('F23 private keys', () => {
  it.each(privateKeys)('%s, as text, in JSON, percent-encoded and in pieces', (_, key) => {
    for (const text of [key, JSON.stringify({ key }), JSON.stringify(JSON.stringify({ key })), encodeURIComponent(key)])
      expect(redact(`It is ${text}`)).not.toContain(fake(30));
    const held = new RedactingBuffer(redact.heldFrom);
    let out = '';
    for (const piece of `It is ${key} after it`.split(/(?<=\s)/)) out += redact(held.push(piece));
    expect(out + redact(held.end())).not.toContain(fake(30));
  });

  it('guard: public keys and certificates stay', () => {
    for (const label of ['PUBLIC KEY', 'CERTIFICATE', 'PGP PUBLIC KEY BLOCK', 'PGP MESSAGE'])
      expect(redact(`${block(label)} after`)).toBe(`${block(label)} after`);
  });
});

describe('F23 a known secret in the spellings of encoders', () => {
  const value = 'zz"quo\nted/p@ss wörd+';
  const clean = redactor({ env: { MY_SECRET: value } });
  it.each([
    ['as it is', value],
    ['in JSON', JSON.stringify({ x: value })],
    ['in JSON in JSON', JSON.stringify(JSON.stringify({ x: value }))],
    ['in JSON with escaped slashes', JSON.stringify({ x: value }).replaceAll('/', '\\/')],
    ['in JSON of ASCII', JSON.stringify({ x: value }).replaceAll('ö', '\\u00f6')],
    ['percent-encoded', `https://x.test/?p=${encodeURIComponent(value)}`],
    ['of a form', `p=${encodeURIComponent(value).replaceAll('%20', '+')}`],
    ['with lowercase escapes', encodeURIComponent(value).replace(/%\w\w/g, (code) => code.toLowerCase())],
    ['with a slash', encodeURIComponent(value).replaceAll('%2F', '/')],
    ['in base64', Buffer.from(value).toString('base64')],
  ])('%s', (_, text) => {
    const told = clean(text);
    expect(told).toContain('[redacted]');
    expect(told).not.toMatch(/quo|p@ss|p%40ss|rd\+|rd%2/i);
  });

  it('as a key, the same in arguments and in the input of a call', () => {
    const given = { map: { [value]: 1, 'postgres://bob:hunter2@db/x': 2, [`sk-${fake(40)}`]: 3, plain: 4 } };
    const told = clean({ call: { arguments: JSON.stringify(given) }, input: given });
    const secret = /hunter2|FaKe0FaKe0|quo/;
    expect(JSON.stringify(told)).not.toMatch(secret);
    expect(Object.values(told.input.map)).toEqual([1, 2, 3, 4]);
    expect(given.map[value]).toBe(1);
  });
});

describe('F23 more names and places', () => {
  const s = 'hunter2abc';
  const login = Buffer.from(`bob:${s}`).toString('base64');
  it.each<[string, unknown]>([
    ...['jwt_secret', 'jwtSecret', 'JWT_SECRET', 'webhook_secret', 'app_secret', 'totp_secret', 'csrf_token'].map(
      (name): [string, unknown] => [name, { [name]: s }],
    ),
    ...['slack_token', 'device_token', 'X-Vault-Token', 'PRIVATE-TOKEN', 'X-Amz-Security-Token'].map(
      (name): [string, unknown] => [name, { headers: { [name]: s } }],
    ),
    ['query parameter', `https://s3.test/x?X-Amz-Security-Token=${s}&y=1`],
    ['text', `jwt_secret: "${s}"`],
    ['Docker', { auths: { 'x.test': { auth: login } } }],
    ['Docker in JSON', JSON.stringify({ auths: { 'x.test': { auth: login } } })],
    ['description of a field', { password: { value: s, label: 'Password' } }],
    ['tokens of a login', { token: { access: s, refresh: s, expires: 5 } }],
    ['slash in an address', `postgres://bob:${s}/x@db/y`],
    ['quote in an address', `postgres://bob:${s}'x@db/y`],
    ['address, percent-encoded', encodeURIComponent(`postgres://bob:${s}@db/y`)],
    ['header, percent-encoded', encodeURIComponent(`Authorization: Bearer ${s}${s}`)],
  ])('%s', (_, given) => {
    const told = JSON.stringify(redact(given));
    expect(told).toContain('[redacted]');
    for (const secret of [s, login]) expect(told).not.toContain(secret);
  });

  it.each<[unknown]>([
    [{ properties: { password: { type: 'string', description: 'At least 8 characters', minLength: 8 } } }],
    [{ page_token: 'CAoQAA', sync_token: 'abc1234', eos_token: '</s>', secret_name: 'db', tokenType: 'bearer' }],
    [{ auth: 'basic' }],
    [{ auth: 'oauth2callback' }],
    ['http://localhost:8080/a@b and https://cdn.test:443/npm/vue@3'],
    ["['redis://cache:x', 'me@example.com']"],
    ['pwd max_tokens page_token'],
    ['Authorization: Bearer YOUR_TOKEN'],
  ])('guard: no secret: %j', (given) => expect(redact(given)).toEqual(given));
});
