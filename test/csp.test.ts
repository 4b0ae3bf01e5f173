import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundle } from '../scripts/bundle.ts';

const folder = mkdtempSync(join(tmpdir(), 'toolmend-csp-'));
let code = '';

beforeAll(async () => {
  code = await bundle('src/index.ts', 'all');
  writeFileSync(join(folder, 'toolmend.js'), code);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a module beside the bundle, in a Node that forbids code from strings as a strict CSP does. */
const runStrict = (module: string): unknown => {
  const path = join(folder, 'page.mjs');
  writeFileSync(path, module);
  const output = execFileSync(process.execPath, ['--disallow-code-generation-from-strings', path], {
    encoding: 'utf8',
    stdio: 'pipe',
  });
  return JSON.parse(output);
};

describe('the root entry in a browser', () => {
  it('is bundled without any import of Node', () => {
    expect(code).not.toMatch(/\b(?:from|import|require)\s*\(?\s*["'`](?:node:|fs|path|url|module)/);
  });

  it('cannot make code from strings here, or the next test would say nothing', () => {
    expect(
      runStrict(`
        try { new Function('return 1')(); console.log('"made"'); }
        catch (error) { console.log(JSON.stringify(error.name)); }`),
    ).toBe('EvalError');
  });

  it('mends and refuses under a strict CSP', () => {
    const outcomes = runStrict(`
      import { mend, tool, Toolbox } from './toolmend.js';
      const toolbox = new Toolbox();
      toolbox.add(tool({
        name: 'read_file',
        description: 'Reads a file',
        inputSchema: {
          type: 'object',
          properties: { path: { type: 'string', pattern: '^[a-z.]+$' }, limit: { type: 'integer', minimum: 1 } },
          required: ['path'],
        },
        execute: () => '',
      }));
      const calls = [
        { name: 'read_file', arguments: "{'path': 'a.txt', limit: '5',}" },
        { name: 'read_file', arguments: '{"limit": 0}' },
      ];
      console.log(JSON.stringify(calls.map((call) => {
        const { status, input, problems } = mend(call, toolbox);
        return { status, input, codes: problems.map((problem) => problem.code).sort() };
      })));`);
    expect(outcomes).toEqual([
      { status: 'mended', input: { path: 'a.txt', limit: 5 }, codes: [] },
      { status: 'invalid', input: { limit: 0 }, codes: ['minimum', 'required'] },
    ]);
  });
});
