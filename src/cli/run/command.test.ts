import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { fakeTerminal } from '../../../test/cli/fake-terminal.ts';
import { runCli } from '../../../test/cli/run-cli.ts';
import { serveScripted } from '../../provider/scripted/server.ts';
import { columnsOf } from '../terminal/layout.ts';
import { UsageError } from '../usage-error.ts';
import { runCommand } from './command.ts';

const folder = mkdtempSync(join(tmpdir(), 'toolmend-run-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const main = join(import.meta.dirname, '../main.ts');
const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

const tools = file(
  'tools.mjs',
  `const text = { type: 'string' };
   export const look = {
     name: 'look', description: 'Looks', effect: 'read',
     inputSchema: { type: 'object', properties: { at: text, times: { type: 'integer' } }, required: ['at'] },
     execute: ({ at, times = 1 }) => ('seen ' + at + '\\n').repeat(times),
   };
   export const more = [
     { name: 'put', description: 'Puts', inputSchema: { type: 'object', properties: { at: text }, required: ['at'] },
       execute: ({ at }) => 'put ' + at },
     { name: 'wait', description: 'Waits', effect: 'read', inputSchema: { type: 'object', properties: {} },
       execute: (_, { signal }) => new Promise((resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))) },
   ];`,
);
const noKeys = {
  OPENAI_API_KEY: '',
  ANTHROPIC_API_KEY: '',
  GEMINI_API_KEY: '',
  GOOGLE_API_KEY: '',
  OPENAI_BASE_URL: '',
};
const env = { ...process.env, ...noKeys, NO_COLOR: '1', FORCE_COLOR: undefined };
const process_ = (args: readonly string[], input = '') =>
  spawnSync(process.execPath, [main, 'run', ...args], { cwd: folder, encoding: 'utf8', env, input });

const piped = (...args: string[]) => runCli(['run', ...args], { cwd: folder, env: noKeys });

/** Runs the command against a server that plays these turns. */
async function against(turns: Parameters<typeof serveScripted>[0], args: readonly string[], terminal = fakeTerminal()) {
  const server = await serveScripted(turns);
  const flags = ['--base-url', `${server.url}/v1`, '--model', 'played', '--tools', tools];
  const code = runCommand([...flags, ...args], terminal).finally(() => server.close());
  return { terminal, code };
}

describe('toolmend run in a pipe', () => {
  it('S1.6 plays a script where no key is set, says so, and writes plain lines into a pipe', () => {
    const { stdout, stderr, status } = process_(['--tools', 'tools.mjs', 'go']);
    expect(stderr).toMatch(/^Using a scripted model/);
    expect(stdout).toContain('✗ look {}  refused: validation\n');
    expect(stdout).toMatch(/✓ look \{"at":"\(at\)"\} {2}mended, \d+ ms\n/);
    expect(stdout).toMatch(/done after 3 turns: 2 calls, 1 mended, 1 refused\n$/);
    expect(stdout).not.toContain('\u001b');
    expect(status).toBe(0);
  });

  it('reads the prompt from a pipe, and writes one event a line with --json', () => {
    const { stdout, status } = process_(['--json', '--tools', 'tools.mjs'], 'go\n');
    const events = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events.find(({ type }) => type === 'message.added').message.parts).toEqual([{ type: 'text', text: 'go' }]);
    expect(events.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['call.refused', 'call.mended', 'tool.finished']),
    );
    expect(events.at(-1)).toMatchObject({ type: 'run.ended', end: 'done' });
    expect(status).toBe(0);
  });

  it('a call that needs approval waits without a terminal, and the exit code says so', async () => {
    const { stdout, stderr, status } = process_(['go']);
    expect(stdout).toContain('A call is waiting for approval');
    expect(stderr).toContain('Allow it with --allow RULE or --mode auto');
    expect(status).toBe(1);
    expect(await piped('--mode', 'auto', 'go')).toMatchObject({ status: 0 });
    expect((await piped('--mode', 'readonly', 'go')).stdout).toContain('only read-only tools may run here');
    const rules = ['--allow', 'write_file(path=src/*)', '--deny', 'fs_*', '--deny', 'delete_*'];
    expect(await piped(...rules, 'go')).toMatchObject({ status: 0 });
  });

  it('says of definitions that nothing can run them', async () => {
    const definition = {
      name: 'see',
      description: 'Sees',
      inputSchema: { type: 'object' },
      annotations: { readOnlyHint: true },
    };
    file('tools.json', JSON.stringify([definition]));
    const { stdout, stderr } = await piped('--tools', 'tools.json', 'go');
    expect(stderr).toContain('tools.json has definitions without code');
    expect(stdout).toContain("The tool 'see' has neither execute nor an executor");
  });

  const expectWrongUse = async (given: readonly string[], words: RegExp) => {
    const args = given.map((word) => (word.startsWith('@') ? join(folder, word.slice(1)) : word));
    file('empty.mjs', 'export const nothing = [];');
    file(
      'twice.mjs',
      `const t = (name) => ({ name, description: 'T', execute() {} }); export default [t('a_b'), t('a-b')];`,
    );
    const terminal = fakeTerminal({ tty: false });
    terminal.input.push(null);
    await expect(runCommand(args, terminal)).rejects.toThrow(words);
    await expect(runCommand(args, terminal)).rejects.toBeInstanceOf(UsageError);
    expect(terminal.text()).toBe('');
  };
  it.each([
    [['--mode', 'x', 'go'], /^Unknown mode 'x'\. Expected one of: auto, ask, readonly$/],
    [['--model', 'm', 'go'], /^No API key for m\./],
    [['--provider', 'ollama', 'go'], /^Missing --model, a model of Ollama/],
    [['--provider', 'toString', 'go'], /^Unknown provider 'toString'/],
    [['--max-steps', '0', 'go'], /^Invalid --max-steps '0': expected an integer of 1 or more$/],
    [['--tools', '@none.mjs', 'go'], /none.mjs: no such file$/],
    [['--tools', '@empty.mjs', 'go'], /empty.mjs: no exported tools found/],
    [['--tools', '@twice.mjs', 'go'], /twice.mjs: .*a-b/],
    [['--store', '@', 'go'], /can't open the store/],
    [[], /^Missing PROMPT/],
  ])('%j is a wrong use', expectWrongUse);
  it.each([
    [['--provider', 'openai', '--model', 'm', 'go'], /^OPENAI_API_KEY is not set/],
    [['--dialect', 'klingon', 'go'], /There is no dialect 'klingon'/],
    [['--allow', '((', 'go'], /permission rule/],
  ])('guard: %j is a wrong use', expectWrongUse);
});

describe('toolmend run in a terminal', () => {
  const put = (at: string) => ({ calls: [{ name: 'put', arguments: JSON.stringify({ at }) }] });

  it('asks before a call that may change something: once, always, no with a reason, and with other arguments', async () => {
    const { terminal, code } = await against([put('a'), put('b'), put('c'), put('d'), 'Done.'], ['go']);
    await terminal.until('? WRITES put wants to run: it may change something');
    await terminal.until('› ');
    terminal.type('what\r');
    await terminal.until('Type y, a, n or e');
    await terminal.until('› ');
    terminal.type('y\r');
    await terminal.until('put a');
    await terminal.until('e edit › ');
    terminal.type('apply\r');
    await terminal.until('Type y, a, n or e');
    await terminal.until('› ');
    terminal.type('n\r');
    await terminal.until('Reason (sent to the model)');
    terminal.type('not there\r');
    await terminal.until('The call was not allowed: not there');
    await terminal.until('e edit › ');
    terminal.type('e\r');
    await terminal.until('{"at":"c"}');
    terminal.type('\u0015{at: "elsewhere"}\r');
    await terminal.until('put elsewhere');
    await terminal.until('e edit › ');
    terminal.type('a\r');
    expect(await code).toBe(0);
    expect(terminal.text()).toContain('✓ put {"at":"elsewhere"}  edited');
    expect(terminal.text()).toContain('done after 5 turns: 4 calls, 1 denied');
  });

  it.each([
    'a different file, please',
    'a no',
    'y? what does it do',
    'yes but only for /tmp',
    'Yes no',
    'y n',
    'always ask me',
    'a.',
    'y-',
    'e {"at": "b"}',
    'yess',
    'ok',
    '1',
    '\u0443',
    '',
  ])('is no answer, and is asked again: %j', async (typed) => {
    const { terminal, code } = await against([put('a'), 'Well.'], ['go']);
    await terminal.until('e edit › ');
    terminal.type(`${typed}\r`);
    await terminal.until('Type y, a, n or e');
    await terminal.until('e edit › ');
    terminal.type('n because\r');
    expect(await code).toBe(0);
    expect(terminal.text()).toContain('The call was not allowed: because');
  });

  it.each(['y', 'Y', ' yes ', 'YES', 'a', 'always'])('guard: is a yes: %j', async (typed) => {
    const { terminal, code } = await against([put('a'), 'Done.'], ['go']);
    await terminal.until('e edit › ');
    terminal.type(`${typed}\r`);
    expect(await code).toBe(0);
    expect(terminal.text()).toContain('done after 2 turns: 1 call\n');
  });

  it('takes a reason beside the no', async () => {
    const { terminal, code } = await against([put('a'), 'Well.'], ['go']);
    await terminal.until('e edit › ');
    terminal.type('No Not Now\r');
    expect(await code).toBe(0);
    expect(terminal.text()).toContain('The call was not allowed: Not Now');
  });

  it('an answer of always holds for the rest of the run', async () => {
    const { terminal, code } = await against([put('a'), put('b'), 'Done.'], ['go']);
    await terminal.until('e edit › ');
    terminal.type('a\r');
    expect(await code).toBe(0);
    expect(terminal.text().match(/wants to run/g)).toHaveLength(1);
  });

  it('shows calls that go through their states in place, and reasoning dimmed', async () => {
    const { terminal, code } = await against(
      [
        {
          reasoning: 'Hm.',
          text: 'I look.',
          calls: [{ name: 'Look', arguments: "{at: '日本', times: '2',}" }],
          chunk: 4,
        },
        'Two.',
      ],
      ['go'],
    );
    expect(await code).toBe(0);
    const written = terminal.written();
    expect(written).toContain('\u001b[2mHm.');
    expect(terminal.text()).toMatch(/● look .* running/);
    expect(terminal.text()).toContain("◌ Look {at: '日本', times: '2',}  23 characters");
    expect(written).toContain('\u001b[2A\u001b[J');
    expect(terminal.text()).toMatch(/✓ look \{"at":"日本","times":2\} {2}mended/);
    expect(terminal.text()).toContain('~ times: changed the type, "2" → 2 (inferred)');
  });

  it('Ctrl-C stops what is under way, and every call still has its result; at once again it ends', async () => {
    const { terminal, code } = await against([{ calls: [{ name: 'wait', arguments: '{}' }] }, 'Never.'], ['go']);
    await terminal.until('running');
    terminal.interrupt();
    expect(await code).toBe(130);
    expect(terminal.text()).toContain('✗ wait {}  failed: aborted');
    expect(terminal.exits).toEqual([]);
    const again = await against([{ calls: [{ name: 'wait', arguments: '{}' }] }, 'Never.'], ['go']);
    await again.terminal.until('running');
    again.terminal.interrupt();
    again.terminal.interrupt();
    expect(again.terminal.exits).toEqual([130]);
    await again.code;
  });

  it('Ctrl-C at a question stops the run, and the call did not run', async () => {
    const { terminal, code } = await against([put('a'), 'Never.'], ['go']);
    await terminal.until('e edit › ');
    terminal.type('\u0003');
    expect(await code).toBe(130);
    expect(terminal.text()).toContain('? put {"at":"a"}  settled');
  });

  it('without a prompt it is a conversation that remembers', async () => {
    const { terminal, code } = await against(
      (question) => `I heard ${question.messages.filter(({ role }) => role === 'user').length}.`,
      [],
    );
    await terminal.until('› ');
    terminal.type('one\r');
    await terminal.until('I heard 1.');
    await terminal.until('› ');
    terminal.type('\r');
    await terminal.until('› ');
    terminal.type('two\r');
    await terminal.until('I heard 2.');
    await terminal.until('› ');
    terminal.type('\u0004');
    expect(await code).toBe(0);
  });

  it('F24 control codes of a model or a tool never reach the terminal', async () => {
    const { terminal, code } = await against(
      [{ text: 'So \u001b[2J', calls: [{ name: 'look', arguments: '{"at": "\\u001b]0;x\\u0007"}' }] }, '\u001b[31mred'],
      ['go'],
      fakeTerminal({ env: { NO_COLOR: '1', TERM: 'dumb' } }),
    );
    expect(await code).toBe(0);
    expect(terminal.written()).not.toContain('\u001b');
    expect(terminal.written()).toContain('\\u001b[2J');
  });

  it.each([24, 40, 64])('keeps to %i columns, wide characters too', async (columns) => {
    const { terminal, code } = await against(
      [
        {
          text: '見てみます '.repeat(6),
          calls: [{ name: 'look', arguments: `{at: '${'長い'.repeat(40)}', times: '3', more: 1}` }],
        },
        'Ja.',
      ],
      ['go'],
      fakeTerminal({ columns }),
    );
    expect(await code).toBe(0);
    for (const line of terminal.text().split('\n'))
      expect(columnsOf(line.trimEnd()), line).toBeLessThanOrEqual(columns);
  });
});
