import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { posix, win32 } from 'node:path';

/** The machine that a program is searched on. Tests provide their own. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly isProgram: (file: string) => boolean;
  readonly read: (file: string) => string;
}

/** This machine. */
export const thisMachine = (env: NodeJS.ProcessEnv): Machine => ({
  platform: process.platform,
  env,
  home: env.HOME ?? env.USERPROFILE ?? homedir(),
  isProgram: (file) => {
    try {
      accessSync(file, process.platform === 'win32' ? constants.F_OK : constants.X_OK);
      return statSync(file).isFile();
    } catch {
      return false;
    }
  },
  read: (file) => readFileSync(file, 'utf8'),
});

/** Folders of package managers that terminals started from the desktop of a Mac don't have in their path. */
const brewFolders = ['/opt/homebrew/bin', '/usr/local/bin'];

/** All folders that are searched: those in the path, then those where installers put programs. */
export function searchFolders(machine: Machine, belowHome: readonly string[]): string[] {
  const { platform, env, home } = machine;
  const { delimiter, join } = pathOf(machine);
  const path = variable(machine, 'PATH')?.split(delimiter) ?? [];
  const npm = platform === 'win32' ? [join(env.APPDATA ?? join(home, 'AppData', 'Roaming'), 'npm')] : [];
  const brew = platform === 'darwin' ? brewFolders : [];
  const all = [...path, ...npm, ...belowHome.map((folder) => join(home, ...folder.split('/'))), ...brew];
  return [...new Set(all.map((folder) => folder.replace(/^"(.*)"$/, '$1')).filter((folder) => folder !== ''))];
}

/** The file of a program; undefined if it isn't installed. On Windows, a name stands for `.exe`, `.cmd` and so on. */
export function findProgram(name: string, belowHome: readonly string[], machine: Machine): string | undefined {
  const { join } = pathOf(machine);
  const endings = machine.platform === 'win32' ? windowsEndings(machine) : [''];
  for (const folder of searchFolders(machine, belowHome))
    for (const ending of endings) {
      const file = join(folder, `${name}${ending}`);
      if (machine.isProgram(file)) return file;
    }
  return undefined;
}

/** Without the empty ending: npm puts a shell script of that name beside its `.cmd` file. */
const windowsEndings = (machine: Machine): string[] =>
  (variable(machine, 'PATHEXT') ?? '.COM;.EXE;.BAT;.CMD')
    .toLowerCase()
    .split(';')
    .filter((ending) => /^\.(?:com|exe|bat|cmd)$/.test(ending));

/** How to start a program with arguments. */
export interface Invocation {
  readonly file: string;
  readonly args: readonly string[];
  /** Whether the arguments are already quoted for Windows. */
  readonly verbatim: boolean;
}

/**
 * How to start a program. Windows can't start `.cmd` files without a shell, which would interpret the arguments. The
 * `.cmd` files of npm only start another program, which is therefore started instead. Others run in a shell, with every
 * special character escaped.
 */
export function invocationOf(program: string, args: readonly string[], machine: Machine): Invocation {
  if (machine.platform !== 'win32' || !/\.(?:cmd|bat)$/i.test(program)) return { file: program, args, verbatim: false };
  const target = shimTarget(program, machine);
  if (target) return { file: target.file, args: [...target.args, ...args], verbatim: false };
  const line = [escaped(program), ...args.map((arg) => escaped(quoted(arg)).replace(special, '^$&'))].join(' ');
  return {
    file: variable(machine, 'COMSPEC') ?? 'cmd.exe',
    args: ['/d', '/s', '/c', `"${line}"`],
    verbatim: true,
  };
}

/** The program that a `.cmd` file of npm, pnpm or Yarn starts. */
function shimTarget(file: string, { read, isProgram }: Machine): { file: string; args: string[] } | undefined {
  const folder = win32.dirname(file);
  const inFolder = (path: string): string => win32.join(folder, path.replace(/^%(?:~dp0|dp0%)\\?/i, ''));
  for (const line of read(file).split(/\r?\n/).reverse()) {
    const [, runner, flags = '', path] =
      /(?:"(%_prog%|%(?:~dp0|dp0%)\\?node\.exe)"|\b(?:node)\b)?((?:\s+--?[\w=-]+)*)\s*"(%(?:~dp0|dp0%)[^"]+)"\s+%\*/i.exec(
        line,
      ) ?? [];
    if (path === undefined) continue;
    if (/\.exe$/i.test(path)) return { file: inFolder(path), args: [] };
    if (!/\.[cm]?js$/i.test(path) && runner === undefined) return undefined;
    const beside = win32.join(folder, 'node.exe');
    const node = isProgram(beside) ? beside : process.execPath;
    return { file: node, args: [...flags.split(/\s+/).filter((flag) => flag !== ''), inFolder(path)] };
  }
  return undefined;
}

/** Characters that a Windows shell interprets. */
const special = /[()\][%!^"`<>&|;, *?]/g;
const escaped = (text: string): string => text.replace(special, '^$&');

/** An argument in quotes, as Windows programs split their command line. */
const quoted = (arg: string): string => `"${arg.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\*)$/, '$1$1')}"`;

const pathOf = ({ platform }: Machine): typeof posix => (platform === 'win32' ? win32 : posix);

/** An environment variable. Windows ignores the case of its name. */
function variable({ platform, env }: Machine, name: string): string | undefined {
  if (platform !== 'win32' || env[name] !== undefined) return env[name];
  const key = Object.keys(env).find((one) => one.toUpperCase() === name);
  return key === undefined ? undefined : env[key];
}
