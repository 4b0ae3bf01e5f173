import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { bundle } from '../../scripts/bundle.ts';

const root = join(import.meta.dirname, '../..');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** Every package of a framework, and the entries with those of them that each may load. */
const frameworks =
  /^(?:ai|langchain|openai|ollama|@ai-sdk\/.+|@langchain\/.+|@openai\/agents.*|@anthropic-ai\/sdk|@google\/genai)$/;
const entries: Record<string, RegExp> = {
  sdk: /^$/,
  'ai-sdk': /^$/,
  langchain: /^(?:langchain|@langchain\/.+)$/,
  'openai-agents': /^@openai\/agents.*$/,
};

/** What an entry loads of the frameworks, told by a hook that sees every import. */
function loads(entry: string): string[] {
  const script = `
    import { registerHooks } from 'node:module';
    const seen = new Set();
    registerHooks({
      resolve(name, context, next) {
        const [scope, part] = name.split('/');
        const own = !context.parentURL?.includes('/node_modules/');
        if (own && !/^[./]|^node:|^file:/.test(name)) seen.add(scope.startsWith('@') ? scope + '/' + part : scope);
        return next(name, context);
      },
    });
    await import(${JSON.stringify(pathToFileURL(entry).href)});
    console.log(JSON.stringify([...seen]));`;
  const args = ['--input-type=module', '--disable-warning=ExperimentalWarning', '-e', script];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
  return (JSON.parse(stdout) as string[]).filter((name) => frameworks.test(name));
}

describe('the adapters', () => {
  const there = Object.entries(entries).filter(([name]) => existsSync(join(root, `src/adapter/${name}/index.ts`)));

  it.each(there)('%s imports only its own framework', (name, may) => {
    const foreign = loads(join(root, `src/adapter/${name}/index.ts`)).filter((one) => !may.test(one));
    expect(foreign).toEqual([]);
  });

  it.each(['sdk', 'ai-sdk'])('guard: %s loads without Node, as the SDKs do', async (name) => {
    const code = await bundle(`src/adapter/${name}/index.ts`, 'all');
    expect(code).not.toMatch(/\b(?:from|import)\s*\(?["']node:|\bBuffer\b/);
  });

  it.each(['src/index.ts', 'src/run/index.ts', 'src/proxy/index.ts'])('%s loads no framework', (entry) => {
    expect(loads(join(root, entry))).toEqual([]);
  });

  it('the package installs no framework, and lists each as a peer', () => {
    expect(Object.keys(manifest.dependencies).filter((name) => frameworks.test(name))).toEqual([]);
    const asked = Object.keys(manifest.peerDependencies).filter((name) => frameworks.test(name));
    expect(asked).toContain('ai');
    for (const name of asked) expect(manifest.peerDependenciesMeta[name]).toEqual({ optional: true });
  });
});
