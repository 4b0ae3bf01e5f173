/**
 * `npm run bench:proxy`: what the proxy adds, beside a bare pipe and beside Portkey's gateway, on loopback and in turns. The
 * upstream answers at once with words and a damaged call, which the proxy mends. Then a thousand open streams, and a soak: half
 * a minute, or `--minutes N`. Ends with 1 when a bar is missed.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { median } from './measure.ts';
import { type Bar, showBars } from './proxy-bar.ts';
import { endurance } from './proxy-endurance.ts';
import { atOnce, inTurn, type Target } from './proxy-load.ts';
import { startServer } from './proxy-servers.ts';

const folder = fileURLToPath(new URL('../.bench/portkey/', import.meta.url));
const running: ChildProcess[] = [];

/** Portkey streams only with these versions; it is installed into a folder of its own. */
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

async function start(role: string, target = ''): Promise<string> {
  const { url, process } = await startServer(role, target);
  running.push(process);
  return url;
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
  running.push(spawn(process.execPath, [script, `--port=${port}`, '--headless'], { stdio: 'ignore' }));
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
  return { url, headers: { 'x-portkey-provider': 'openai', 'x-portkey-custom-host': `${upstream}/v1` } };
}

const rounds = 7;
interface Figures {
  readonly first: number[];
  readonly whole: number[];
  readonly json: number[];
  readonly sse: number[];
}

async function main(): Promise<boolean> {
  const upstream = await start('upstream');
  const targets: Record<string, Target> = {
    direct: { url: upstream, headers: {} },
    pipe: { url: await start('pipe', upstream), headers: {} },
    toolmend: { url: await start('toolmend', upstream), headers: {} },
    portkey: await startPeer(upstream),
  };
  const figures = Object.fromEntries(
    Object.keys(targets).map((name) => [name, { first: [], whole: [], json: [], sse: [] } as Figures]),
  );
  for (const target of Object.values(targets)) for (const stream of [true, false]) await inTurn(target, stream, 150);
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, target] of Object.entries(targets)) {
      const seen = figures[name] as Figures;
      seen.first.push(median((await inTurn(target, true, 60)).map(({ first }) => first)));
      seen.whole.push(median((await inTurn(target, false, 60)).map(({ whole }) => whole)));
      seen.json.push(await atOnce(target, false, 32, 600));
      seen.sse.push(await atOnce(target, true, 32, 600));
    }
    console.log(`round ${round + 1} of ${rounds}`);
  }
  const bars = judge(figures);
  // Nothing is to run beside what is to last.
  for (const one of running.splice(0)) one.kill();
  bars.push(...(await endurance(process.argv.slice(2))));
  mkdirSync(new URL('../.bench/', import.meta.url), { recursive: true });
  writeFileSync(new URL('../.bench/proxy.json', import.meta.url), JSON.stringify({ figures, bars }, null, 2));
  return showBars(bars);
}

function judge(figures: Record<string, Figures>): Bar[] {
  const of = (name: string, what: keyof Figures): number => median((figures[name] as Figures)[what]);
  for (const name of Object.keys(figures)) {
    const [first, whole, json, sse] = (['first', 'whole', 'json', 'sse'] as const).map((what) => of(name, what));
    console.log(
      `${name.padEnd(10)} first token ${first?.toFixed(2)} ms   whole ${whole?.toFixed(2)} ms   JSON ${json?.toFixed(0)}/s   SSE ${sse?.toFixed(0)}/s`,
    );
  }
  const added = (name: string): number => of(name, 'whole') - of('direct', 'whole');
  return [
    ['added latency at the median, ms (at most 1)', added('toolmend'), added('toolmend') <= 1],
    ['against Portkey (under 0.5)', added('toolmend') / added('portkey'), added('toolmend') < added('portkey') / 2],
    [
      'JSON a second against Portkey (at least 2)',
      of('toolmend', 'json') / of('portkey', 'json'),
      of('toolmend', 'json') >= 2 * of('portkey', 'json'),
    ],
    [
      'SSE a second against Portkey (at least 2)',
      of('toolmend', 'sse') / of('portkey', 'sse'),
      of('toolmend', 'sse') >= 2 * of('portkey', 'sse'),
    ],
    [
      'first token later than through the pipe, ms (at most 1)',
      of('toolmend', 'first') - of('pipe', 'first'),
      of('toolmend', 'first') - of('pipe', 'first') <= 1,
    ],
  ];
}

try {
  if (!(await main())) process.exitCode = 1;
} finally {
  for (const process of running) process.kill();
}
