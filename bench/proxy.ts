/**
 * `npm run bench:proxy`: builds the package, and compares the latency of its proxy with a plain pipe and with Portkey's gateway, on
 * loopback and in turns. The upstream responds immediately with text and a damaged call, which the proxy mends. Then opens a thousand
 * streams, and runs a soak test of half a minute, or `--minutes N`. Exits with 1 if a bar is missed.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { writeResult } from './bench-result.ts';
import { median } from './measure.ts';
import { type Bar, showBars } from './proxy-bar.ts';
import { endurance } from './proxy-endurance.ts';
import { atOnce, cpuEach, inTurn, type Target } from './proxy-load.ts';
import { proxyResult } from './proxy-result.ts';
import { startServer } from './proxy-servers.ts';

const folder = fileURLToPath(new URL('../.bench/portkey/', import.meta.url));
const buildScript = fileURLToPath(new URL('../scripts/build.ts', import.meta.url));
const running: ChildProcess[] = [];

/** With @hono/node-server 1.19.18 Portkey answers streams with 500 on Node 24; it is installed into a folder of its own. */
const peer = {
  private: true,
  dependencies: { '@portkey-ai/gateway': '1.15.2' },
  overrides: { hono: '4.9.7', '@hono/node-server': '1.12.2' },
};

function installPeer(): void {
  if (existsSync(`${folder}node_modules/@portkey-ai/gateway`)) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}package.json`, JSON.stringify(peer, null, 2));
  console.log('Installing Portkey into .bench/portkey …');
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd: folder, stdio: 'ignore' });
}

async function start(role: string, target = ''): Promise<Target> {
  const { url, process } = await startServer(role, target);
  running.push(process);
  return { url, pid: process.pid, headers: {} };
}

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });

async function startPeer(upstream: string): Promise<Target> {
  installPeer();
  const port = await freePort();
  const script = `${folder}node_modules/@portkey-ai/gateway/build/start-server.js`;
  const server = spawn(process.execPath, [script, `--port=${port}`, '--headless'], { stdio: 'ignore' });
  running.push(server);
  const url = `http://127.0.0.1:${port}`;
  for (let tries = 0; tries < 100; tries += 1) {
    if (
      await fetch(url).then(
        () => true,
        () => false,
      )
    )
      break;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return {
    url,
    pid: server.pid,
    headers: { 'x-portkey-provider': 'openai', 'x-portkey-custom-host': `${upstream}/v1` },
  };
}

const rounds = 11;

/** What is measured: milliseconds to the first token and to the end of an answer, answers a second at 32 connections, and the processor's microseconds for each. */
const measures = {
  first: async (target: Target) => median((await inTurn(target, true, 60)).map(({ first }) => first)),
  whole: async (target: Target) => median((await inTurn(target, false, 60)).map(({ whole }) => whole)),
  json: (target: Target) => atOnce(target, false, 32, 500),
  sse: (target: Target) => atOnce(target, true, 32, 500),
  jsonCpu: (target: Target) => cpuEach(target, false, 32, 256),
  sseCpu: (target: Target) => cpuEach(target, true, 32, 256),
} as const;
type Measure = keyof typeof measures;
type Figures = Record<Measure, number[]>;

async function main(): Promise<boolean> {
  console.log('Building the package …');
  execFileSync(process.execPath, [buildScript], { stdio: ['ignore', 'ignore', 'inherit'] });
  const direct = await start('upstream');
  const targets: Record<string, Target> = {
    direct,
    pipe: await start('pipe', direct.url),
    toolmend: await start('toolmend', direct.url),
    portkey: await startPeer(direct.url),
  };
  const figures = Object.fromEntries(
    Object.keys(targets).map((name) => [
      name,
      { first: [], whole: [], json: [], sse: [], jsonCpu: [], sseCpu: [] } as Figures,
    ]),
  );
  for (const target of Object.values(targets)) for (const stream of [true, false]) await inTurn(target, stream, 150);
  for (let round = 0; round < rounds; round += 1) {
    // One after the other in each measure, so that what else the machine does falls on all of them.
    for (const [what, measure] of Object.entries(measures))
      for (const [name, target] of Object.entries(targets))
        figures[name]?.[what as Measure].push(await measure(target));
    console.log(`round ${round + 1} of ${rounds}`);
  }
  const bars = judge(figures);
  // Nothing else runs during the endurance test.
  for (const one of running.splice(0)) one.kill();
  bars.push(...(await endurance(process.argv.slice(2))));
  writeResult(proxyResult(figures, bars, peer.dependencies['@portkey-ai/gateway']));
  return showBars(bars);
}

function judge(figures: Record<string, Figures>): Bar[] {
  const of = (name: string, what: Measure): readonly number[] => (figures[name] as Figures)[what];
  for (const name of Object.keys(figures)) {
    const shown = (what: Measure, digits: number): string => median(of(name, what)).toFixed(digits);
    console.log(
      `${name.padEnd(10)} first token ${shown('first', 2)} ms   whole ${shown('whole', 2)} ms   JSON ${shown('json', 0)}/s, ${shown('jsonCpu', 0)} µs of CPU   SSE ${shown('sse', 0)}/s, ${shown('sseCpu', 0)} µs`,
    );
  }
  /** The median of what the rounds show, each compared within itself. */
  const inRounds = (compare: (round: number) => number): number =>
    median(Array.from({ length: rounds }, (_, round) => compare(round)));
  const at = (name: string, what: Measure, round: number): number => of(name, what)[round] as number;
  const added = (name: string, round: number): number => at(name, 'whole', round) - at('direct', 'whole', round);
  const times = (what: Measure): number =>
    inRounds((round) => at('toolmend', what, round) / at('portkey', what, round));
  console.log(
    `CPU, Portkey against ours: JSON ${(1 / times('jsonCpu')).toFixed(2)}, SSE ${(1 / times('sseCpu')).toFixed(2)}`,
  );
  const late = inRounds((round) => added('toolmend', round));
  const share = inRounds((round) => added('toolmend', round) / added('portkey', round));
  const first = inRounds((round) => at('toolmend', 'first', round) - at('pipe', 'first', round));
  return [
    ['added latency at the median, ms (at most 1)', late, late <= 1],
    ['compared with Portkey (under 0.5)', share, share < 0.5],
    ['JSON responses per second compared with Portkey (at least 2)', times('json'), times('json') >= 2],
    ['streams per second compared with Portkey (at least 2)', times('sse'), times('sse') >= 2],
    ['delay of the first token compared with the pipe, ms (at most 1)', first, first <= 1],
  ];
}

try {
  if (!(await main())) process.exitCode = 1;
} finally {
  for (const process of running) process.kill();
}
