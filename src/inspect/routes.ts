import type { IncomingMessage, ServerResponse } from 'node:http';
import { readBody } from '../execute/local-server.ts';
import { messageOf } from '../execute/tool-result.ts';
import { parseFault } from '../json/read-json.ts';
import { type RepairKind, repairKinds } from '../json/repair.ts';
import { hasCode, ToolmendError, type ToolmendErrorCode } from '../json/toolmend-error.ts';
import { hasOwn, isObject } from '../json/value.ts';
import { checkIsNewest, decideApproval } from '../log/control/decide-approval.ts';
import { type ApprovalRequested, type Decision, type RunEnd, type RunEvent, runEnds } from '../log/events.ts';
import { existingState } from '../log/fold.ts';
import type { Store } from '../log/store.ts';
import type { ToolSpec } from '../model/index.ts';
import { checkEdit } from '../run/invoke/invalid-edit.ts';
import type { RunControl } from '../run/workers/control.ts';
import { tool, toolFingerprint } from '../tools/tool.ts';
import { Toolbox } from '../tools/toolbox.ts';
import type { CallStatus, CommandBody, RunDetail, RunFilter } from './api.ts';
import { isBuilt, pageFile, pageHeaders } from './assets.ts';
import { liveFeed, truncate } from './live-feed.ts';
import type { InspectorOptions } from './options.ts';
import type { RunIndex } from './run-index.ts';
import { figuresOf } from './stats.ts';

/** Base path of the inspector. */
export const root = '/inspector';
const longestBody = 1024 * 1024;

/** An authorized request. */
interface PageRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
  readonly index: RunIndex;
  readonly options: InspectorOptions;
}

/** Handles a request for the page's files or its API. */
export async function handlePageRequest(asked: PageRequest): Promise<void> {
  const { request, response, url } = asked;
  const path = url.pathname.slice(root.length);
  const [, api, what = '', ...rest] = path.split('/');
  const route = api === 'api' ? routes[`${request.method} ${what}`] : undefined;
  try {
    if (route) await route(asked, rest.map(decodedPart));
    else if (api === 'api') refuse(response, 404, 'Not found');
    else if (path === '') sendJson(response, 308, {}, { location: `${root}/` });
    else await file(asked, path.slice(1) || 'index.html');
  } catch (error) {
    if (response.headersSent) response.destroy();
    else refuse(response, statusOf(error), error instanceof Error ? error.message : String(error));
  }
}

/** The status of each error; others are 500. */
const errorStatuses: Partial<Record<ToolmendErrorCode, number>> = {
  unknown_run: 404,
  invalid_option: 400,
  unstorable_edit: 422,
  invalid_edit: 422,
  not_waiting: 409,
  not_queued: 409,
  not_acknowledged: 409,
};

const statusOf = (error: unknown): number => (ToolmendError.isInstance(error) && errorStatuses[error.code]) || 500;

function decodedPart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new ToolmendError('invalid_option', `The path can't be decoded: ${part}`);
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
  'POST runs': command,
};

async function detail({ index, response, options }: PageRequest, run: string): Promise<void> {
  const row = index.row(run);
  const events: RunEvent[] = [];
  for await (const event of options.store.read(run))
    events.push(event.type === 'approval.requested' ? event : truncate(event));
  if (events.length === 0) index.forget(run);
  if (!row || events.length === 0) return refuse(response, 404, 'Unknown run; it may have been deleted');
  const canControl = options.control !== undefined;
  const children = index.children(run);
  sendJson(response, 200, {
    row,
    events,
    canApprove: options.canApprove === true,
    canControl,
    children,
  } satisfies RunDetail);
}

const commands: Readonly<Record<string, (runs: RunControl, run: string, body: CommandBody) => Promise<unknown>>> = {
  cancel: (runs, run, { reason }) => runs.cancel(run, reason),
  send: (runs, run, { message = '' }) => runs.send(run, message),
  interrupt: (runs, run, { message = '' }) => runs.interrupt(run, message),
  requeue: (runs, run) => runs.requeue(run),
  fork: async (runs, run, { seq }) => ({ run: await runs.fork(run, seq) }),
};

/** Carries out a command for a run, wherever it runs. */
async function command(
  { request, response, options }: PageRequest,
  [run = '', action = '']: readonly string[],
): Promise<void> {
  if (!options.control) return refuse(response, 403, 'Controlling runs is disabled here');
  const act = hasOwn(commands, action) ? commands[action] : undefined;
  if (!act) return refuse(response, 404, `Unknown command: expected one of: ${Object.keys(commands).join(', ')}`);
  if (!/^application\/json\b/.test(request.headers['content-type'] ?? '')) return refuse(response, 415, 'Send JSON');
  const { value = {}, problem } = await jsonOf(request);
  if (problem !== undefined) return refuse(response, 400, `Invalid command: ${problem}`);
  const body = readCommand(value);
  if (!body || ((action === 'send' || action === 'interrupt') && !body.message))
    return refuse(response, 400, 'Invalid command: expected a message or a reason as text, or seq as a whole number');
  sendJson(response, 200, { ok: true, ...((await act(options.control, run, body)) ?? {}) });
}

/** The values of a command; undefined if one has the wrong type. */
function readCommand(value: unknown): CommandBody | undefined {
  if (!isObject(value)) return undefined;
  const { reason, message, seq } = value;
  const isRight = [reason, message].every((text) => text === undefined || typeof text === 'string');
  return isRight && (seq === undefined || Number.isInteger(seq)) ? (value as CommandBody) : undefined;
}

