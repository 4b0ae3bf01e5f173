import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { runCli } from '../../../test/cli/run-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'toolmend-check-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const main = join(import.meta.dirname, '../main.ts');

const check = (file: string, text?: string, ...options: string[]) => {
  if (text !== undefined) writeFileSync(join(folder, file), text);
  return runCli(['check', file, ...options], { cwd: folder });
};
const checkProcess = (file: string, text: string) => {
  writeFileSync(join(folder, file), text);
  const env = { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined };
  return spawnSync(process.execPath, [main, 'check', file], { cwd: folder, encoding: 'utf8', env });
};

const sound = {
  name: 'a',
  description: 'Does',
  inputSchema: { type: 'object', properties: { x: { type: 'string' } } },
};

describe('toolmend check', () => {
  it('guard: S3.3 names the line, the field and what to do', async () => {
    const { stdout, status } = await check(
      'tools.json',
      `{ "tools": [
  { "name": "a", "description": "Does",
    "inputSchema": { "type": "object",
      "properties": {
        "user": { "type": "object", "properties": {
          "address": { "type": "array", "items": { "type": "object", "properties": { "zip": {} } } }
        } }
      },
      "required": ["nope"] } }
] }`,
    );
    const lines = stdout.split('\n');
    expect(lines[0]).toMatch(/^tools\.json:6:\d+ {2}parameters\.properties\.user\.address\[\]\.zip\.type {2}.* — /);
    expect(lines[1]).toMatch(/^tools\.json:9:19 {2}parameters\.required {2}.*nope.* — /);
    expect(lines[2]).toBe('1 tool, 2 faults');
    expect(status).toBe(1);
  });

  it.each([
    ['finds no faults', JSON.stringify(sound), { stdout: '1 tool, no faults\n', stderr: '', status: 0 }],
    ['finds faults', '[{"name":"a"}]', { stderr: '', status: 1 }],
    [
      'reports a wrong use',
      '[]',
      { stdout: '', stderr: 'toolmend: process.json: no tool definitions found\n', status: 2 },
    ],
  ])('guard: %s as a process too', (_, text, said) => {
    expect(checkProcess('process.json', text)).toMatchObject(said);
  });

  const { inputSchema, ...rest } = sound;
  it.each([
    ['one definition', sound],
    ['a list', [sound]],
    ['the form of Anthropic', { tools: [{ ...rest, input_schema: inputSchema }] }],
    ['the form of OpenAI', [{ type: 'function', function: { ...rest, parameters: inputSchema } }]],
    ['the form of Gemini', { tools: [{ functionDeclarations: [{ ...rest, parameters: inputSchema }] }] }],
    ['an answer to tools/list', { result: { tools: [sound] } }],
  ])('guard: takes %s', async (_, value) => {
    const { stdout, status } = await check('sound.json', JSON.stringify(value));
    expect(stdout).toBe('1 tool, no faults\n');
    expect(status).toBe(0);
  });

  it('guard: finds names that a model would confuse', async () => {
    const { stdout } = await check('twins.json', JSON.stringify([sound, { ...sound, name: 'A' }, sound]));
    expect(stdout).toContain("'A' differs from 'a' only by case or separators");
    expect(stdout).toContain('3 tools, 2 faults');
  });

  it('guard: gives the faults as JSON', async () => {
    const { stdout, status } = await check('fault.json', '[{"name":"a"}]', '--json');
    expect(JSON.parse(stdout)).toContainEqual(
      expect.objectContaining({ file: 'fault.json', line: 1, column: 2, tool: 'a', field: 'description' }),
    );
    expect(status).toBe(1);
  });

  it.each([
    ['missing.json', undefined, 'toolmend: missing.json: no such file\n'],
    ['comma.json', '{\n  "a": 1,\n}', 'toolmend: comma.json:3:1: invalid JSON: unexpected "}"\n'],
    ['short.json', '[1,', 'toolmend: short.json:1:4: invalid JSON: unexpected end of file\n'],
    ['empty.json', '[]', 'toolmend: empty.json: no tool definitions found\n'],
  ])('reports %s in one line with exit code 2', async (file, text, words) => {
    const { stdout, stderr, status } = await check(file, text);
    expect({ stdout, stderr, status }).toEqual({ stdout: '', stderr: words, status: 2 });
  });

  const odd = {
    name: 'files.search',
    description: 'Searches',
    inputSchema: { type: 'object', properties: { url: { type: 'string', format: 'uri' }, n: { const: 3 } } },
  };

  it('C11 C14 says what each provider would refuse, with its line, and how it is lowered', async () => {
    const { stdout, status } = await check('odd.json', JSON.stringify([odd], null, 1), '--provider', 'all');
    expect(stdout).toContain(
      'odd.json:8:12  gemini  files.search  url  format described — the format "uri" is rejected\n',
    );
    expect(stdout).toContain(
      "openai  files.search  (root)  name rewritten — sent as 'files_search'; calls come back under the original name",
    );
    expect(stdout).toMatch(/^openai-strict +would reject 1 of 1: \d+ rewritten, 1 described$/m);
    expect(stdout).toMatch(/\n\n1 tool, no faults\n$/);
    expect(status).toBe(0);
  });

  it('says where nothing would be refused', async () => {
    const { stdout, status } = await check(
      'sound.json',
      JSON.stringify([sound, { ...sound, name: 'b' }]),
      '--provider',
      'gemini',
    );
    expect(stdout).toBe('gemini  accepts all 2 unchanged\n\n2 tools, no faults\n');
    expect(status).toBe(0);
  });

  it('guard: gives the lowered schemas as JSON', async () => {
    const { stdout } = await check('odd.json', undefined, '--provider', 'gemini', '--provider', 'plain', '--json');
    const { faults, lowered } = JSON.parse(stdout);
    expect(faults).toEqual([]);
    expect(lowered).toMatchObject([
      { file: 'odd.json', tool: 'files.search', provider: 'gemini', name: 'files.search', covers: true },
      { provider: 'plain', name: 'files_search', schema: { properties: { url: { description: 'Format: uri.' } } } },
    ]);
    expect(lowered[0].changes[0]).toMatchObject({
      line: 8,
      path: ['properties', 'url'],
      word: 'format',
      kind: 'described',
    });
  });

  it('lists the known providers for an unknown one', async () => {
    const { stderr, status } = await check('odd.json', undefined, '--provider', 'nobody');
    expect(stderr).toMatch(
      /^toolmend: Unknown provider 'nobody'\. Expected one of: all, openai, openai-strict, .*plain\n$/,
    );
    expect(status).toBe(2);
  });

  it('guard: F6 F14 a file nested a hundred thousand levels deep is a fault, not a crash', async () => {
    const deep = `${'{"type":"object","properties":{"a":'.repeat(100_000)}{}${'}}'.repeat(100_000)}`;
    const text = `{"name":"a","description":"b","inputSchema":${deep}}`;
    const { stdout, status } = await check('deep.json', text, '--provider', 'gemini');
    expect(stdout).toContain('nested more than');
    expect(status).toBe(1);
  });

  it('checks the tools that a module exports, of every framework', async () => {
    const file = join(import.meta.dirname, '../../../test/cli/framework-tools.ts');
    const { stdout, status } = await runCli(['check', '--json', file], { cwd: folder });
    const faults = JSON.parse(stdout) as { tool: string; field: string; line: number }[];
    expect(faults.map(({ tool, field }) => [tool, field]).sort()).toEqual([
      ['agent_broken', 'description'],
      ['ai_broken', 'parameters.properties.path.type'],
      ['chain_broken', 'parameters.properties.path.type'],
      ['chat_broken', 'parameters.properties.path.type'],
      ['mcp_shape', 'parameters.properties.at.type'],
      ['zod_broken', 'parameters.properties.at.type'],
    ]);
    const lines = readFileSync(file, 'utf8').split('\n');
    for (const { tool, line } of faults) expect(lines[line - 1]).toContain(tool);
    expect(status).toBe(1);
    const { stdout: shown } = await runCli(['check', '--provider', 'openai', file], { cwd: folder });
    expect(shown).toMatch(/12 tools, 6 faults\n$/);
  });

  it('says why a module can not be checked', async () => {
    const missing = await check('none.ts');
    expect([missing.status, missing.stderr]).toEqual([2, expect.stringContaining('none.ts: no such file')]);
    const empty = await check('empty.mjs', 'export const answer = 42;');
    expect([empty.status, empty.stderr]).toEqual([2, expect.stringContaining('no exported tools found')]);
    const broken = await check('broken.mjs', 'throw new Error("not today");');
    expect([broken.status, broken.stderr]).toEqual([2, expect.stringContaining("can't load the module: not today")]);
  });
});
