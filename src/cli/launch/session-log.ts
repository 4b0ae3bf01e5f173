import {
  closeSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

/** The log of a session: JSON lines in a file. */
export interface SessionLog {
  readonly file: string;
  write(line: string): void;
  close(): void;
}

/** What is stored: at most so many bytes for a session, so many sessions, and for so many days. */
export const logLimits = { bytes: 10 * 1024 * 1024, sessions: 20, days: 7 } as const;

const day = 86_400_000;
const pattern = /^launch-.+\.jsonl$/;

/** Options of the log. Tests provide their own. */
export interface SessionLogOptions {
  readonly agent: string;
  /** @default a folder of the user in the system's temporary folder */
  readonly folder?: string;
  readonly now?: number;
  readonly limits?: { readonly bytes: number; readonly sessions: number; readonly days: number };
}

/** Creates the log of a session, and deletes old ones. It is outside the home folder, which belongs to the agent. */
export function openSessionLog(options: SessionLogOptions): SessionLog {
  const { agent, folder = ownFolder(), now = Date.now(), limits = logLimits } = options;
  forgetOld(folder, now, limits);
  const time = new Date(now).toISOString().replace(/[:.]/g, '-');
  const file = join(folder, `launch-${time}-${agent}-${process.pid}.jsonl`);
  const handle = openSync(file, 'ax', 0o600);
  let room = limits.bytes;
  let open = true;
  return {
    file,
    write: (line) => {
      if (!open || room <= 0) return;
      const text = `${line}\n`;
      room -= Buffer.byteLength(text);
      const full = JSON.stringify({ notice: `The log has ${limits.bytes} bytes. Later requests are not logged` });
      tryTo(() => writeSync(handle, room > 0 ? text : `${full}\n`));
    },
    close: () => {
      if (open) tryTo(() => closeSync(handle));
      open = false;
    },
  };
}

/** A folder that only this user can read. A folder of another user with its name is not used. */
function ownFolder(): string {
  const { uid, username } = userInfo();
  const folder = join(tmpdir(), `toolmend-${uid >= 0 ? uid : username.replace(/\W/g, '_')}`);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const made = lstatSync(folder);
    const isOwn = process.platform === 'win32' || (made.uid === uid && (made.mode & 0o077) === 0);
    if (made.isDirectory() && isOwn) return folder;
  } catch {
    // Another user's file, for example.
  }
  return mkdtempSync(join(tmpdir(), 'toolmend-'));
}

function forgetOld(folder: string, now: number, { sessions, days }: NonNullable<SessionLogOptions['limits']>): void {
  tryTo(() => {
    const logs = readdirSync(folder)
      .filter((name) => pattern.test(name))
      .map((name) => ({ file: join(folder, name), changed: statSync(join(folder, name)).mtimeMs }))
      .sort((a, b) => b.changed - a.changed);
    // The new log is one of the sessions.
    const old = logs.filter(({ changed }, index) => index >= sessions - 1 || changed < now - days * day);
    for (const { file } of old) rmSync(file, { force: true });
  });
}

/** Runs what must not stop the agent, such as a write to a full disk. */
export function tryTo(work: () => unknown): void {
  try {
    work();
  } catch {
    // The agent works without it.
  }
}
