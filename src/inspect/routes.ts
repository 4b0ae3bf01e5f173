import type { IncomingMessage, ServerResponse } from 'node:http';
import { readJson, readStrict } from '../json/json.ts';
import type { RunEvent } from '../log/event.ts';
import { giveApproval, NotWaiting, UnkeptEdit } from '../log/give-approval.ts';
import { InvalidEdit } from '../run/invalid-edit.ts';
import type { RunDetail } from './api.ts';
import { checkEditByLog } from './check-edit-by-log.ts';
import { figuresOf } from './figures-of.ts';
import type { InspectorOptions } from './inspector-options.ts';
import { liveFeed } from './live-feed.ts';
import { isBuilt, pageFile } from './page-files.ts';
import { pageHeaders } from './page-headers.ts';
import { readApproval, readRequestNumber } from './read-approval.ts';
import { readFilter } from './read-filter.ts';
import type { RunIndex } from './run-index.ts';
import { refuse, sendJson } from './send-json.ts';
import { shorten } from './shorten.ts';

/** Where the inspector stands. */
export const root = '/inspector';
const longestBody = 1024 * 1024;

/** A request that was let in. */
export interface PageRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
  readonly index: RunIndex;
  readonly options: InspectorOptions;
}

/** Answers it: the page's files, or what the page asks for. */
export async function answer(asked: PageRequest): Promise<void> {
  const { request, response, url } = asked;
  const path = url.pathname.slice(root.length);
  const [, api, what = '', ...rest] = path.split('/');
  const route = api === 'api' ? routes[`${request.method} ${what}`] : undefined;
  try {
    if (route) await route(asked, rest.map(decodeURIComponent));
    else if (api === 'api') refuse(response, 404, 'There is nothing here');
    else if (path === '') sendJson(response, 308, {}, { location: `${root}/` });
    else await file(asked, path.slice(1) || 'index.html');
  } catch (error) {
    if (response.headersSent) response.destroy();
    else refuse(response, 500, error instanceof Error ? error.message : String(error));
  }
}

type Route = (asked: PageRequest, rest: readonly string[]) => Promise<void> | void;

const routes: Readonly<Record<string, Route>> = {
  'GET runs': async (asked, [run]) => {
    const { index, response, url } = asked;
    await index.look();
    if (run) await detail(asked, run);
    else sendJson(response, 200, index.list(readFilter(url.searchParams)));
  },
  'GET figures': async ({ index, response }) => {
    await index.look();
    sendJson(response, 200, figuresOf(index.rows()));
  },
  'GET live': async ({ index, response, url, options }) => {
    await index.look();
    response.writeHead(200, { ...pageHeaders, 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    liveFeed(response, index, options.live, url.searchParams.get('run') ?? undefined);
  },
  'POST approvals': decide,
};

async function detail({ index, response, options }: PageRequest, run: string): Promise<void> {
  const row = index.row(run);
  const events: RunEvent[] = [];
  for await (const event of options.store.read(run))
    events.push(event.type === 'approval.asked' ? event : shorten(event));
  if (events.length === 0) index.forget(run);
  if (!row || events.length === 0) return refuse(response, 404, 'There is no such run; it may have been forgotten');
  sendJson(response, 200, { row, events, decides: options.decides === true } satisfies RunDetail);
}

async function decide(
  { request, response, options }: PageRequest,
  [run = '', callId = '']: readonly string[],
): Promise<void> {
  if (!options.decides) return refuse(response, 403, 'Approvals are not given here');
  if (!/^application\/json\b/.test(request.headers['content-type'] ?? '')) return refuse(response, 415, 'Send JSON');
  const { value: body, problem } = await jsonOf(request);
  if (problem !== undefined)
    return refuse(response, 422, `The arguments can't be taken as they are written: ${problem}`);
  const decision = readApproval(body);
  if (!decision) return refuse(response, 400, 'A decision is to allow, to deny or to edit');
  try {
    if (decision.type === 'edit') await checkEditByLog(options.store, run, callId, decision.input);
    await giveApproval(options.store, run, callId, decision, { asked: readRequestNumber(body) });
  } catch (error) {
    if (error instanceof NotWaiting) return refuse(response, 409, error.message);
    if (error instanceof UnkeptEdit || error instanceof InvalidEdit) return refuse(response, 422, error.message);
    throw error;
  }
  options.onDecision?.(run, callId, decision);
  sendJson(response, 200, { ok: true });
}

/** A body that is JSON; and what of it reading would lose, such as a repeated key or the end of a long number. */
async function jsonOf(request: IncomingMessage): Promise<{ readonly value?: unknown; readonly problem?: string }> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += (chunk as Buffer).length;
    if (size > longestBody) return {};
    chunks.push(chunk as Buffer);
  }
  const text = Buffer.concat(chunks).toString();
  try {
    const value: unknown = JSON.parse(text);
    if (readStrict(text)) return { value };
    return {
      value,
      problem: readJson(text).problems[0]?.message ?? 'they hold a number that is too large, or a key twice',
    };
  } catch {
    return {};
  }
}

async function file({ request, response }: PageRequest, name: string): Promise<void> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(response, 405, 'This is a page');
  if (!isBuilt()) return refuse(response, 503, 'The page is not built: run `npm run build:web`');
  const found = await pageFile(name);
  if (!found) return refuse(response, 404, 'There is nothing here');
  const zipped = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
  response.writeHead(200, {
    ...pageHeaders,
    'content-type': found.type,
    'cache-control': found.lasting ? 'public, max-age=31536000, immutable' : 'no-cache',
    ...(zipped && { 'content-encoding': 'gzip', vary: 'accept-encoding' }),
  });
  response.end(zipped ? found.gzipped : found.bytes);
}
