import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readJson } from '../../json/read-json.ts';
import { isObject, type JsonObject } from '../../json/value.ts';
import type { Format } from '../../model/index.ts';

/** What an agent is started with: the proxy's address and the model. */
export interface Session {
  /** Address of the proxy, without a path. */
  readonly url: string;
  /** The proxy's token, which the agent sends as its API key. */
  readonly token: string;
  readonly model: string;
  /** Context size in tokens, and how many of them a response may use. */
  readonly context: number;
  readonly output: number;
  /** Whether a known hosted service is the upstream, which runs tools of its own, such as a web search. */
  readonly hosted: boolean;
  /** A temporary folder for files of this session. */
  readonly folder: string;
  /** The user's home folder and environment. */
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Settings of an agent that leave the user's files alone. */
export interface AgentSettings {
  /** Environment variables; undefined removes one. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Arguments before the user's own. */
  readonly args: readonly string[];
  /** Files in the session's folder, by name. */
  readonly files: Readonly<Record<string, string>>;
  /** A folder of the user for which the agent uses one in the session's folder. Only the files differ in it. */
  readonly home?: { readonly from: string; readonly to: string };
}

/** A coding agent that `toolmend launch` can start. */
export interface Agent {
  /** Its name on the command line. */
  readonly name: string;
  readonly label: string;
  /** Its program, and folders below the home folder where installers put it. */
  readonly program: string;
  readonly folders: readonly string[];
  /** The command that installs it. */
  readonly install: string;
  /** The API format that it uses. */
  readonly format: Format;
  readonly settings: (session: Session) => AgentSettings;
}

const provider = 'toolmend';
const tokenVariable = 'TOOLMEND_TOKEN';
const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** Local models can take long to read a prompt. The same as the proxy's idle timeout. */
const patience = 1_800_000;

/** The agents, by name. */
export const agents: readonly Agent[] = [
  {
    name: 'claude',
    label: 'Claude Code',
    program: 'claude',
    format: 'anthropic',
    settings: claude,
    folders: ['.local/bin', '.claude/local'],
    install: 'npm install -g @anthropic-ai/claude-code',
  },
  {
    name: 'codex',
    label: 'Codex',
    program: 'codex',
    format: 'openai-responses',
    settings: codex,
    folders: ['.local/bin'],
    install: 'npm install -g @openai/codex',
  },
  {
    name: 'gemini',
    label: 'Gemini CLI',
    program: 'gemini',
    format: 'gemini',
    settings: gemini,
    folders: ['.local/bin'],
    install: 'npm install -g @google/gemini-cli',
  },
  {
    name: 'opencode',
    label: 'opencode',
    program: 'opencode',
    format: 'openai-chat',
    folders: ['.opencode/bin', '.local/bin'],
    install: 'npm install -g opencode-ai',
    settings: (session) => inlineConfig('OPENCODE_CONFIG_CONTENT', session),
  },
  {
    name: 'kilo',
    label: 'Kilo',
    program: 'kilo',
    format: 'openai-chat',
    folders: ['.kilo/bin', '.local/bin'],
    install: 'npm install -g @kilocode/cli',
    settings: (session) => inlineConfig('KILO_CONFIG_CONTENT', session),
  },
  {
    name: 'qwen',
    label: 'Qwen Code',
    program: 'qwen',
    format: 'openai-chat',
    settings: qwen,
    folders: ['.local/bin'],
    install: 'npm install -g @qwen-code/qwen-code',
  },
  {
    name: 'cline',
    label: 'Cline',
    program: 'cline',
    format: 'openai-chat',
    settings: cline,
    folders: ['.local/bin'],
    install: 'npm install -g cline',
  },
  {
    name: 'continue',
    label: 'Continue',
    program: 'cn',
    format: 'openai-chat',
    settings: continueCli,
    folders: ['.local/bin'],
    install: 'npm install -g @continuedev/cli',
  },
  {
    name: 'copilot',
    label: 'GitHub Copilot CLI',
    program: 'copilot',
    format: 'openai-chat',
    settings: copilot,
    folders: ['.local/bin'],
    install: 'npm install -g @github/copilot',
  },
  {
    name: 'pi',
    label: 'pi',
    program: 'pi',
    format: 'openai-chat',
    settings: pi,
    folders: ['.local/bin'],
    install: 'npm install -g @earendil-works/pi-coding-agent',
  },
  {
    name: 'omp',
    label: 'oh-my-pi',
    program: 'omp',
    format: 'openai-chat',
    settings: omp,
    folders: ['.bun/bin', '.local/bin'],
    install: 'bun install -g @oh-my-pi/pi-coding-agent',
  },
];

/** Variables that would send Claude Code's requests elsewhere, or with another key. */
const otherClaudes = [
  'ANTHROPIC_API_KEY',
  'CLAUDE_CODE_OAUTH_TOKEN',
  'CLAUDE_CODE_API_BASE_URL',
  'CLAUDE_CODE_USE_BEDROCK',
  'CLAUDE_CODE_USE_VERTEX',
  'CLAUDE_CODE_USE_FOUNDRY',
];

function claude({ url, token, model, context, output, folder }: Session): AgentSettings {
  const env = {
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_AUTH_TOKEN: token,
    ANTHROPIC_MODEL: model,
    // All tiers and sub-agents use the one model.
    ANTHROPIC_DEFAULT_OPUS_MODEL: model,
    ANTHROPIC_DEFAULT_SONNET_MODEL: model,
    ANTHROPIC_DEFAULT_HAIKU_MODEL: model,
    CLAUDE_CODE_SUBAGENT_MODEL: model,
    // Its first system block otherwise changes with every request, so that no server can reuse the prompt.
    CLAUDE_CODE_ATTRIBUTION_HEADER: '0',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    CLAUDE_CODE_MAX_CONTEXT_TOKENS: String(context),
    CLAUDE_CODE_MAX_OUTPUT_TOKENS: String(output),
    API_TIMEOUT_MS: String(patience),
  };
  const file = 'settings.json';
  const empty = Object.fromEntries(otherClaudes.map((name) => [name, '']));
  return {
    env: { ...env, ...without(otherClaudes) },
    // The variables in the user's settings would otherwise replace these.
    args: ['--settings', join(folder, file)],
    files: { [file]: json({ env: { ...env, ...empty } }) },
  };
}

function codex({ url, token, model, context, hosted }: Session): AgentSettings {
  const server = `{name="Toolmend",base_url=${toml(`${url}/v1`)},wire_api="responses",env_key="${tokenVariable}"}`;
  const overrides = [
    `model=${toml(model)}`,
    `model_provider="${provider}"`,
    `model_providers.${provider}=${server}`,
    `model_context_window=${context}`,
    // Only OpenAI's own servers search the web for a model.
    ...(hosted ? [] : ['web_search="disabled"']),
  ];
  return { env: { [tokenVariable]: token }, args: overrides.flatMap((one) => ['-c', one]), files: {} };
}

/** A TOML string. Its escapes are those of JSON. */
const toml = (text: string): string => JSON.stringify(text);

/** The context size that Gemini CLI assumes for models it doesn't know. */
const geminiContext = 1_048_576;

/** Its system settings would have precedence, but have to be in a folder of the administrator. */
function gemini({ url, token, model, context, folder, home: userHome }: Session): AgentSettings {
  const home = { from: join(userHome, '.gemini'), to: '.gemini' };
  const settings = merged(readObject(join(home.from, 'settings.json')), {
    // Users who are logged in would otherwise reach Google, whatever the variables are.
    security: { auth: { selectedType: 'gemini-api-key' } },
    // Summarizes the conversation when it fills 70 % of the real context.
    model: { name: model, compressionThreshold: share((0.7 * context) / geminiContext) },
  });
  return {
    env: {
      GOOGLE_GEMINI_BASE_URL: url,
      GEMINI_API_KEY: token,
      GEMINI_MODEL: model,
      GEMINI_CLI_HOME: folder,
      ...without(['GOOGLE_API_KEY', 'GOOGLE_GENAI_USE_VERTEXAI', 'GOOGLE_GENAI_USE_GCA']),
    },
    args: [],
    files: { '.gemini/settings.json': json(settings) },
    home,
  };
}

const share = (part: number): number => Math.round(part * 1e5) / 1e5;

/** Where an administrator puts settings for all users of Qwen Code. */
const qwenSystem: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
  darwin: '/Library/Application Support/QwenCode',
  win32: 'C:\\ProgramData\\qwen-code',
};

