/** Command lines and JSON fields that scripts outside this repository rely on. A rename must not touch them. */
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli } from './cli/run-cli.ts';
import { freePort } from './free-port.ts';
import { until } from './until.ts';

const root = join(import.meta.dirname, '..');
const npmArgs = (...args: readonly string[]): string[] => ['run', '-s', 'toolmend', '--', ...args];

const viaNpm = (args: readonly string[], input = '') =>
  spawnSync('npm', npmArgs(...args), { cwd: root, input, encoding: 'utf8' });

/**
 * Runs `npm run -s toolmend -- …` with these lines as its input; gives a value for each line it printed. What npm does is the
 * same for all, so that one command line of each kind goes through it, and the rest need no process.
 */
async function lines(
  args: readonly string[],
  input: readonly object[],
  npm = false,
): Promise<Record<string, unknown>[]> {
  const text = input.map((line) => `${JSON.stringify(line)}\n`).join('');
  const { stdout, stderr, status } = npm ? viaNpm(args, text) : await runCli(args, { cwd: root, input: text });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

const tools = [
  {
    name: 'get_weather',
    description: 'Shows the weather',
    inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
];

describe('guard: the command-line contract', () => {
  it('mend --jsonl takes id, tools, name, arguments and finishReason, and gives six fields', async () => {
    const [good, mended, cut] = await lines(
      ['mend', '--jsonl'],
      [
        { id: 'a', tools, name: 'get_weather', arguments: '{"city": "Oslo"}' },
        { id: 'b', tools, name: 'GetWeather', arguments: "{city: 'Oslo',}" },
        { id: 'c', tools, name: 'get_weather', arguments: '{"city": "Os', finishReason: 'length' },
      ],
      true,
    );
    expect(good).toEqual({
      id: 'a',
      status: 'ok',
      name: 'get_weather',
      input: { city: 'Oslo' },
      repairs: [],
      problems: [],
    });
    expect(mended).toMatchObject({ id: 'b', status: 'mended', name: 'get_weather', input: { city: 'Oslo' } });
    expect(mended?.repairs).toEqual(expect.arrayContaining([expect.objectContaining({ kind: expect.any(String) })]));
    expect(cut).toMatchObject({ id: 'c', status: 'invalid', name: 'get_weather' });
    expect(cut?.problems).not.toEqual([]);
  });

  const call = '<tool_call>{"name": "get_weather", "arguments": {"city": "Oslo"}}</tool_call>';

  it.each([
    [[], {}],
    [['--dialect', 'hermes'], {}],
    [['--chunk', '3'], {}],
    [[], { dialect: 'hermes', finishReason: 'stop', context: [] }],
  ])('decode %j with %j gives id, text, dialect and calls', async (flags, fields) => {
    const [read, plain] = await lines(
      ['decode', ...flags],
      [
        { id: 1, text: call, tools, ...fields },
        { id: 2, text: 'It is cold.', tools, ...fields },
      ],
      flags.join().includes('--chunk'),
    );
    expect(read).toMatchObject({ id: 1, text: '', dialect: 'hermes' });
    expect(read?.calls).toEqual([
      expect.objectContaining({ name: 'get_weather', input: { city: 'Oslo' }, status: 'ok' }),
    ]);
    expect(plain).toMatchObject({ id: 2, text: 'It is cold.', calls: [] });
  });

  it('decode takes --prompted and reasoningOpen, and gives reasoning apart', async () => {
    const [python, thought] = await lines(
      ['decode', '--prompted'],
      [
        { id: 1, text: '[get_weather(city="Oslo")]', tools },
        { id: 2, text: 'Hm.</think>It is cold.', tools, reasoningOpen: true },
      ],
    );
    expect(python?.calls).toEqual([expect.objectContaining({ name: 'get_weather', input: { city: 'Oslo' } })]);
    expect(thought).toMatchObject({ id: 2, text: 'It is cold.', reasoning: 'Hm.', calls: [] });
  });

  it('proxy takes --upstream, --format openai, --port and --retries 0', async () => {
    const arguments_ = "{city: 'Oslo',}";
    const upstream = createServer((_, response) => {
      response.setHeader('content-type', 'application/json');
      const made = { id: 'call_1', type: 'function', function: { name: 'get_weather', arguments: arguments_ } };
      const message = { role: 'assistant', content: null, tool_calls: [made] };
      response.end(JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'tool_calls' }] }));
    });
    await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
    const port = await freePort();
    const url = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
    const args = ['proxy', '--upstream', url, '--format', 'openai', '--port', String(port), '--retries', '0'];
    const child = spawn('npm', npmArgs(...args), { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    try {
      const fetched = await until(() =>
        fetch(`http://127.0.0.1:${port}/v1/chat/completions`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({
            model: 'any',
            messages: [{ role: 'user', content: 'Weather in Oslo?' }],
            tools: tools.map(({ name, description, inputSchema }) => ({
              type: 'function',
              function: { name, description, parameters: inputSchema },
            })),
          }),
        }).catch(() => undefined),
      );
      const body = (await fetched?.json()) as {
        choices: { message: { tool_calls: { function: { arguments: string } }[] } }[];
      };
      const sent = body.choices[0]?.message.tool_calls[0]?.function.arguments;
      expect(JSON.parse(sent ?? '')).toEqual({ city: 'Oslo' });
    } finally {
      // The group, because npm starts a shell that starts the program.
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      upstream.close();
    }
  });

  it('mend --jsonl takes tries: a later failed try is told more', async () => {
    const call = { tools, name: 'get_weather', arguments: '{}' };
    const [first, third] = await lines(
      ['mend', '--jsonl'],
      [
        { id: 1, ...call, tries: 1 },
        { id: 2, ...call, tries: 3 },
      ],
    );
    expect(String(third?.feedback).length).toBeGreaterThan(String(first?.feedback).length);
  });

  it('proxy --help names every flag', async () => {
    const { stdout, status } = await runCli(['proxy', '--help']);
    expect(status).toBe(0);
    const flags = [
      'upstream',
      'format',
      'dialect',
      'num-ctx',
      'port',
      'host',
      'token',
      'live',
      'stream-arguments',
      'retries',
      'config',
      'log',
      'log-content',
      'keep-days',
      'no-inspector',
      'json',
      'help',
    ];
    expect(flags.filter((flag) => !stdout.includes(`--${flag}`))).toEqual([]);
  });

  it('launch --help names every flag and every agent', async () => {
    const { stdout, status } = await runCli(['launch', '--help']);
    expect(status).toBe(0);
    const flags = ['upstream', 'model', 'context', 'format', 'key-env', 'retries', 'log', 'log-content', 'keep-days'];
    const more = ['print-env', 'list', 'json', 'help'];
    expect([...flags, ...more].filter((flag) => !stdout.includes(`--${flag}`))).toEqual([]);
    expect(stdout).toMatch(/^ {2}claude +Claude Code$/m);
  });

  it('package.json keeps the scripts that others call', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    const wanted = [
      'toolmend',
      'start',
      'test',
      'bench:accuracy',
      'bench:bfcl',
      'bench:dialects',
      'bench:feedback',
      'bench:machines',
      'bench:mend',
      'bench:page',
      'bench:providers',
      'bench:proxy',
      'bench:proxy-mend',
      'bench:run',
      'bench:size',
      'bench:streaming',
    ];
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(wanted));
  });
});
