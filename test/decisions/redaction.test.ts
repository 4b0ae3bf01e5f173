/** F23 Secrets in what is published live, in edits, and in the forms that keys have. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { permissions } from '../../src/execute/permission-rules.ts';
import { decideApproval } from '../../src/log/control/decide-approval.ts';
import { RedactingBuffer } from '../../src/log/redact/open-secret.ts';
import { redactor } from '../../src/log/redact/redact.ts';
import type { Model, TurnEvent } from '../../src/model/index.ts';
import { scripted } from '../../src/provider/scripted/scripted.ts';
import { agent } from '../../src/run/agent.ts';
import { tool } from '../../src/tools/tool.ts';
import { cpuOf } from '../cpu-of.ts';
import { runs } from '../sample.ts';
import { eventsOf, processOn, stores, waiting } from './scene.ts';

const c = 'cAnArY0123456789xyzABCDEFGHIJKLMNOPQ';
const redact = redactor({ values: ['known secret words', 'known-secret'] });

const secrets: readonly [string, string][] = [
  ['Hugging Face', `use hf_${c} here`],
  ['npm', `//registry.npmjs.org/:_authToken=npm_${c}`],
  ['Groq', `key: gsk_${c}`],
  ['xAI', `xai-${c}`],
  ['a variable', `PASSWORD=${c}`],
  ['an exported variable', `export DB_PASSWORD=${c} && run`],
  ['a quoted variable', `MYSQL_PASSWORD="a ${c} b" mysqldump`],
  ['a quoted variable in JSON', JSON.stringify({ command: `PGPASSWORD="${c}" psql` })],
  ['a variable in JSON', JSON.stringify({ command: `PGPASSWORD=${c} psql` })],
  ['an API key of the environment', `OPENAI_API_KEY=${c}`],
  ['a setting', `db_password = "${c}"`],
  ['a connection string', `Server=db;User Id=me;Password=${c};`],
  ['guard: an address with a password', `postgres://me:${c}@db:5432/x`],
  ['an address with a password alone', `redis://:${c}@cache:6379`],
  ['an address with @ in the password', `https://me:p@${c}@host/x`],
  ['a field of a longer name', JSON.stringify({ smtp_password: c })],
  ['a quoted variable with an escaped quote', `DB_PASSWORD="a\\"b ${c}"`],
  ['the same in JSON', JSON.stringify({ cmd: `DB_PASSWORD="a\\"b ${c}" run` })],
  ['a variable with a comma in a file', `A=1\nDB_PASSWORD=x,${c}\nB=2`],
  ['the same in JSON', JSON.stringify({ env: `A=1\nDB_PASSWORD=x&${c}\nB=2` })],
  ['a variable behind a colon', `note: PASSWORD=${c}`],
  ['a short name of a password', `SMTP_PASS=${c}`],
  ['a variable as a field', JSON.stringify({ env: { GITHUB_TOKEN: c } })],
  ['a key of AWS as a field', JSON.stringify({ aws_secret_access_key: c })],
  ['a key of AWS in a file', `[default]\naws_secret_access_key = ${c}`],
  ['a property of Java', `spring.datasource.password=${c}`],
  ['a header of a command', `curl -H 'X-Api-Key: ${c}'`],
  ['YAML', `db:\n  password: ${c}\n`],
  ['a flag', `mysql --password=${c}`],
  ['a flag and its value', `deploy --token ${c}`],
  ['a tag', `<password>${c}</password>`],
  ['a parameter of a call', `<parameter name="password">${c}</parameter>`],
  ['a variable behind a scheme', `bearer MYSQL_PASSWORD="a ${c} b" mysqldump`],
  ['the same in a header', `Authorization: Bearer ACCESS_TOKEN="a ${c} b"`],
  ['the same in JSON', JSON.stringify({ run: `Bearer MYSQL_PASSWORD="a ${c} b"` })],
  ['a header that names its token', `Authorization: Token token="a ${c} b"`],
  ['two side by side', `Bearer DB_PASSWORD="a ${c}" API_TOKEN='b ${c}'`],
  ['a key of netsh', `netsh wlan set hostednetwork mode=allow ssid=x key=${c}`],
  ['a quoted key of netsh', `netsh.exe wlan set hostednetwork ssid=x key="a ${c}"`],
  ['an address with escaped slashes', `postgres:\\/\\/me:${c}@db\\/x`],
];

describe('F23 recognizes keys by their form', () => {
  it.each(secrets)('%s', (_, text) => {
    const clean = redact(text);
    expect(clean).toContain('[redacted]');
    expect(clean).not.toContain('cAnArY');
  });

  it.each([
    `spawn ssh host\nexpect "password:"\nsend "${c}\\r"`,
    `expect "*assword:*" { send "${c}\\r" }`,
    `expect -re "[Pp]assword: " ; send -- "${c}\\n"`,
  ])('what a script of expect sends: %j', (text) => expect(redact(text)).not.toContain('cAnArY'));

  it('guard: forms that were known', () => {
    for (const text of [`sk-${c}`, `ghp_${c}`, `Bearer ${c}`, `{"password": "${c}"}`, `https://x/?api_key=${c}`])
      expect(redact(text)).not.toContain('cAnArY');
  });
});

const harmless: readonly unknown[] = [
  { pwd: '/home/me', page_token: 'CAoQAA', next_page_token: 'CBQQAA', max_tokens: '100', nextPageToken: 'x1' },
  'PWD=/home/me/project OLDPWD=/tmp',
  '{"pwd": "/home/me", "page_token": "CAoQAA", "max_tokens": "5"}',
  'https://api.example.com/items?page_token=CAoQAA&max_tokens=5&pwd=here',
  'NEXT_PAGE_TOKEN=CAoQAA',
  'max_tokens=4096',
  'const tokens = "abc def"; let keyboard = "us"',
  'PASSWORD=$DB_PASSWORD ./run',
  'password=None, secret=false',
  'npm_config_registry and hf_hub_download and npm_package_version',
  'see http://localhost:8080 or mail me@example.com',
  '{"url": "http://localhost:8080", "mail": "me@example.com"}',
  'netsh wlan show profile name=home key=clear',
  'expect "name:"\nsend "bob\\r"',
  'git@github.com:me/repo.git',
  'primary_key=id',
  'PRIMARY_KEY=id SORT_KEY=name KEY=value',
  { PRIMARY_KEY: 'id', tokens: ['a', 'b'], token_count: '12', key: 'value', eos_token: '</s>' },
  'Basic authentication needs a basic understanding of headers',
  'https://api.example.com/rows?key=name&sort=asc',
  'connect(password=args.password, token=token, api_key=os.environ["KEY"], secret=getpass())',
  'type Login = { token: string; password: string }',
  'use --password to set it, or --token-count 5',
  '<password>',
  { path: ['pwd'], before: '/home/me' },
];

/** What the log tells of values at the place of a secret. */
const places: readonly unknown[] = [
  { path: ['password'], kind: 'type', before: c, certainty: 'inferred' },
  { path: ['db', 'api_key'], code: 'minLength', received: c, message: 'short' },
  { path: [0, 'password'], code: 'enum', message: `Field '0.password' must be one of: a; got "${c}"` },
  { api_keys: [c, c], password: [c] },
  { headers: { 'X-Auth-Token': c } },
];

