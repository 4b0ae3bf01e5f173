import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const child = fileURLToPath(new URL('./proxy-child.ts', import.meta.url));

/** The memory of a process in megabytes: in total, and what is reachable after garbage collection, including buffers. */
export interface Memory {
  readonly rss: number;
  readonly heap: number;
}

/** One server of the benchmark, in a process of its own. */
export interface BenchServer {
  readonly url: string;
  readonly process: ChildProcess;
  memory(): Promise<Memory>;
}

/** Starts one, and waits until it listens. */
export async function startServer(role: string, target = ''): Promise<BenchServer> {
  const process = fork(child, [role, target], { execArgv: ['--expose-gc'] });
  const next = <T>(): Promise<T> => new Promise((resolve) => process.once('message', (said) => resolve(said as T)));
  const { port } = await next<{ port: number }>();
  return {
    url: `http://127.0.0.1:${port}`,
    process,
    memory: () => {
      const said = next<Memory>();
      process.send('memory');
      return said;
    },
  };
}