/** Objects are merged, and other values of the second one have precedence. */
const merged = (first: JsonObject, second: JsonObject): JsonObject => ({
  ...first,
  ...Object.fromEntries(
    Object.entries(second).map(([key, value]) => [key, isObject(value) ? merged(objectIn(first, key), value) : value]),
  ),
});

/** An object in a file, which may have comments; empty if there is none. */
function readObject(file: string): JsonObject {
  try {
    const { value } = readJson(readFileSync(file, 'utf8'));
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

const objectIn = (value: JsonObject, key: string): JsonObject => {
  const inner = value[key];
  return isObject(inner) ? inner : {};
};

/** opencode and its fork Kilo read a configuration from a variable. */
function inlineConfig(variable: string, { url, token, model, context, output, env }: Session): AgentSettings {
  const own = parsed(env[variable]);
  const options = { baseURL: `${url}/v1`, apiKey: token };
  const models = { [model]: { name: model, tool_call: true, limit: { context, output } } };
  const config = {
    ...own,
    model: `${provider}/${model}`,
    small_model: `${provider}/${model}`,
    provider: {
      ...objectIn(own, 'provider'),
      [provider]: { npm: '@ai-sdk/openai-compatible', name: 'Toolmend', options, models },
    },
  };
  return { env: { [variable]: JSON.stringify(config) }, args: [], files: {} };
}

function parsed(text: string | undefined): JsonObject {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** Its system settings have precedence over those of the user. They contain what the administrator has set. */
function qwen({ url, token, model, context, output, folder, env }: Session): AgentSettings {
  const [place, defaults] = ['QWEN_CODE_SYSTEM_SETTINGS_PATH', 'QWEN_CODE_SYSTEM_DEFAULTS_PATH'];
  const own = env[place] || join(qwenSystem[process.platform] ?? '/etc/qwen-code', 'settings.json');
  const settings = merged(readObject(own), {
    security: { auth: { selectedType: 'openai' } },
    model: { name: model, generationConfig: { contextWindowSize: context } },
  });
  // Without its variable, the file with defaults is expected beside the settings.
  const beside = join(dirname(own), 'system-defaults.json');
  const file = 'settings.json';
  return {
    env: {
      OPENAI_BASE_URL: `${url}/v1`,
      OPENAI_API_KEY: token,
      OPENAI_MODEL: model,
      QWEN_CODE_MAX_OUTPUT_TOKENS: String(output),
      [place]: join(folder, file),
      ...(!env[defaults] && existsSync(beside) && { [defaults]: beside }),
      ...without(['QWEN_MODEL']),
    },
    args: [],
    files: { [file]: json(settings) },
  };
}

function cline({ url, token, model, folder }: Session): AgentSettings {
  const id = 'openai-compatible';
  const settings = { provider: id, apiKey: token, model, baseUrl: `${url}/v1` };
  const entry = { settings, updatedAt: new Date(0).toISOString(), tokenSource: 'manual' };
  const file = 'providers.json';
  return {
    env: {
      CLINE_PROVIDER_SETTINGS_PATH: join(folder, file),
      // Otherwise a daemon with these settings would stay, and serve the next sessions of the user, too.
      CLINE_SESSION_BACKEND_MODE: 'local',
      ...without(['CLINE_PROVIDER', 'CLINE_MODEL']),
    },
    args: [],
    files: { [file]: json({ version: 1, lastUsedProvider: id, modes: {}, providers: { [id]: entry } }) },
  };
}

function continueCli({ url, token, model, context, output, folder }: Session): AgentSettings {
  const file = 'config.yaml';
  const entry = {
    name: model,
    provider: 'openai',
    model,
    apiBase: `${url}/v1`,
    apiKey: token,
    roles: ['chat', 'edit', 'apply'],
    capabilities: ['tool_use'],
    defaultCompletionOptions: { contextLength: context, maxTokens: output },
  };
  return {
    env: {},
    args: ['--config', join(folder, file)],
    // JSON is valid YAML.
    files: { [file]: json({ name: 'Toolmend', version: '1.0.0', schema: 'v1', models: [entry] }) },
  };
}

function copilot({ url, token, model, context, output }: Session): AgentSettings {
  const own = (name: string): string => `COPILOT_PROVIDER_${name}`;
  return {
    env: {
      [own('BASE_URL')]: `${url}/v1`,
      [own('TYPE')]: 'openai',
      [own('WIRE_API')]: 'completions',
      [own('API_KEY')]: token,
      COPILOT_MODEL: model,
      [own('MAX_PROMPT_TOKENS')]: String(context - output),
      [own('MAX_OUTPUT_TOKENS')]: String(output),
      ...without(['API_KEY_COMMAND', 'BEARER_TOKEN', 'HEADERS', 'MODEL_ID', 'WIRE_MODEL', 'TRANSPORT'].map(own)),
    },
    args: [],
    files: {},
  };
}

function pi(session: Session): AgentSettings {
  const { args, ...extension } = piExtension(session);
  return { ...extension, args: [...args, '--model', `${provider}/${session.model}`] };
}

/** oh-my-pi reads what follows a colon in `--model` as the effort, but not in its configuration. */
function omp(session: Session): AgentSettings {
  const { args, files, env } = piExtension(session);
  const file = 'config.yml';
  const model = `${provider}/${session.model}`;
  const config = { modelRoles: { default: model, smol: model, slow: model, plan: model } };
  return { env, args: [...args, '--config', join(session.folder, file)], files: { ...files, [file]: json(config) } };
}

/** pi and its fork oh-my-pi register a provider in an extension, which a flag loads for one session. */
function piExtension({ url, token, model, context, output, folder }: Session): AgentSettings {
  const file = 'provider.ts';
  const entry = {
    id: model,
    name: model,
    reasoning: false,
    input: ['text'],
    contextWindow: context,
    maxTokens: output,
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  };
  const config = { baseUrl: `${url}/v1`, apiKey: tokenVariable, api: 'openai-completions', models: [entry] };
  const text = `export default (pi) => {\n  pi.registerProvider('${provider}', ${JSON.stringify(config)});\n};\n`;
  return { env: { [tokenVariable]: token }, args: ['--extension', join(folder, file)], files: { [file]: text } };
}

const without = (names: readonly string[]): Record<string, undefined> =>
  Object.fromEntries(names.map((name) => [name, undefined]));

/** The agent with this name; undefined if there is none. */
export const agentNamed = (name: string): Agent | undefined => agents.find((agent) => agent.name === name);
