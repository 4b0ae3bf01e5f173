/** The proxy under a sustainable load for a long time: its memory must stay flat. */
import { Agent } from 'node:http';
import { median } from './measure.ts';
import type { Bar } from './proxy-bar.ts';
import { atOnce, once } from './proxy-load.ts';
import { type BenchServer, type Memory, startServer } from './proxy-servers.ts';

const share = 0.6;
const tick = 50;
const mostOpen = 512;

/** Loads the proxy with 60 % of its capacity for a number of minutes, alternating JSON and streams. */
export async function soak(minutes: number): Promise<Bar[]> {
  const upstream = await startServer('upstream');
  const proxy = await startServer('toolmend', upstream.url);
  try {
    return await judged(proxy, minutes * 60_000);
  } finally {
    for (const one of [upstream, proxy]) one.process.kill();
  }
}

async function judged(proxy: BenchServer, time: number): Promise<Bar[]> {
  const target = { url: proxy.url, headers: {} };
  const peaks: number[] = [];
  for (const stream of [false, true]) {
    await atOnce(target, stream, 32, 1500);
    peaks.push(await atOnce(target, stream, 32, 2000));
  }
  // One of each takes as long as both do together.
  const [json = 1, sse = 1] = peaks;
  const rate = (share * 2) / (1 / json + 1 / sse);
  console.log(`soak: ${rate.toFixed(0)} requests a second (peak JSON ${json.toFixed(0)}, SSE ${sse.toFixed(0)})`);
  const { samples, done, failed, skipped } = await load(proxy, rate, time);
  const late = samples.slice(Math.floor(samples.length / 4));
  const heap = growth(late.map((one) => one.heap));
  const half = Math.floor(late.length / 2);
  const rss = median(late.slice(half).map((one) => one.rss)) / median(late.slice(0, half).map((one) => one.rss));
  const shown = [0, 1, 2, 3, 4].map((quarter) => samples[Math.round(((samples.length - 1) * quarter) / 4)] as Memory);
  console.log(
    `soak: ${done} requests, ${failed} failed; in megabytes, from the start to the end by quarters: heap ${shown.map((one) => one.heap.toFixed(1)).join(', ')}; RSS ${shown.map((one) => one.rss.toFixed(0)).join(', ')}`,
  );
  return [
    ['failed requests in the soak test (none)', failed, failed === 0],
    // Less than all where other work takes the machine after the peak was measured.
    ['share of the intended load (at least 0.9)', done / (done + skipped), done / (done + skipped) >= 0.9],
    ['heap growth in the soak test after the first quarter, MB (at most 3)', heap, heap <= 3],
    ['RSS of the last part compared with the middle (at most 1.15)', rss, rss <= 1.15],
  ];
}

async function load(proxy: BenchServer, rate: number, time: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: mostOpen });
  const samples: Memory[] = [];
  let [done, failed, skipped, open, owed] = [0, 0, 0, 0, 0];
  const ask = async (stream: boolean): Promise<void> => {
    open += 1;
    await once({ url: proxy.url, headers: {} }, agent, stream).then(
      () => {
        done += 1;
      },
      (error: unknown) => {
        failed += 1;
        if (failed < 4)
          console.log(`soak: a request failed: ${error instanceof Error ? error.message : String(error)}`);
      },
    );
    open -= 1;
  };
  const until = performance.now() + time;
  const every = Math.max(1000, Math.min(5000, time / 40));
  let sampled = 0;
  let before = performance.now();
  while (performance.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, tick));
    const now = performance.now();
    owed += ((now - before) / 1000) * rate;
    before = now;
    for (; owed >= 1; owed -= 1) {
      if (open >= mostOpen) skipped += 1;
      else void ask((done + open) % 2 === 0);
    }
    if (now - sampled < every) continue;
    sampled = now;
    samples.push(await proxy.memory());
  }
  while (open > 0) await new Promise((resolve) => setTimeout(resolve, tick));
  agent.destroy();
  return { samples, done, failed, skipped };
}

/** How much a straight line through the values rises from the first to the last. */
function growth(values: readonly number[]): number {
  const middle = (values.length - 1) / 2;
  const mean = values.reduce((sum, one) => sum + one, 0) / values.length;
  let [up, along] = [0, 0];
  values.forEach((one, at) => {
    up += (at - middle) * (one - mean);
    along += (at - middle) ** 2;
  });
  return along === 0 ? 0 : (up / along) * (values.length - 1);
}
