/** The web server of the approval flow: starts runs, shows and decides approvals, and receives webhooks. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { fold, waitingCalls } from '../../src/log/fold.ts';
import { resultHandler } from '../../src/run/results/result-handler.ts';
import { openPayouts, settingsFrom } from './payouts.ts';

const settings = settingsFrom(process.env);
const { store, runs } = await openPayouts(settings);
const webhooks = resultHandler({ secret: settings.secret, complete: runs.complete });

/** What the page shows about a run. */
async function status(run: string) {
  const events = [];
  for await (const event of store.read(run)) events.push(event);
  const state = fold(events);
  // A run that is still active can't be decided yet.
  const waiting = state.ended ? waitingCalls(state) : [];
  const approvals = waiting.map(({ callId, name, input }) => ({ callId, name, input }));
  const results = [...state.calls.values()].flatMap(({ result }) => result?.content ?? []);
  return { end: state.ended?.end, approvals, results };
}

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const send = (body: object): void => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  const [, kind, run = '', action, callId = ''] = (request.url ?? '').split('/').map(decodeURIComponent);
  if (await webhooks.node(request, response)) return;
  if (request.method === 'POST' && kind === 'invoices') return send({ run: await runs.submit('Pay the invoice') });
  if (request.method === 'GET' && kind === 'runs' && !action) return send(await status(run));
  // In production, check who is signed in before you decide.
  if (request.method === 'POST' && kind === 'runs' && action === 'approve') {
    await runs.decide(run, callId, { type: 'allow', by: 'ann' });
    return send({ ok: true });
  }
  response.writeHead(404).end();
}

createServer((request, response) => {
  handle(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
}).listen(Number(new URL(settings.web).port), '127.0.0.1', () => console.log('listening'));
