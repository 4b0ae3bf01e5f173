import { type ChildProcess, spawn } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { agents } from '../../src/cli/launch/agents.ts';
import { launchCommand } from '../../src/cli/launch/command.ts';
import { fakeTerminal } from '../cli/fake-terminal.ts';
import { runCli } from '../cli/run-cli.ts';
import { closeAll } from '../proxy/around.ts';
import { until } from '../until.ts';
import { llama, ollama, serve, vllm } from './model-servers.ts';

const main = join(import.meta.dirname, '../../src/cli/main.ts');
const root = mkdtempSync(join(tmpdir(), 'toolmend-test-'));
const [bin, home, temporary] = ['bin', 'home', 'tmp'].map((name) => join(root, name)) as [string, string, string];
const { TMPDIR: before } = process.env;

beforeAll(() => {
  for (const folder of [bin, home, temporary]) mkdirSync(folder);
  for (const { program } of agents) {
    copyFileSync(join(import.meta.dirname, 'fake-agent.mjs'), join(bin, program));
    chmodSync(join(bin, program), 0o755);
  }
  const own = { '.claude/settings.json': '{}', '.gemini/settings.json': '{"ui": {}}', '.gemini/GEMINI.md': 'Be kind.' };
  for (const [name, text] of Object.entries({
    ...own,
    '.codex/config.toml': 'model = "x"',
    '.pi/agent/a.json': '{}',
  })) {
    mkdirSync(join(home, name, '..'), { recursive: true });
    writeFileSync(join(home, name), text);
  }
  process.env.TMPDIR = temporary;
});
afterAll(() => {
  if (before === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = before;
  rmSync(root, { recursive: true, force: true });
});
afterEach(closeAll);

let at = '';
beforeEach(() => {
  at = mkdtempSync(join(root, 'work-'));
});
const environment = (own: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({
  PATH: `${bin}:${join(process.execPath, '..')}:/usr/bin:/bin`,
  HOME: home,
  TMPDIR: temporary,
  NO_COLOR: '1',
  // `npx vitest` sets it, and the messages then name npx.
  npm_lifecycle_event: undefined,
  REPORT: join(at, 'report.json'),
  ...own,
});

interface Report {
  readonly args: string[];
  readonly env: Record<string, string>;
  readonly folder?: string;
  readonly files: Record<string, string>;
  readonly url: string;
  readonly token: string;
  readonly replies: { status: number; body: unknown }[];
  readonly signal?: string;
}
const reported = (): Report => JSON.parse(readFileSync(join(at, 'report.json'), 'utf8'));
const isReported = (): boolean => existsSync(join(at, 'report.json'));

/** All files below a folder, with their contents and times. */
const snapshot = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((file) => `${file} ${statSync(file).mtimeMs} ${readFileSync(file, 'utf8')}`);

/** Starts an agent in this process. */
async function launch(args: readonly string[], own: NodeJS.ProcessEnv = {}) {
  const terminal = fakeTerminal({ tty: false, env: environment({ FAKE_AGENT: '0', ...own }) });
  const code = await launchCommand(args, terminal);
  return { code, output: terminal.text(), errors: terminal.told() };
}

describe.each(agents.map(({ name, program }) => ({ name, program })))('$name', ({ name, program }) => {
  it('reaches the model through the proxy, and finds nothing changed in the home folder', async () => {
    const server = await serve(name === 'claude' ? ollama({ 'qwen3:30b': {} }) : vllm('qwen3:30b', 40_960));
    const files = snapshot(home);
    const { code, errors } = await launch([name, '--upstream', server.url, '--', 'do', '--it']);
    const { replies, args, url, token, folder, env } = reported();
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    expect(JSON.stringify(replies[0]?.body)).toMatch(/"limit\\?":5/);
    expect(args.slice(-2)).toEqual(['do', '--it']);
    expect(url).not.toBe(server.url);
    expect(token).toMatch(/^[\w-]{32}$/);
    expect(env.NO_PROXY).toContain('127.0.0.1');
    expect(code).toBe(0);
    expect(errors).toContain('toolmend: 1 tool call in 2 requests: 1 mended\n');
    // Only the log remains.
    expect(snapshot(home)).toEqual(files);
    expect(folder !== undefined && existsSync(folder)).toBe(false);
    expect(readdirSync(temporary).filter((one) => one.startsWith('toolmend-launch-'))).toEqual([]);
    expect(await fetch(url).catch(() => 'closed')).toBe('closed');
    // The proxy's token never reaches the server.
    expect(server.heard.some((heard) => JSON.stringify(heard).includes(token))).toBe(false);
  });

  it('is not installed: the error has the command that installs it', async () => {
    const { errors } = await launch([name], { PATH: '/nowhere' }).catch((error: Error) => ({ errors: error.message }));
    expect(errors).toContain(`'${program}' is in none of`);
    expect(errors).toMatch(/Install it with: (?:npm|bun) install -g /);
  });
});

describe('models', () => {
  /** The models that a server is asked for. */
  async function asked(model: string, servers: Parameters<typeof serve>[0]): Promise<unknown[]> {
    const { url, heard } = await serve(servers);
    const { errors } = await launch(['claude', '--upstream', url, '--model', 'qwen3:30b'], { FAKE_MODEL: model });
    expect(errors).toContain('1 tool call in 2 requests: 1 mended');
    return heard.filter(({ body }) => body.includes('Go on')).map(({ body }) => JSON.parse(body).model);
  }

  it('that the server has are used as requested, also without the tag', async () => {
    const has = { 'qwen3:30b': {}, 'small:latest': {}, 'nomic-embed-text:latest': {} };
    expect(await asked('small:latest', ollama(has))).toEqual(['small:latest', 'small:latest']);
    expect(await asked('small', ollama(has))).toEqual(['small', 'small']);
    expect(await asked('nomic-embed-text', ollama(has))).toEqual(['nomic-embed-text', 'nomic-embed-text']);
  });

  it('that the server lacks are replaced by the one of the session', async () => {
    expect(await asked('gemini-2.5-flash-lite', ollama({ 'qwen3:30b': {}, 'small:latest': {} }))).toEqual([
      'qwen3:30b',
      'qwen3:30b',
    ]);
    expect(await asked('claude-haiku-4-5', vllm('qwen3:30b', 40_960))).toEqual(['qwen3:30b', 'qwen3:30b']);
  });
});

describe('Ollama', () => {
  it('is reached through its own format, with the context size', async () => {
    const { url, heard } = await serve(ollama({ 'qwen3:30b': {} }));
    await launch(['claude', '--upstream', `${url}/v1`]);
    const turns = heard.filter(({ url: path }) => path === '/api/chat').map(({ body }) => JSON.parse(body));
    expect(turns.filter(({ messages }) => messages).map(({ options }) => options.num_ctx)).toEqual([32_768, 32_768]);
    expect(heard.some(({ url: path, body }) => /completions|messages/.test(path) && body.includes('Go on'))).toBe(
      false,
    );
    expect(reported().env).toMatchObject({ CLAUDE_CODE_MAX_CONTEXT_TOKENS: '32768' });
  });

  it('takes another size from --context', async () => {
    const { url, heard } = await serve(ollama({ 'qwen3:30b': {} }));
    await launch(['opencode', '--upstream', url, '--context', '65536']);
    expect(JSON.parse(heard.at(-1)?.body ?? '').options.num_ctx).toBe(65_536);
  });
});

it('finds the server and the model by itself', async () => {
  const { url } = await serve(llama('qwen.gguf', 32_768));
  const { code, errors } = await launch(['pi'], { OPENAI_BASE_URL: `${url}/v1` });
  expect(code).toBe(0);
  expect(errors).toMatch(/toolmend: pi with qwen\.gguf \(32768 tokens\) from llama-server at http/);
});

it('logs names and counts, without content, in a file that only the user can read', async () => {
  const { url } = await serve(vllm('qwen3:30b', 40_960));
  const { errors } = await launch(['claude', '--upstream', url]);
  const [, file = ''] = /Log: (\S+)/.exec(errors) ?? [];
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line).status)).toEqual([200, 200]);
  expect(lines.join()).not.toMatch(/Go on|a\.txt|Done\./);
  expect(lines.join()).not.toContain(reported().token);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(join(file, '..')).mode & 0o777).toBe(0o700);
});