async function decide(
  { request, response, options }: PageRequest,
  [run = '', callId = '']: readonly string[],
): Promise<void> {
  if (!options.canApprove) return refuse(response, 403, 'Approvals are disabled here');
  if (!/^application\/json\b/.test(request.headers['content-type'] ?? '')) return refuse(response, 415, 'Send JSON');
  const { value: body, problem } = await jsonOf(request);
  if (problem !== undefined)
    return refuse(response, body === undefined ? 400 : 422, `The arguments can't be used: ${problem}`);
  const decision = readApproval(body);
  if (!decision) return refuse(response, 400, 'Invalid decision: expected allow, deny or edit');
  const { store, control } = options;
  const asked = readRequestNumber(body);
  const state = await existingState(store, run);
  if (decision.type === 'edit') await checkEditByLog(store, run, callId, decision.input);
  if (!control) await decideApproval(store, run, callId, decision, { asked });
  else {
    // A worker that runs other calls of the run has to apply it.
    checkIsNewest(state, callId, asked);
    await control.approve(run, callId, decision);
  }
  options.onDecision?.(run, callId, decision);
  sendJson(response, 200, { ok: true });
}

/** Parses a JSON body, and reports what parsing would lose, such as a duplicate key or digits of a long number. */
async function jsonOf(request: IncomingMessage): Promise<{ readonly value?: unknown; readonly problem?: string }> {
  const text = await textOf(request);
  if (text === undefined) return { problem: 'it is too large' };
  if (text === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    const problem = parseFault(text);
    return { value, ...(problem !== undefined && { problem }) };
  } catch (error) {
    return { problem: messageOf(error) };
  }
}

/** The text of a body; undefined if it is too large. */
async function textOf(request: IncomingMessage): Promise<string | undefined> {
  try {
    return (await readBody(request, longestBody)).toString();
  } catch (error) {
    if (!hasCode(error, 'too_large')) throw error;
    request.destroy();
    return undefined;
  }
}

async function file({ request, response }: PageRequest, name: string): Promise<void> {
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return refuse(response, 405, 'Only GET and HEAD are allowed here');
  if (!isBuilt()) return refuse(response, 503, 'The page is not built: run `npm run build:web`');
  const found = await pageFile(name);
  if (!found) return refuse(response, 404, 'Not found');
  const zipped = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
  response.writeHead(200, {
    ...pageHeaders,
    'content-type': found.type,
    'cache-control': found.lasting ? 'public, max-age=31536000, immutable' : 'no-cache',
    ...(zipped && { 'content-encoding': 'gzip', vary: 'accept-encoding' }),
  });
  response.end(zipped ? found.gzipped : found.bytes);
}

/** Sequence number of the request that the page responds to, if given. */
const readRequestNumber = (value: unknown): number | undefined =>
  isObject(value) && typeof value.asked === 'number' ? value.asked : undefined;

/** Parses a decision; undefined if it is invalid. */
function readApproval(value: unknown): Decision | undefined {
  if (!isObject(value)) return undefined;
  const by = 'inspector';
  if (value.type === 'allow') return { type: 'allow', by };
  if (value.type === 'edit' && 'input' in value) return { type: 'edit', input: value.input, by };
  if (value.type !== 'deny') return undefined;
  return { type: 'deny', by, ...(typeof value.reason === 'string' && { reason: value.reason }) };
}

const statuses: ReadonlySet<string> = new Set<CallStatus>([
  ...(['ok', 'mended', 'invalid', 'failed', 'denied', 'waiting', 'open', 'unknown'] as const),
]);

/** Parses the filter in a URL. Empty and invalid values are ignored. */
function readFilter(query: URLSearchParams): RunFilter {
  const said = (name: string): string | undefined => query.get(name)?.trim() || undefined;
  const outcome = said('outcome');
  const repair = said('repair');
  const end = said('end');
  const limit = Number(said('limit'));
  const [tool, model, text, after] = [said('tool'), said('model'), said('text'), said('after')];
  return {
    ...(outcome !== undefined && statuses.has(outcome) && { outcome: outcome as CallStatus }),
    ...(repair !== undefined && hasOwn(repairKinds, repair) && { repair: repair as RepairKind }),
    ...(end !== undefined && hasOwn(runEnds, end) && { end: end as RunEnd }),
    ...(tool !== undefined && { tool }),
    ...(model !== undefined && { model }),
    ...(text !== undefined && { text }),
    ...(after !== undefined && { after }),
    ...(Number.isInteger(limit) && limit > 0 && { limit }),
  };
}

/**
 * Validates edited arguments against the definition in the log, to report problems immediately. If the log has no
 * definition, the process that resumes the run validates them.
 *
 * @throws InvalidEdit if they don't match
 */
async function checkEditByLog(store: Store, run: string, callId: string, input: unknown): Promise<void> {
  let specs: readonly ToolSpec[] = [];
  let asked: ApprovalRequested | undefined;
  for await (const event of store.read(run)) {
    if (event.type === 'run.started') specs = event.specs ?? [];
    if (event.type === 'approval.requested' && event.callId === callId) asked = event;
  }
  const { name, effect, fingerprint } = asked ?? {};
  const spec = specs.find((one) => one.name === name);
  if (spec?.type !== 'function' || !effect) return;
  const { description = '', schema } = spec;
  const known = tool({ name: spec.name, description, effect, ...(schema && { inputSchema: schema }) });
  if (toolFingerprint(known) !== fingerprint) return;
  checkEdit(spec.name, input, { toolbox: new Toolbox([known], { validate: false }) });
}

/** Sends a value as JSON. */
export function sendJson(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, {
    ...pageHeaders,
    'content-type': 'application/json',
    'cache-control': 'no-store',
    ...headers,
  });
  response.end(JSON.stringify(value));
}

/** Sends an error message. */
export const refuse = (response: ServerResponse, status: number, message: string): void =>
  sendJson(response, status, { error: { message } });
