/** Many streams open at once through the proxy: each must get all of its tokens, and memory must stay bounded. */
import { Agent, request } from 'node:http';
import type { Bar } from './proxy-bar.ts';
import { question } from './proxy-bodies.ts';
import { type BenchServer, type Memory, startServer } from './proxy-servers.ts';

interface Streamed {
  readonly text: string;
  readonly call: string;
  /** The times of the first and the last byte, from `performance.now()`. */
  readonly first: number;
  readonly last: number;
}

/** Opens a number of streams, waits for all of them, and checks what they received. */
export async function manyStreams(count: number): Promise<Bar[]> {
  const upstream = await startServer('slow');
  const proxy = await startServer('toolmend', upstream.url);
  try {
    return await judged(proxy, count);
  } finally {
    for (const one of [upstream, proxy]) one.process.kill();
  }
}

async function judged(proxy: BenchServer, count: number): Promise<Bar[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: count });
  await Promise.all(Array.from({ length: 20 }, () => streamed(proxy.url, agent)));
  const before = await proxy.memory();
  const running = Array.from({ length: count }, () => streamed(proxy.url, agent));
  let most = before.rss;
  const watch = setInterval(async () => {
    most = Math.max(most, (await proxy.memory()).rss);
  }, 1000);
  const all = await Promise.allSettled(running);
  clearInterval(watch);
  agent.destroy();
  const came = all.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const reasons = new Set(all.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : [])));
  for (const reason of [...reasons].slice(0, 3)) console.log(`a stream failed: ${reason}`);
  const whole = came.filter(({ text, call }) => text === expected.text && call === expected.call).length;
  const together = Math.min(...came.map(({ last }) => last)) > Math.max(...came.map(({ first }) => first));
  const after = await atRest(proxy, before.heap + room);
  const each = ((most - before.rss) * 1024) / count;
  return [
    [`streams of ${count} that received all text and a mended call`, whole, whole === count],
    ['all open at the same time (1 is yes)', together ? 1 : 0, together],
    ['process memory per stream, KB (at most 256)', each, each <= 256],
    ['heap remaining afterwards, MB (at most 10)', after.heap - before.heap, after.heap - before.heap <= room],
  ];
}

const room = 10;

/** What is left once connections are closed, which takes a busy machine its time. */
async function atRest(proxy: BenchServer, enough: number): Promise<Memory> {
  for (let tries = 0; ; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 500));
    const now = await proxy.memory();
    if (now.heap <= enough || tries === 20) return now;
  }
}

const expected = {
  text: 'Let me look at the file that holds the proxy and see what it does there. ',
  call: '{"path":"src/proxy/server.ts","limit":20}',
};

/** One stream, read to its end. */
function streamed(url: string, agent: Agent): Promise<Streamed> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' };
    const asked = request(`${url}/v1/chat/completions`, { method: 'POST', agent, headers }, (answer) => {
      let body = '';
      let first = 0;
      answer.setEncoding('utf8').on('data', (piece) => {
        first ||= performance.now();
        body += piece;
      });
      answer.on('error', reject).on('end', () => resolve({ ...readStream(body), first, last: performance.now() }));
    });
    asked.on('error', reject).end(question(true));
  });
}

/** The words of a stream, and the arguments of its call, on one line. */
function readStream(body: string): { text: string; call: string } {
  let text = '';
  let call = '';
  for (const line of body.split('\n')) {
    if (!line.startsWith('data: {')) continue;
    const { delta } = JSON.parse(line.slice(6)).choices[0];
    text += delta.content ?? '';
    call += delta.tool_calls?.[0]?.function?.arguments ?? '';
  }
  return { text: text.replace(/ +/g, ' '), call: parsed(call) };
}

function parsed(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return text;
  }
}