it('writes the summary as JSON', async () => {
  const { url } = await serve(vllm('qwen3:30b', 40_960));
  const { errors } = await launch(['codex', '--upstream', url, '--json']);
  expect(JSON.parse(errors)).toMatchObject({
    requests: 2,
    failed: 0,
    calls: 1,
    mended: 1,
    corrected: 0,
    refused: 0,
    droppedTools: [],
    warnings: [],
    log: expect.stringContaining('codex'),
  });
});

it('guard: sessions at the same time have their own proxy, token, log and summary', async () => {
  const { url } = await serve(vllm('qwen3:30b', 40_960));
  const sessions = await Promise.all(
    ['a', 'b', 'c'].map(async (name) => {
      const report = join(at, `${name}.json`);
      const { code, errors } = await launch(['claude', '--upstream', url, '--json'], { REPORT: report });
      return { code, ...JSON.parse(errors), ...JSON.parse(readFileSync(report, 'utf8')) };
    }),
  );
  expect(sessions).toMatchObject(Array(3).fill({ code: 0, requests: 2, calls: 1, mended: 1 }));
  for (const field of ['url', 'token', 'log', 'folder'])
    expect(new Set(sessions.map((one) => one[field])).size, field).toBe(3);
});

describe('--print-env', () => {
  it('prints commands that a shell accepts, and starts nothing', async () => {
    const { url } = await serve(ollama({ 'qwen3:30b': {} }));
    for (const { name } of agents) {
      const { code, output } = await launch([name, '--upstream', url, '--print-env'], { PATH: '/nowhere' });
      expect(code).toBe(0);
      expect(output).toContain(`# toolmend proxy --upstream ${url} --format ollama --num-ctx 32768\n`);
      expect(output).toContain('http://127.0.0.1:17645');
      const shell = spawn(
        'sh',
        ['-eu', '-c', `${output}\nenv; cat ${temporary}/toolmend-${name}-*/* 2>/dev/null || true`],
        {
          env: { PATH: '/usr/bin:/bin' },
        },
      );
      let text = '';
      shell.stdout.on('data', (chunk) => {
        text += String(chunk);
      });
      expect(await new Promise((resolve) => shell.on('close', resolve))).toBe(0);
      expect(`${text}${output}`).toContain('qwen3:30b');
    }
    expect(isReported()).toBe(false);
  });

  it('uses another folder each time', async () => {
    const { url } = await serve(vllm('qwen3:30b', 40_960));
    const args = ['claude', '--upstream', url, '--print-env', '--json'];
    const folders = [await launch(args), await launch(args)].map(({ output }) => JSON.parse(output).folder);
    expect(folders).toEqual(Array(2).fill(expect.stringMatching(/toolmend-claude-[0-9a-f]{16}$/)));
    expect(folders[0]).not.toBe(folders[1]);
  });

  it('prints the command of npx if it was started with it', async () => {
    const { url } = await serve(vllm('qwen3:30b', 40_960));
    const { output } = await launch(['claude', '--upstream', url, '--print-env'], { npm_lifecycle_event: 'npx' });
    expect(output).toContain(`# npx toolmend proxy --upstream ${url}\n`);
  });

  it('prints JSON', async () => {
    const { url } = await serve(vllm('qwen3:30b', 40_960));
    const { output } = await launch(['copilot', '--upstream', url, '--print-env', '--json', '--', '-p', 'hi']);
    expect(JSON.parse(output)).toMatchObject({
      proxy: ['toolmend', 'proxy', '--upstream', url],
      env: { COPILOT_PROVIDER_BASE_URL: 'http://127.0.0.1:17645/v1', COPILOT_MODEL: 'qwen3:30b' },
      command: ['copilot', '-p', 'hi'],
    });
  });
});

