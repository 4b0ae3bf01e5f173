import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { question } from './proxy-bodies.ts';

/** The target of a load: a URL, and the headers that the server requires. */
export interface Target {
  readonly url: string;
  /** The process that serves it. */
  readonly pid?: number | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

/** Written once: what a load costs the one who makes it is taken from those who bear it, where they share a machine. */
const bodies = { stream: Buffer.from(question(true)), whole: Buffer.from(question(false)) };

/** One request: milliseconds to its first byte of the body, and to its end. */
export function once(
  { url, headers }: Target,
  agent: Agent,
  stream: boolean,
): Promise<{ first: number; whole: number }> {
  return new Promise((resolve, reject) => {
    const begun = performance.now();
    const body = stream ? bodies.stream : bodies.whole;
    const sent = { 'content-type': 'application/json', authorization: 'Bearer none', ...headers };
    const asked = request(`${url}/v1/chat/completions`, { method: 'POST', agent, headers: sent }, (answer) => {
      let first = 0;
      let refusal = '';
      answer.on('data', (piece) => {
        first ||= performance.now() - begun;
        if (answer.statusCode !== 200) refusal += piece;
      });
      answer.on('end', () => {
        if (answer.statusCode === 200) resolve({ first, whole: performance.now() - begun });
        else reject(new Error(`${url} returned ${answer.statusCode}: ${refusal}`));
      });
      answer.on('error', reject);
    });
    asked.on('error', reject).end(body);
  });
}

/** Sends a number of requests one after the other. */
export async function inTurn(
  target: Target,
  stream: boolean,
  count: number,
): Promise<{ first: number; whole: number }[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const seen: { first: number; whole: number }[] = [];
  for (let one = 0; one < count; one += 1) seen.push(await once(target, agent, stream));
  agent.destroy();
  return seen;
}

/** Requests a second over so many connections, for so many milliseconds. */
export async function atOnce(target: Target, stream: boolean, connections: number, time: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const until = performance.now() + time;
  let done = 0;
  const worker = async (): Promise<void> => {
    while (performance.now() < until) {
      await once(target, agent, stream);
      done += 1;
    }
  };
  const begun = performance.now();
  await Promise.all(Array.from({ length: connections }, worker));
  agent.destroy();
  return (done / (performance.now() - begun)) * 1000;
}

/** Microseconds of the processor that one answer takes its server, over so many; nothing where the system does not tell. */
export async function cpuEach(target: Target, stream: boolean, connections: number, count: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const before = cpuOf(target);
  let left = count;
  const worker = async (): Promise<void> => {
    for (; left > 0; left -= 1) await once(target, agent, stream);
  };
  await Promise.all(Array.from({ length: connections }, worker));
  agent.destroy();
  return (cpuOf(target) - before) / count;
}

/** What Linux has counted of a process's main thread. A busy machine changes it little, where it changes the clock's time much. */
function cpuOf({ pid }: Target): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1000;
  } catch {
    return Number.NaN;
  }
}
