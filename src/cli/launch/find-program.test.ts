import { describe, expect, it } from 'vitest';
import { findProgram, invocationOf, type Machine, searchFolders } from './find-program.ts';

const machine = (platform: NodeJS.Platform, files: Readonly<Record<string, string>>, env = {}): Machine => ({
  platform,
  env,
  home: platform === 'win32' ? 'C:\\Users\\ann' : '/home/ann',
  isProgram: (file) => Object.hasOwn(files, file),
  read: (file) => files[file] ?? '',
});

const unix = { PATH: '/usr/bin:/opt/tools' };
const windows = { Path: 'C:\\Windows;"C:\\Program Files\\nodejs"', APPDATA: 'C:\\Users\\ann\\AppData\\Roaming' };
const npm = 'C:\\Users\\ann\\AppData\\Roaming\\npm';

describe('a program', () => {
  it.each<[string, NodeJS.Platform, object, string[], string | undefined]>([
    ['in the path', 'linux', unix, ['/opt/tools/claude'], '/opt/tools/claude'],
    [
      'where its installer puts it',
      'linux',
      unix,
      ['/home/ann/.claude/local/claude'],
      '/home/ann/.claude/local/claude',
    ],
    ['from Homebrew', 'darwin', unix, ['/opt/homebrew/bin/claude'], '/opt/homebrew/bin/claude'],
    ['from Homebrew, on Linux', 'linux', unix, ['/opt/homebrew/bin/claude'], undefined],
    ['first in the path', 'linux', unix, ['/home/ann/.local/bin/claude', '/usr/bin/claude'], '/usr/bin/claude'],
    ['without a path', 'linux', {}, ['/home/ann/.local/bin/claude'], '/home/ann/.local/bin/claude'],
    ['from npm on Windows', 'win32', windows, [`${npm}\\claude`, `${npm}\\claude.cmd`], `${npm}\\claude.cmd`],
    ['for Windows', 'win32', windows, ['C:\\Windows\\claude.exe'], 'C:\\Windows\\claude.exe'],
    [
      ...(['for Windows before a script', 'win32', windows] as const),
      ...([[`${npm}\\claude.cmd`, `${npm}\\claude.exe`], `${npm}\\claude.exe`] as [string[], string]),
    ],
    ['that is missing', 'win32', windows, [`${npm}\\claude`], undefined],
  ])('%s', (_, platform, env, files, expected) => {
    const all = Object.fromEntries(files.map((file) => [file, '']));
    expect(findProgram('claude', ['.local/bin', '.claude/local'], machine(platform, all, env))).toBe(expected);
  });

  it('is not searched in an empty folder name, which would be the current folder', () => {
    expect(searchFolders(machine('linux', {}, { PATH: '::/usr/bin:' }), [])).toEqual(['/usr/bin']);
    expect(searchFolders(machine('win32', {}, windows), [])).toEqual(['C:\\Windows', 'C:\\Program Files\\nodejs', npm]);
  });
});

const shim = (last: string): string =>
  [
    '@ECHO off',
    'GOTO start',
    ':find_dp0',
    'SET dp0=%~dp0',
    'EXIT /b',
    ':start',
    'SETLOCAL',
    'CALL :find_dp0',
    '',
    'IF EXIST "%dp0%\\node.exe" (',
    '  SET "_prog=%dp0%\\node.exe"',
    ') ELSE (',
    '  SET "_prog=node"',
    '  SET PATHEXT=%PATHEXT:;.JS;=;%',
    ')',
    '',
    last,
    '',
  ].join('\r\n');

describe('the .cmd file of npm', () => {
  const cmd = `${npm}\\claude.cmd`;
  const args = ['-p', 'say "hi" & del *', '%PATH%'];

  it.each([
    [
      'starts a script with Node',
      'endLocal & goto #_undefined_# 2>NUL || title %COMSPEC% & "%_prog%"  "%dp0%\\node_modules\\x\\cli.js" %*',
      { file: process.execPath, args: [`${npm}\\node_modules\\x\\cli.js`, ...args] },
    ],
    [
      'starts a script with flags',
      '"%_prog%" --no-warnings=x --y "%dp0%\\node_modules\\x\\cli" %*',
      { file: process.execPath, args: ['--no-warnings=x', '--y', `${npm}\\node_modules\\x\\cli`, ...args] },
    ],
    [
      'starts a program',
      '"%dp0%\\node_modules\\x\\bin\\x.exe"   %*',
      { file: `${npm}\\node_modules\\x\\bin\\x.exe`, args },
    ],
    [
      'of pnpm',
      '  "%~dp0\\node.exe"  "%~dp0\\..\\x\\cli.mjs" %*',
      { file: process.execPath, args: [`${npm.replace(/\\npm$/, '')}\\x\\cli.mjs`, ...args] },
    ],
  ])('%s: the program runs without a shell', (_, last, expected) => {
    expect(invocationOf(cmd, args, machine('win32', { [cmd]: shim(last) }, windows))).toEqual({
      ...expected,
      verbatim: false,
    });
  });

  it('uses the Node beside it', () => {
    const node = `${npm}\\node.exe`;
    const files = { [cmd]: shim('"%_prog%"  "%dp0%\\cli.js" %*'), [node]: '' };
    expect(invocationOf(cmd, [], machine('win32', files, windows)).file).toBe(node);
  });

  it('of another kind runs in a shell that interprets no argument', () => {
    const files = { [cmd]: '@echo off\r\ncall something %*\r\n' };
    const { file, args: line, verbatim } = invocationOf(cmd, args, machine('win32', files, windows));
    expect({ file, verbatim, flags: line.slice(0, 3) }).toEqual({
      file: 'cmd.exe',
      verbatim: true,
      flags: ['/d', '/s', '/c'],
    });
    // Twice, because the shell reads the arguments again when it starts the file.
    expect(line[3]).toContain('^^^&^^^ del^^^ ^^^*');
    expect(line[3]).toContain('^^^%PATH^^^%');
  });

  it.each<[NodeJS.Platform, string]>([
    ['linux', '/usr/bin/claude'],
    ['linux', '/usr/bin/claude.cmd'],
    ['win32', 'C:\\Windows\\claude.exe'],
  ])('is not needed on %s for %s', (platform, file) => {
    expect(invocationOf(file, args, machine(platform, {}))).toEqual({ file, args, verbatim: false });
  });
});
