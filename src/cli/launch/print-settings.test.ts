import { expect, it } from 'vitest';
import { shellCommands } from './print-settings.ts';

const settings = {
  env: { MODEL: 'qwen3:30b', NAME: "it's $HOME", OLD: undefined },
  args: ['--config', '/tmp/a b/config.yaml'],
  files: { 'config.yaml': '{"a": "it\'s"}\n', '.gemini/settings.json': '{}\n' },
};
const printed = {
  ...{ proxy: ['toolmend', 'proxy', '--upstream', 'http://127.0.0.1:8000'], folder: '/tmp/a b', settings },
  command: ['cn', ...settings.args],
};

it('prints commands for a POSIX shell', () => {
  expect(shellCommands(printed, 'linux')).toBe(`# Start the proxy in another terminal:
# toolmend proxy --upstream http://127.0.0.1:8000
mkdir -p '/tmp/a b' && chmod 700 '/tmp/a b'
mkdir -p '/tmp/a b/.gemini' && chmod 700 '/tmp/a b/.gemini'
printf '%s' '{"a": "it'\\''s"}
' > '/tmp/a b/config.yaml'
printf '%s' '{}
' > '/tmp/a b/.gemini/settings.json'
export MODEL=qwen3:30b
export NAME='it'\\''s $HOME'
unset OLD
# Start the agent:
# cn --config '/tmp/a b/config.yaml'
`);
});

it('prints commands for PowerShell on Windows', () => {
  const text = shellCommands({ ...printed, folder: 'C:\\Temp\\a b' }, 'win32');
  expect(text).toContain("New-Item -ItemType Directory -Force 'C:\\Temp\\a b\\.gemini' | Out-Null\n");
  expect(text).toContain("Set-Content -NoNewline -Path 'C:\\Temp\\a b\\config.yaml' -Value '{\"a\": \"it''s\"}\n'\n");
  expect(text).toContain("$env:NAME = 'it''s $HOME'\n");
  expect(text).toContain('Remove-Item Env:OLD -ErrorAction Ignore\n');
});
