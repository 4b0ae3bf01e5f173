import { createServer } from 'node:net';

/** Each process of tests has a stretch of its own. */
let last = 20_000 + ((process.pid * 16) % 10_000);

/** A port that is free and stays so until it is used: it is below those that the system gives to whoever wants any. */
export async function freePort(): Promise<number> {
  for (;;) {
    last += 1;
    const probe = createServer();
    const free = await new Promise((resolve) =>
      probe.once('error', () => resolve(false)).listen(last, '127.0.0.1', () => resolve(true)),
    );
    if (!free) continue;
    await new Promise((resolve) => probe.close(resolve));
    return last;
  }
}
