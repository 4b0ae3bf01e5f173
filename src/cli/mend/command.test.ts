import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { runCli } from '../../../test/cli/run-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'toolmend-mend-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const main = join(import.meta.dirname, '../main.ts');
const env = { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined };

const definition = {
  name: 'read_file',
  description: 'Reads a file',
  inputSchema: {
    type: 'object',
    properties: { path: { type: 'string' }, limit: { type: 'number' } },
    required: ['path'],
  },
};
writeFileSync(join(folder, 'tools.json'), JSON.stringify([definition, { ...definition, name: 'write_file' }]));
writeFileSync(join(folder, 'tool.json'), JSON.stringify(definition));
writeFileSync(join(folder, 'schema.json'), JSON.stringify({ type: 'array', items: { type: 'number' } }));

const run = (args: string[], input = '') => runCli(['mend', ...args], { cwd: folder, input });
const runProcess = (args: string[], input = '') =>
  spawnSync(process.execPath, [main, 'mend', ...args], { cwd: folder, encoding: 'utf8', env, input });

describe('toolmend mend', () => {
  it.each([
    ['any text', ["{path: 'a.ts',}"], '', '{"path":"a.ts"}\n'],
    ['standard input', [], '[1,2,]', '[1,2]\n'],
    [
      'a call by its name',
      ['--tools', 'tools.json', '--name', 'read_file', "{path: 'a.ts',}"],
      '',
      '{"path":"a.ts"}\n',
    ],
    ['the only tool of a file', ['--tools', 'tool.json', '{"path":"a"}'], '', '{"path":"a"}\n'],
    ['a whole call', ['--tools', 'tools.json', '{name: "read_file", "arguments": {"path":"a"}}'], '', '{"path":"a"}\n'],
    ['a text by a schema', ['--schema', 'schema.json', '[1, 2'.concat(',]')], '', '[1,2]\n'],
  ])('writes only the mended JSON into a pipe: %s', async (_, args, input, stdout) => {
    expect(await run(args, input)).toMatchObject({ stdout, stderr: '', status: 0 });
  });

  it.each([
    ['mends', '[1,2,]', [], { stdout: '[1,2]\n', stderr: '', status: 0 }],
    ['refuses', '{', ['--tools', 'tool.json'], { stdout: '', status: 1 }],
    ['reports a wrong use', '', ['--name', 'x', '{}'], { stdout: '', status: 2 }],
  ])('guard: %s as a process too', (_, input, args, said) => {
    expect(runProcess(args, input)).toMatchObject(said);
  });

  it('S4.1 an invalid call writes its feedback to standard error and exits with 1', async () => {
    expect(await run(['--tools', 'tool.json', '{"limit":5}'])).toMatchObject({
      stdout: '',
      stderr: `Parameter validation failed:

1. Field 'path' is required but missing

Please fix the parameters and try again.
`,
      status: 1,
    });
  });

  it('C1 --tries raises the feedback', async () => {
    const { stderr } = await run(['--tools', 'tool.json', '--tries', '3', '{"limit":5}']);
    expect(stderr).toContain('"path": (missing)  ← is required but missing');
    expect(stderr).toContain('{"limit":5,"path":"<path>"}');
  });

  it('C2 a text cut off is refused', async () => {
    const args = ['--tools', 'tools.json', '--name', 'write_file', '--finish-reason', 'length', '{"path": "a'];
    const { stderr, stdout, status } = await run(args);
    expect(stderr).toContain('was cut off by the output token limit');
    expect({ stdout, status }).toEqual({ stdout: '', status: 1 });
  });

  it('--json gives the whole outcome', async () => {
    const { stdout } = await run(['--tools', 'tool.json', '--json', '{path: "a"}']);
    const outcome = JSON.parse(stdout);
    expect(outcome).toMatchObject({ status: 'mended', name: 'read_file', input: { path: 'a' }, problems: [] });
    expect(outcome.repairs[0]).toMatchObject({ path: ['path'], kind: 'quote', certainty: 'lossless' });
  });

  it.each([
    ['a tool that is not said', ['--tools', 'tools.json', '{"path":"a"}'], /Missing tool name\. Use --name/],
    ['a file that is not there', ['--tools', 'none.json', '{}'], /none\.json: no such file/],
    ['--name alone', ['--name', 'x', '{}'], /--name requires --tools/],
    ['two texts', ['{a:', '1}'], /Expected one TEXT, got 2/],
    ['an unknown option', ['--tool', 'x'], /Unknown option '--tool'/],
    ['--tries without sense', ['--tries', 'x', '{}'], /Invalid --tries 'x': expected an integer of 1 or more/],
  ])('reports %s in one line with exit code 2', async (_, args, words) => {
    const { stdout, stderr, status } = await run(args);
    expect(stderr).toMatch(words);
    expect(stderr.trimEnd()).not.toContain('\n');
    expect({ stdout, status }).toEqual({ stdout: '', status: 2 });
  });

  it('--help shows how it is used', async () => {
    expect(await run(['--help'])).toMatchObject({
      stdout: expect.stringContaining('toolmend mend [OPTIONS] [TEXT]'),
      status: 0,
    });
  });

  it('a reader that leaves early ends it quietly', async () => {
    const child = spawn(process.execPath, [main, 'mend', '--jsonl'], { env });
    const line = `${JSON.stringify({ id: 1, tools: [definition], name: 'read_file', arguments: '{"path":"a"}' })}\n`;
    child.stdin.on('error', () => {});
    let stderr = '';
    child.stderr.on('data', (data) => {
      stderr += data;
    });
    child.stdout.once('data', () => child.stdout.destroy());
    for (let count = 0; count < 2000; count++) child.stdin.write(line);
    child.stdin.end();
    const code = await new Promise((resolve) => child.on('close', resolve));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });
});
