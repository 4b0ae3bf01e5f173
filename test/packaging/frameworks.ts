/**
 * Installs the packed package next to each supported version of the frameworks, and runs one mended call through it. Next to
 * unsupported versions, the installation must succeed and the adapter must say what it requires.
 *
 *     node test/packaging/frameworks.ts PACKAGE_FOLDER [NAME…]
 */
import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

interface Row {
  readonly name: string;
  /** The program in `frameworks/`, which prints what the tool got. */
  readonly program: 'ai-sdk' | 'langchain' | 'openai-agents' | 'mcp';
  readonly packages: readonly string[];
  /** What the error of an unsupported version says. */
  readonly error?: RegExp;
}

const rows: readonly Row[] = [
  {
    name: 'ai-4',
    program: 'ai-sdk',
    packages: ['ai@4', '@ai-sdk/openai@1', 'zod@3'],
    error: /requires AI SDK 5, 6 or 7/,
  },
  { name: 'ai-5', program: 'ai-sdk', packages: ['ai@5', '@ai-sdk/openai@2', 'zod@4'] },
  { name: 'ai-6', program: 'ai-sdk', packages: ['ai@6', '@ai-sdk/openai@3', 'zod@4'] },
  { name: 'ai-7', program: 'ai-sdk', packages: ['ai@7', '@ai-sdk/openai@4', 'zod@4'] },
  {
    name: 'langchain-0.2',
    program: 'langchain',
    packages: ['@langchain/core@0.2', '@langchain/openai@0.2', 'zod@3'],
    error: /requires @langchain\/core 0\.3/,
  },
  {
    name: 'langchain-0.3',
    program: 'langchain',
    packages: ['@langchain/core@^0.3.80', '@langchain/openai@0.6', 'zod@3'],
  },
  { name: 'langchain-1', program: 'langchain', packages: ['@langchain/core@1', '@langchain/openai@1', 'zod@4'] },
  { name: 'agents-0.0', program: 'openai-agents', packages: ['@openai/agents@0.0.17', 'zod@3'] },
  { name: 'agents-0.1', program: 'openai-agents', packages: ['@openai/agents@0.1', 'zod@3'] },
  { name: 'agents-0.5', program: 'openai-agents', packages: ['@openai/agents@0.5', 'zod@4'] },
  { name: 'agents-0.20', program: 'openai-agents', packages: ['@openai/agents@0.20', 'zod@4'] },
  { name: 'mcp-1.0', program: 'mcp', packages: ['@modelcontextprotocol/sdk@1.0'] },
  { name: 'mcp-1.13', program: 'mcp', packages: ['@modelcontextprotocol/sdk@1.13'] },
  { name: 'mcp-1', program: 'mcp', packages: ['@modelcontextprotocol/sdk@1'] },
  {
    name: 'mcp-2',
    program: 'mcp',
    packages: ['@modelcontextprotocol/client@2', '@modelcontextprotocol/server@2', 'zod@4'],
  },
];

const expected = '[{"path":"a.ts","lines":3}]';

async function check({ program, packages, error }: Row, tarball: string): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'toolmend-frameworks-'));
  const file = `${program}.mjs`;
  try {
    await writeFile(join(folder, 'package.json'), '{"type":"module","private":true}');
    await copyFile(join(import.meta.dirname, 'frameworks', file), join(folder, file));
    await run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...packages, tarball], {
      cwd: folder,
      timeout: 300_000,
    });
    const ended = await run(process.execPath, [file], { cwd: folder, timeout: 60_000 }).catch(
      (failed: { stdout: string; stderr: string; code: number | null }) => failed,
    );
    const { stdout, stderr } = ended;
    if (error) return error.test(stderr) ? undefined : `It doesn't say what it requires: ${stderr.slice(0, 2000)}`;
    const lines = stdout.trim().split('\n');
    const isRight = !('code' in ended) && lines.length > 0 && lines.every((line) => line === expected);
    return isRight ? undefined : `Expected ${expected}, got ${stdout}${stderr.slice(0, 2000)}`;
  } catch (failed) {
    return String(failed).slice(0, 2000);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const [packed = '', ...names] = process.argv.slice(2);
const tarball = resolve(packed, 'toolmend.tgz');
for (const row of rows.filter(({ name }) => names.length === 0 || names.includes(name))) {
  const fault = await check(row, tarball);
  console.log(`${row.name.padEnd(14)} ${fault ?? (row.error ? 'refused clearly' : 'mended')}`);
  if (fault !== undefined) process.exitCode = 1;
}