describe('--list', () => {
  it('shows where agents are installed, and otherwise how to install them', async () => {
    rmSync(join(bin, 'omp'));
    const { output } = await launch(['--list']);
    copyFileSync(join(bin, 'pi'), join(bin, 'omp'));
    expect(output).toMatch(new RegExp(`^claude +Claude Code +${bin}/claude$`, 'm'));
    expect(output).toMatch(/^omp +oh-my-pi +not installed \(bun install -g @oh-my-pi\/pi-coding-agent\)$/m);
    const rows = JSON.parse((await launch(['--list', '--json'])).output);
    expect(rows[0]).toMatchObject({ name: 'claude', program: join(bin, 'claude') });
  });
});

it.each([
  [[], 'Missing agent'],
  [['clod'], "Unknown agent 'clod'. Expected one of: claude, codex"],
  [['claude', 'fix it', 'now'], "after --: toolmend launch claude -- 'fix it' now"],
  [['claude', '-p', 'fix it'], "Unknown option '-p'. See --help for the options. Write the arguments"],
  [['claude', '--model', 'm', '-p', 'fix it'], "after --: toolmend launch claude -- -p 'fix it'\n"],
  [['--modle', 'm'], "Unknown option '--modle'. See --help for the options.\n"],
  [['claude', '--context', 'big'], "Invalid --context 'big'"],
  [['claude', '--context', '0'], "Invalid --context '0': expected an integer of 1 or more"],
])('refuses %j', async (args, expected) => {
  const { status, stderr } = await runCli(['launch', ...args], { env: environment() });
  expect(stderr).toContain(expected);
  expect(status).toBe(2);
});

