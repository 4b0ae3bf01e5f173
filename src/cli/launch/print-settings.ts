import { posix, win32 } from 'node:path';
import type { AgentSettings } from './agents.ts';

/** How to connect an agent to a proxy that you start yourself. */
export interface PrintedSettings {
  /** The command that starts the proxy. */
  readonly proxy: readonly string[];
  /** The folder of the files. Its name must not be predictable, because others may write to the folder that it is in. */
  readonly folder: string;
  readonly settings: AgentSettings;
  /** The command that starts the agent. */
  readonly command: readonly string[];
}

/** The settings as commands of a POSIX shell, or of PowerShell on Windows. */
export function shellCommands(printed: PrintedSettings, platform: NodeJS.Platform): string {
  const shell = platform === 'win32' ? powershell : posixShell;
  const { proxy, folder, settings, command } = printed;
  const { join, dirname } = platform === 'win32' ? win32 : posix;
  const files = Object.entries(settings.files);
  const inner = new Set(files.map(([name]) => dirname(join(folder, name))).filter((one) => one !== folder));
  const commands = [
    ...(files.length > 0 ? [shell.ownFolder(folder)] : []),
    ...[...inner].map(shell.folder),
    ...files.map(([name, text]) => shell.file(join(folder, name), text)),
    ...Object.entries(settings.env).map(([name, value]) => shell.variable(name, value)),
  ];
  return [
    '# Start the proxy in another terminal:',
    `# ${shellLine(proxy, platform)}`,
    ...(commands.length > 0 ? [commands.join(shell.separator)] : []),
    '# Start the agent:',
    `# ${shellLine(command, platform)}`,
    '',
  ].join('\n');
}

/** A command line of this system's shell. */
export const shellLine = (words: readonly string[], platform: NodeJS.Platform = process.platform): string =>
  words.map((platform === 'win32' ? powershell : posixShell).word).join(' ');

interface Shell {
  readonly word: (text: string) => string;
  readonly variable: (name: string, value: string | undefined) => string;
  /** Creates a folder that only this user can read, or fails if another user has created it. */
  readonly ownFolder: (path: string) => string;
  readonly folder: (path: string) => string;
  /** Between commands, so that none runs after one that failed. */
  readonly separator: string;
  readonly file: (path: string, text: string) => string;
}

const inQuotes = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
const isPlain = /^[\w@%+=:,./-]+$/;

const posixShell: Shell = {
  word: (text) => (isPlain.test(text) ? text : inQuotes(text)),
  variable: (name, value) => (value === undefined ? `unset ${name}` : `export ${name}=${posixShell.word(value)}`),
  ownFolder: (path) => {
    const word = posixShell.word(path);
    return `{ [ -d ${word} ] && [ ! -L ${word} ] && [ -O ${word} ] || mkdir -m 700 ${word}; }`;
  },
  folder: (path) => `mkdir -p ${posixShell.word(path)}`,
  separator: ' &&\n',
  file: (path, text) => `printf '%s' ${inQuotes(text)} > ${posixShell.word(path)}`,
};

const inSingle = (text: string): string => `'${text.replaceAll("'", "''")}'`;

const powershell: Shell = {
  word: (text) => (isPlain.test(text) ? text : inSingle(text)),
  variable: (name, value) =>
    value === undefined ? `Remove-Item Env:${name} -ErrorAction Ignore` : `$env:${name} = ${inSingle(value)}`,
  // The folder for temporary files belongs to the user.
  ownFolder: (path) => powershell.folder(path),
  folder: (path) => `New-Item -ItemType Directory -Force -ErrorAction Stop ${inSingle(path)} | Out-Null`,
  separator: '\n',
  file: (path, text) => `Set-Content -NoNewline -Path ${inSingle(path)} -Value ${inSingle(text)}`,
};
