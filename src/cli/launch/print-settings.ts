import { posix, win32 } from 'node:path';
import type { AgentSettings } from './agents.ts';

/** How to connect an agent to a proxy that you start yourself. */
export interface PrintedSettings {
  /** The command that starts the proxy. */
  readonly proxy: readonly string[];
  /** The folder of the files. */
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
  const folders = new Set(files.map(([name]) => dirname(join(folder, name))));
  return [
    '# Start the proxy in another terminal:',
    `# ${shellLine(proxy, platform)}`,
    ...[...folders].map(shell.folder),
    ...files.map(([name, text]) => shell.file(join(folder, name), text)),
    ...Object.entries(settings.env).map(([name, value]) => shell.variable(name, value)),
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
  readonly folder: (path: string) => string;
  readonly file: (path: string, text: string) => string;
}

const inQuotes = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
const isPlain = /^[\w@%+=:,./-]+$/;

const posixShell: Shell = {
  word: (text) => (isPlain.test(text) ? text : inQuotes(text)),
  variable: (name, value) => (value === undefined ? `unset ${name}` : `export ${name}=${posixShell.word(value)}`),
  folder: (path) => `mkdir -p ${posixShell.word(path)} && chmod 700 ${posixShell.word(path)}`,
  file: (path, text) => `printf '%s' ${inQuotes(text)} > ${posixShell.word(path)}`,
};

const inSingle = (text: string): string => `'${text.replaceAll("'", "''")}'`;

const powershell: Shell = {
  word: (text) => (isPlain.test(text) ? text : inSingle(text)),
  variable: (name, value) =>
    value === undefined ? `Remove-Item Env:${name} -ErrorAction Ignore` : `$env:${name} = ${inSingle(value)}`,
  folder: (path) => `New-Item -ItemType Directory -Force ${inSingle(path)} | Out-Null`,
  file: (path, text) => `Set-Content -NoNewline -Path ${inSingle(path)} -Value ${inSingle(text)}`,
};