it.each(places.map((one) => [JSON.stringify(one), one]))('F23 a secret by its place: %s', (_, given) => {
  expect(JSON.stringify(redact(given))).not.toContain('cAnArY');
});

/** What was redacted before. */
const nowHarmless = /^(?:\{"pwd"|"\{\\"pwd|"https:|"Basic )/;

describe('what is no secret stays', () => {
  it.each(
    harmless.map((one) => {
      const written = JSON.stringify(one);
      return [nowHarmless.test(written) ? '' : 'guard: ', written, one];
    }),
  )('%s%s', (_, __, given) => {
    expect(redact(given)).toEqual(given);
  });
});

/** Text through a stream, in pieces of these lengths. */
function streamed(text: string, cuts: readonly number[]): string {
  const held = new RedactingBuffer(redact.heldFrom);
  let out = '';
  let at = 0;
  for (let turn = 0; at < text.length; turn += 1) {
    const next = at + (cuts[turn % cuts.length] ?? 1);
    out += redact(held.push(text.slice(at, next)));
    at = next;
  }
  return out + redact(held.end());
}

describe('F23 in pieces', () => {
  const more: readonly [string, string][] = [
    ['a bearer', `Authorization: Bearer   ${c} and more`],
    ['a private key', `-----BEGIN RSA PRIVATE KEY-----\nMII${c}\n${c}\n-----END RSA PRIVATE KEY-----\nafter`],
    ['a certificate', '-----BEGIN CERTIFICATE-----\nabc def\n-----END CERTIFICATE----- after'],
    ['a known value with spaces', 'it is known secret words, and known secret wording'],
    ['a field', `{"path": "a b", "password" : "x y ${c} z", "next": "left"}`],
    ['a field within a field', JSON.stringify({ body: JSON.stringify({ api_key: `q ${c}` }), after: 'stays' })],
  ];
  it.each([...secrets, ...more])('%s: wherever it is split, no half comes out', (_, secret) => {
    const text = `Some words before. ${secret} And "some" after, it's all.`;
    for (const size of [1, 2, 3, 5, 8, 13, 40]) expect(streamed(text, [size])).toBe(redact(text));
    for (let at = 1; at < text.length; at += 1) expect(streamed(text, [at, text.length])).toBe(redact(text));
  });

  it.each([undefined, 11, 12, 13])('any text in any pieces holds no secret, seed %s', (seed) => {
    const words = fc.constantFrom(
      ...harmless.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))),
      ...[...secrets, ...more].map(([, text]) => text),
      ...[
        ' ',
        '\n',
        '"',
        '{',
        '}',
        'bearer ',
        'password',
        'PASSWORD',
        '=',
        ': ',
        '\\"',
        'it is fine.',
        '://',
        '@',
        '🙂',
      ],
    );
    fc.assert(
      fc.property(
        fc.array(words, { maxLength: 12 }),
        fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1 }),
        (texts, cuts) => {
          const out = streamed(texts.join(' '), cuts);
          expect(out).not.toContain('cAnArY');
        },
      ),
      { numRuns: runs(300), ...(seed === undefined ? {} : { seed }) },
    );
  });

  it('words are not held longer than a word', () => {
    const held = new RedactingBuffer(redact.heldFrom);
    expect(['Hello', ' wor', 'ld, how', ' are '].map((piece) => held.push(piece))).toEqual([
      '',
      'Hello ',
      'world, ',
      'how are ',
    ]);
  });

  it('a long word goes on, but for its end', () => {
    const held = new RedactingBuffer(redact.heldFrom);
    let out = '';
    for (let at = 0; at < 100; at += 1) out += held.push('x'.repeat(20));
    expect(out.length).toBeGreaterThan(1400);
    expect(out + held.end()).toBe('x'.repeat(2000));
  });

  it('a function of which nothing is known is never given half of what it takes out', async () => {
    const words = `${'Some words. '.repeat(40)}It was Ada Lovelace who wrote it. ${'More words. '.repeat(40)}Ada Lovelace`;
    const own = <T>(event: T): T => JSON.parse(JSON.stringify(event).replaceAll('Ada Lovelace', '[her]'));
    for (const chunk of [1, 3, 7, 40]) {
      const run = agent({ model: scripted([{ text: words, chunk }]), redact: own }).run('x');
      const pieces: string[] = [];
      for await (const event of run) if (event.type === 'text.delta') pieces.push(event.text);
      expect(pieces.join('')).toBe(words.replaceAll('Ada Lovelace', '[her]'));
      expect(pieces.length).toBeGreaterThan(1);
    }
  });

  it('in linear time', () => {
    for (const unit of ['a', 'a ', '"password": "x y ', 'bearer ', 'key=', '-----BEGIN ']) {
      const held = new RedactingBuffer(redact.heldFrom);
      expect(
        cpuOf(() => {
          for (let at = 0; at < 40_000; at += 1) held.push(unit);
        }),
      ).toBeLessThan(4000);
    }
  });

  it('what a run publishes live holds none: words, reasoning, arguments, progress', async () => {
    const pieces = ['My key is gsk_cAnArY01', `23456789xyz ok`, ' and hf_cAnArY', '0123456789abcdefgh.'];
    const model: Model = {
      name: 'm',
      provider: 'test',
      async *stream({ messages }): AsyncGenerator<TurnEvent> {
        const isFirst = !messages.some(({ role }) => role === 'assistant');
        const call = { type: 'call', id: 'c', name: 'look', arguments: `{"q":"${pieces.join('')}"}` } as const;
        const parts = isFirst
          ? [
              { type: 'reasoning', text: pieces.join('') } as const,
              { type: 'text', text: pieces.join('') } as const,
              call,
            ]
          : [{ type: 'text', text: 'Done.' } as const];
        for (const [index, part] of parts.entries()) {
          yield {
            type: 'part.started',
            index,
            part: part.type === 'call' ? { ...part, arguments: '' } : { ...part, text: '' },
          } as TurnEvent;
          if (part.type === 'call') yield { type: 'part.delta', index, text: '{"q":"' };
          for (const text of isFirst ? pieces : ['Done.']) yield { type: 'part.delta', index, text };
          if (part.type === 'call') yield { type: 'part.delta', index, text: '"}' };
        }
        yield {
          type: 'turn.finished',
          response: { message: { role: 'assistant', parts }, finish: isFirst ? 'tool_calls' : 'stop' },
        } as TurnEvent;
      },
    };
    const look = tool({
      name: 'look',
      description: 'Looks',
      effect: 'read',
      execute: (_, { progress }) => progress({ message: pieces.join('') }),
    });
    const run = agent({ model, tools: [look] }).run('x');
    const heard: string[] = [];
    for await (const event of run) heard.push(JSON.stringify(event));
    expect(heard.filter((one) => one.includes('cAnArY'))).toEqual([]);
    for (const type of ['text.delta', 'reasoning.delta', 'call.delta', 'tool.progressed'])
      expect(heard.some((one) => one.includes(`"${type}"`) && one.includes('[redacted]'))).toBe(true);
  });
});

describe.each(stores)('F23 in a %s store', (_, open) => {
  const bad = { type: 'edit', input: { table: `gsk_${c}` } } as const;

  it('an edit that the inspector or a queue records holds no secret, and is given back', async () => {
    const store = open();
    const run = await waiting(processOn(store));
    await expect(decideApproval(store, run.id, 'c1', bad)).rejects.toThrow(/secret/);
    await decideApproval(store, run.id, 'c1', { type: 'deny', reason: `it has hf_${c}` });
    expect(JSON.stringify(await eventsOf(store, run.id))).not.toContain('cAnArY');
  });

  it('an edit of the run itself runs with the secret, and is recorded without', async () => {
    const store = open();
    const process = processOn(store, { permissions: permissions({ mode: 'ask' }) });
    const run = await waiting(process);
    await run.approve('c1', bad);
    await run.result;
    expect(process.ran).toEqual([bad.input]);
    expect(JSON.stringify(await eventsOf(store, run.id))).not.toContain('cAnArY');
  });
});
