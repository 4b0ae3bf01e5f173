import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');

/** A folder of its own with a copy of the library: today's, or that of a commit. `dispose` removes it. */
export const copySource = (commit?: string): { readonly folder: string; dispose(): void } => {
  const folder = mkdtempSync(join(tmpdir(), 'toolmend-collisions-'));
  if (commit === undefined) cpSync(join(root, 'src'), join(folder, 'src'), { recursive: true });
  else {
    mkdirSync(join(folder, 'src'));
    const tar = execFileSync('git', ['archive', '--format=tar', commit, 'src'], { cwd: root, maxBuffer: 1 << 28 });
    execFileSync('tar', ['-x', '-C', folder], { input: tar });
  }
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}\n');
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return { folder, dispose: () => rmSync(folder, { recursive: true, force: true }) };
};
