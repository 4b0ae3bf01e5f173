import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type Agent, agentNamed, agents, type Session } from './agents.ts';

const home = mkdtempSync(join(tmpdir(), 'toolmend-home-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

const session: Session = {
  url: 'http://127.0.0.1:4321',
  token: 'token-of-this-session',
  model: 'qwen3-coder:30b',
  context: 32_768,
  output: 8192,
  hosted: false,
  folder: '/tmp/session',
  home,
  env: {},
};
const settingsOf = (name: string, own: Partial<Session> = {}) =>
  (agentNamed(name) as Agent).settings({ ...session, ...own });
const names = agents.map(({ name }) => name);

/** Everything that an agent receives, as one text. */
const receivedBy = (name: string, own: Partial<Session> = {}): string => {
  const { env, args, files } = settingsOf(name, own);
  // Codex and pi name the variable with the token.
  return JSON.stringify([env, args, Object.values(files)])
    .replaceAll('\\\\', '\\')
    .replaceAll('\\"', '"');
};

describe('the agents', () => {
  it('are the ones that the guide lists', () => {
    expect(names).toEqual([
      'claude',
      'codex',
      'gemini',
      'opencode',
      'kilo',
      'qwen',
      'cline',
      'continue',
      'copilot',
      'pi',
      'omp',
    ]);
    expect(new Set(agents.map(({ program }) => program)).size).toBe(agents.length);
  });

  it.each(names)('%s receives the address, the token and the model', (name) => {
    const text = receivedBy(name);
    expect(text).toContain(session.url);
    expect(text).toContain(session.token);
    expect(text).toContain(session.model);
  });

  // Cline has no setting for the context size of a model that it doesn't know.
  it.each(names.filter((name) => name !== 'cline'))('%s receives the context size', (name) => {
    expect(receivedBy(name)).not.toBe(receivedBy(name, { context: 16_384 }));
  });

  it.each(names)('%s has no arguments but flags, so that the ones of the user follow', (name) => {
    expect(settingsOf(name).args.filter((_, index) => index % 2 === 0)).toEqual(
      settingsOf(name).args.filter((arg) => arg.startsWith('-')),
    );
  });

  it.each(names)('%s keeps the token out of its arguments, which other users can list', (name) => {
    expect(settingsOf(name).args.join(' ')).not.toContain(session.token);
  });

  it.each(names)('%s only has files in the folder of the session', (name) => {
    const { files, env, args } = settingsOf(name);
    for (const file of Object.keys(files)) expect(file).not.toMatch(/^\/|\.\./);
    const paths = [...Object.values(env), ...args].filter((text) => text?.startsWith('/'));
    for (const path of paths) expect(path).toMatch(/^\/tmp\/session/);
  });
});

describe('Claude Code', () => {
  it('sends no attribution header, which changes the start of every prompt', () => {
    expect(settingsOf('claude').env.CLAUDE_CODE_ATTRIBUTION_HEADER).toBe('0');
  });

  it('uses the model for all tiers and sub-agents, and no key of the user', () => {
    const { env, files } = settingsOf('claude');
    const models = Object.entries(env).filter(([name]) => name.endsWith('_MODEL'));
    expect(models).toHaveLength(5);
    for (const [, model] of models) expect(model).toBe(session.model);
    expect(Object.keys(env)).toContain('ANTHROPIC_API_KEY');
    expect(env.ANTHROPIC_API_KEY).toBeUndefined();
    // The settings of the user may have variables, too, which have precedence over those of the process.
    expect(JSON.parse(files['settings.json'] ?? '').env).toMatchObject({
      ANTHROPIC_BASE_URL: session.url,
      ANTHROPIC_API_KEY: '',
      CLAUDE_CODE_USE_BEDROCK: '',
    });
  });
});

it('Codex has no web search at servers that have none', () => {
  expect(settingsOf('codex').args).toContain('web_search="disabled"');
  expect(settingsOf('codex', { hosted: true }).args).not.toContain('web_search="disabled"');
});

it('Codex escapes names in its TOML settings', () => {
  expect(settingsOf('codex', { model: 'a "b" \\c' }).args).toContain('model="a \\"b\\" \\\\c"');
});

it.each([
  ['opencode', 'OPENCODE_CONFIG_CONTENT'],
  ['kilo', 'KILO_CONFIG_CONTENT'],
])('%s keeps the inline configuration of the user', (name, variable) => {
  const own = { theme: 'dark', model: 'a/b', provider: { a: { name: 'A' } } };
  const { env } = settingsOf(name, { env: { [variable]: JSON.stringify(own) } });
  const config = JSON.parse(env[variable] ?? '');
  expect(config).toMatchObject({ theme: 'dark', model: `toolmend/${session.model}`, provider: { a: { name: 'A' } } });
  expect(config.provider.toolmend.models[session.model].limit).toEqual({ context: 32_768, output: 8192 });
  const invalid = settingsOf(name, { env: { [variable]: '{' } }).env[variable];
  expect(JSON.parse(invalid ?? '')).toMatchObject({ model: `toolmend/${session.model}` });
});

it('Gemini CLI keeps the settings of the user, except for the login and the model', () => {
  mkdirSync(join(home, '.gemini'));
  const text = `{
    // JSON with comments
    "security": { "auth": { "selectedType": "oauth-personal", "useExternal": true }, "folderTrust": { "enabled": true } },
    "model": { "name": "gemini-3-pro", "maxSessionTurns": 9 }, "ui": { "theme": "Dracula" }
  }`;
  writeFileSync(join(home, '.gemini/settings.json'), text);
  const { files, home: own } = settingsOf('gemini');
  expect(JSON.parse(files['.gemini/settings.json'] ?? '')).toEqual({
    security: { auth: { selectedType: 'gemini-api-key', useExternal: true }, folderTrust: { enabled: true } },
    model: { name: session.model, maxSessionTurns: 9, compressionThreshold: 0.02188 },
    ui: { theme: 'Dracula' },
  });
  expect(own).toEqual({ from: join(home, '.gemini'), to: '.gemini' });
});

it('Qwen Code keeps the settings of the administrator, except for the login and the model', () => {
  const [place, defaults] = ['QWEN_CODE_SYSTEM_SETTINGS_PATH', 'QWEN_CODE_SYSTEM_DEFAULTS_PATH'];
  const folder = join(home, 'etc');
  mkdirSync(folder);
  const own = join(folder, 'settings.json');
  const text = `{
    // JSON with comments
    "security": { "auth": { "selectedType": "qwen-oauth", "useExternal": true }, "folderTrust": { "enabled": true } },
    "model": { "name": "other", "maxSessionTurns": 9 }, "tools": { "exclude": ["web_fetch"] }
  }`;
  writeFileSync(own, text);
  const { env, files } = settingsOf('qwen', { env: { [place]: own } });
  expect(JSON.parse(files['settings.json'] ?? '')).toEqual({
    security: { auth: { selectedType: 'openai', useExternal: true }, folderTrust: { enabled: true } },
    model: { name: session.model, maxSessionTurns: 9, generationConfig: { contextWindowSize: 32_768 } },
    tools: { exclude: ['web_fetch'] },
  });
  expect(env[place]).toBe(join(session.folder, 'settings.json'));
  expect(env).not.toHaveProperty(defaults);
  const beside = join(folder, 'system-defaults.json');
  writeFileSync(beside, '{}');
  expect(settingsOf('qwen', { env: { [place]: own } }).env[defaults]).toBe(beside);
  expect(settingsOf('qwen', { env: { [place]: own, [defaults]: '/own' } }).env).not.toHaveProperty(defaults);
});

it('oh-my-pi receives a name with a colon in its configuration, because its flag reads an effort there', () => {
  const { args, files } = settingsOf('omp');
  expect(args).not.toContain('--model');
  expect(JSON.parse(files['config.yml'] ?? '').modelRoles.default).toBe('toolmend/qwen3-coder:30b');
});

it('Cline starts no hub, which would keep the settings of the session for the next one', () => {
  expect(settingsOf('cline').env.CLINE_SESSION_BACKEND_MODE).toBe('local');
});

it('there is no agent with another name', () => {
  expect(agentNamed('toString')).toBeUndefined();
});