describe('as a program', () => {
  async function start(
    own: NodeJS.ProcessEnv,
    input = '',
  ): Promise<ChildProcess & { said: () => string; end: Promise<unknown> }> {
    const { url } = await serve(vllm('qwen3:30b', 40_960));
    const args = [main, 'launch', 'claude', '--upstream', url];
    const child = spawn(process.execPath, args, { env: environment(own), cwd: at });
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += String(chunk);
    });
    child.stdin.end(input);
    const end = new Promise((resolve) => child.on('close', (code, signal) => resolve(code ?? signal)));
    return Object.assign(child, { said: () => text, end });
  }

  it('passes streams on, and ends with the exit code of the agent', async () => {
    const { said, end } = await start({ FAKE_AGENT: '7', FAKE_INPUT: '1' }, 'typed');
    expect(await end).toBe(7);
    expect(said()).toBe('agent outputTYPED');
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'forwards %s, and ends with the exit code of the agent',
    async (signal) => {
      const child = await start({ FAKE_AGENT: 'wait' });
      await until(isReported);
      child.kill(signal);
      expect(await child.end).toBe(3);
      expect(reported().signal).toBe(signal);
      expect(readdirSync(temporary).filter((one) => one.startsWith('toolmend-launch-'))).toEqual([]);
    },
  );

  it('ends the agent if it is killed and can do nothing more', async () => {
    const child = await start({ FAKE_AGENT: 'wait' });
    await until(isReported);
    child.kill('SIGKILL');
    await until(() => reported().signal === 'SIGHUP');
    // The agent shares the output, which is only closed once it has exited too.
    expect(await child.end).toBe('SIGKILL');
  });

  it('ends the agent with a second signal if it ignores the first', async () => {
    const child = await start({ FAKE_AGENT: 'wait', FAKE_IGNORES: 'SIGHUP' });
    await until(isReported);
    child.kill('SIGKILL');
    await until(() => reported().signal === 'SIGTERM');
    expect(await child.end).toBe('SIGKILL');
  });

  it('ends with the exit code of the agent, also if the reader of its messages is gone', async () => {
    const child = await start({ FAKE_AGENT: '7' });
    child.stderr?.destroy();
    expect(await child.end).toBe(7);
  });

  it('explains that it has no folder for temporary files', async () => {
    const { url } = await serve(vllm('qwen3:30b', 40_960));
    const nowhere = join(root, 'missing');
    const env = environment({ TMPDIR: nowhere });
    const { status, stderr } = await runCli(['launch', 'claude', '--upstream', url], { env });
    expect(stderr).toBe(
      `toolmend: Can't create a folder for temporary files in ${nowhere} (ENOENT). Set TMPDIR to a folder that you can write to\n`,
    );
    expect(status).toBe(2);
  });

  it('ends with 128 and the signal that ended the agent', async () => {
    expect(await (await start({ FAKE_AGENT: 'kill' })).end).toBe(137);
  });
});
