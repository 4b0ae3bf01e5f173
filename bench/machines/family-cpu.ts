import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts in hundredths of a second. */
const tick = 10;

/** The fields of a process after its name: the parent, and the processor's time of it and of children it has waited for. */
function statOf(pid: string | number): { parent: number; own: number; waited: number } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [, parent = 0] = fields;
    const [user = 0, system = 0, waitedUser = 0, waitedSystem = 0] = fields.slice(11, 15);
    return { parent, own: (user + system) * tick, waited: (waitedUser + waitedSystem) * tick };
  } catch {
    // It has ended, or this isn't Linux.
    return undefined;
  }
}

/** The process that started this one. */
export const parentOf = (pid: number): number | undefined => statOf(pid)?.parent;

/** Milliseconds of the processor's time that a process and its children have used, or 0 if the system doesn't report it. */
export function familyCpu(pid: number): number {
  const head = statOf(pid);
  if (!head) return 0;
  const living = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(statOf)
    .filter((stat) => stat?.parent === pid);
  return living.reduce((sum, stat) => sum + (stat?.own ?? 0), head.own + head.waited);
}
