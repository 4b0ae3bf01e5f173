/** Runs this program again where only the loopback interface exists, so that agents reach nothing but the fake server. */
import { spawn, spawnSync } from 'node:child_process';

const marker = 'TOOLMEND_ISOLATED';

/** Whether this process has only the loopback interface. */
export const isIsolated = (): boolean => process.env[marker] === '1';

/** Network namespaces need rights; user namespaces give them, where the system allows those. */
const ways: readonly (readonly string[])[] = [['--net'], ['--net', '--map-root-user']];

/** The arguments of `unshare` that work here; undefined if none does. */
function unshareArgs(): readonly string[] | undefined {
  const test = ['--', 'sh', '-c', 'ip link set lo up'];
  return ways.find((args) => spawnSync('unshare', [...args, ...test], { stdio: 'ignore' }).status === 0);
}

/** Runs this program again in a network namespace. Returns its exit code; undefined if the system has no namespaces. */
export function runIsolated(): Promise<number> | undefined {
  const args = unshareArgs();
  if (!args) return undefined;
  const command = ['sh', '-c', 'ip link set lo up && exec "$0" "$@"', process.execPath, ...process.argv.slice(1)];
  return new Promise((resolve, reject) => {
    const env = { ...process.env, [marker]: '1' };
    const child = spawn('unshare', [...args, '--', ...command], { stdio: 'inherit', env });
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
}

let own: readonly string[] | undefined;

/** A command that ends all processes of an agent with it, also those that it puts into the background. */
export function withItsProcesses(command: readonly string[]): readonly string[] {
  const args = ['--pid', '--fork', '--kill-child=SIGKILL', '--mount-proc', '--'];
  own ??= spawnSync('unshare', [...args, 'true'], { stdio: 'ignore' }).status === 0 ? ['unshare', ...args] : [];
  return [...own, ...command];
}
