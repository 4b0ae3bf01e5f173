import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { shellCommands } from './print-settings.ts';

const settings = {
  env: { MODEL: 'qwen3:30b', NAME: "it's $HOME", OLD: undefined },
  args: ['--config', '/tmp/a b/config.yaml'],
  files: { 'config.yaml': '{"a": "it\'s"}\n', '.gemini/settings.json': '{}\n' },
};
const printed = {
  proxy: ['toolmend', 'proxy', '--upstream', 'http://127.0.0.1:8000'],
  folder: '/tmp/a b',
  settings,
  command: ['cn', ...settings.args],
};

it('prints commands for a POSIX shell', () => {
  expect(shellCommands(printed, 'linux')).toBe(`# Start the proxy in another terminal:
# toolmend proxy --upstream http://127.0.0.1:8000
{ [ -d '/tmp/a b' ] && [ ! -L '/tmp/a b' ] && [ -O '/tmp/a b' ] || mkdir -m 700 '/tmp/a b'; } &&
mkdir -p '/tmp/a b/.gemini' &&
printf '%s' '{"a": "it'\\''s"}
' > '/tmp/a b/config.yaml' &&
printf '%s' '{}
' > '/tmp/a b/.gemini/settings.json' &&
export MODEL=qwen3:30b &&
export NAME='it'\\''s $HOME' &&
unset OLD
# Start the agent:
# cn --config '/tmp/a b/config.yaml'
`);
});

it('prints commands for PowerShell on Windows', () => {
  const text = shellCommands({ ...printed, folder: 'C:\\Temp\\a b' }, 'win32');
  expect(text).toContain("New-Item -ItemType Directory -Force -ErrorAction Stop 'C:\\Temp\\a b\\.gemini' | Out-Null\n");
  expect(text).toContain("Set-Content -NoNewline -Path 'C:\\Temp\\a b\\config.yaml' -Value '{\"a\": \"it''s\"}\n'\n");
  expect(text).toContain("$env:NAME = 'it''s $HOME'\n");
  expect(text).toContain('Remove-Item Env:OLD -ErrorAction Ignore\n');
});

describe('the folder of the files, in a POSIX shell', () => {
  const root = (): string => {
    const folder = mkdtempSync(join(tmpdir(), 'print-settings-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    return folder;
  };
  const run = (folder: string, uid?: number) =>
    spawnSync('sh', ['-c', `${shellCommands({ ...printed, folder }, 'linux')}echo "$MODEL"`], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH },
      ...(uid !== undefined && { uid, gid: uid }),
    });

  it('guard: is private, and can be used again', () => {
    const folder = join(root(), 'own');
    for (const _ of [1, 2]) expect(run(folder).stdout).toBe('qwen3:30b\n');
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(readFileSync(join(folder, '.gemini/settings.json'), 'utf8')).toBe('{}\n');
  });

  it('is never a link, or that of another user, and then nothing is written or set', () => {
    const place = root();
    mkdirSync(join(place, 'other'));
    symlinkSync(join(place, 'other'), join(place, 'link'));
    expect(run(join(place, 'link')).stdout).toBe('\n');
    expect(existsSync(join(place, 'other/config.yaml'))).toBe(false);
    // Only root can become another user.
    if (process.getuid?.() !== 0) return;
    expect(spawnSync('chmod', ['-R', '777', place]).status).toBe(0);
    expect(run(join(place, 'other'), 65_534).stdout).toBe('\n');
    expect(existsSync(join(place, 'other/config.yaml'))).toBe(false);
  });
});
