import { resultPart, type Shaped } from '../../execute/result-part.ts';
import { abandoned, runTool, type ToolEnd, untilAborted } from '../../execute/run-tool.ts';
import {
  exactJson,
  isPending,
  messageOf,
  type Pending,
  type ToolResult,
  toolResult,
} from '../../execute/tool-result.ts';
import { clip } from '../../json/clip.ts';
import { hasCode, ToolmendError } from '../../json/toolmend-error.ts';
import { ownCopy } from '../../json/value.ts';
import type { ToolFinished } from '../../log/events.ts';
import { redactedText } from '../../log/redact/redact.ts';
import type { GoodOutcome } from '../../mend/outcome.ts';
import type { CallPart } from '../../model/index.ts';
import { schemaOf } from '../../schema/schema.ts';
import { type CallUsage, type Tool, toolContext } from '../../tools/tool.ts';
import { stop } from './respond.ts';
import type { Invocation, InvokeOptions } from './types.ts';

const defaultTimeout = 120_000;
const longest = 2000;

/** Runs a call as soon as a slot is free. */
export async function execute(part: CallPart, outcome: GoodOutcome, options: InvokeOptions): Promise<Invocation> {
  const release = await options.gate?.();
  try {
    if (options.signal?.aborted) return await stop(part, outcome, options);
    const { tool } = outcome;
    const isOutside = options.wait && !options.execute && !tool.execute && !tool.executor;
    return await (isOutside ? requestResult(part, outcome, {}, options) : performNow(part, outcome, options));
  } finally {
    release?.();
  }
}

/** Runs a call between two committed records. */
async function performNow(part: CallPart, allowed: GoodOutcome, options: InvokeOptions): Promise<Invocation> {
  const { tool, name, value } = allowed;
  // A tool that changes its arguments must not change the conversation. A value from a schema may share parts of them.
  const input = ownCopy(allowed.input);
  const outcome: GoodOutcome = { ...allowed, input, value: value === allowed.input ? input : value };
  const { record, signal, run = '' } = options;
  const callId = part.id;
  // Outside of a run, ids can repeat, so the key must be unique per call.
  const key = callKey(run || crypto.randomUUID(), callId);
  const { effect, repeat, repeatable } = tool;
  const child = tool.executor?.childOf?.(key);
  const started = { type: 'tool.started', callId, name, input, key, effect, repeat } as const;
  await record?.commit({ ...started, ...(repeatable && { repeatable }), ...(child !== undefined && { child }) });

  const notes = outcome.note === undefined ? [] : [outcome.note];
  let snapshot: unknown;
  let used: Pick<EndedTool, 'usage' | 'cost'> = {};
  const { again } = options;
  const context = toolContext({
    callId,
    key,
    earlier: options.earlier?.(name),
    saveSnapshot: (value) => {
      snapshot = value;
    },
    addUsage: (usage, cost) => {
      used = { usage, ...(cost !== undefined && { cost }) };
    },
    note: (text) => notes.push(text),
    progress: (progress) => options.live?.({ type: 'tool.progressed', run, callId, progress }),
    ...(options.run !== undefined && { run: options.run }),
    ...(options.depth && { depth: options.depth }),
    ...(options.resumePolicy && { resumePolicy: options.resumePolicy }),
    ...(options.context !== undefined && { context: ownCopy(options.context) }),
    ...(options.scope && { scope: options.scope }),
    ...(options.resultUrl && { resultUrl: options.resultUrl(callId) }),
    ...(again && { again: () => again(callId) }),
  });
  const late = (end: ToolEnd): void => {
    // The run may be over by then, and log failures have been reported already.
    record?.commit({ type: 'tool.orphaned', callId, name, outcome: lateWords(end) }).catch(() => {});
  };
  // Not the wall clock, which can jump.
  const begun = performance.now();
  const timeout = tool.timeout ?? options.timeout ?? defaultTimeout;
  const work = (): Promise<ToolEnd> =>
    runTool(tool, value, context, { timeout, signal, late, execute: options.execute });
  const end = await (options.within ? options.within(callId, work) : work());
  // The call has no result: the next process that resumes the run continues its child.
  if (child !== undefined && end.type === 'threw' && isStorageFailure(end.error)) throw end.error;
  if (end.type === 'returned' && isPending(end.output)) {
    if (options.wait) return requestResult(part, outcome, { ...end.output, ...used }, options);
    return finish(
      outcome,
      { callId, end: { type: 'threw', error: cannotWait(name) }, ms: Math.round(performance.now() - begun) },
      options,
    );
  }
  return finish(
    outcome,
    { callId, end, notes, ms: Math.round(performance.now() - begun), snapshot: asJson(snapshot), ...used },
    options,
  );
}

/** Whether the log of a child run failed, so that its parent can't know the outcome either. */
export const isStorageFailure = (error: unknown): error is ToolmendError => hasCode(error, 'storage_failed');

const cannotWait = (name: string): Error =>
  new ToolmendError('unsupported', `The result of '${name}' arrives later, and this program can't wait for it`);

/** Records that a call waits for its result from outside. */
async function requestResult(
  { id: callId }: CallPart,
  outcome: GoodOutcome,
  { key, timeout = outcome.tool.resultTimeout, usage, cost }: Pending & Pick<EndedTool, 'usage' | 'cost'>,
  { record }: InvokeOptions,
): Promise<Invocation> {
  const { name, input, tool } = outcome;
  const schema = schemaOf(tool.outputSchema).json;
  await record?.commit({
    type: 'result.requested',
    callId,
    name,
    input,
    ...(key !== undefined && { key }),
    ...(timeout !== undefined && Number.isFinite(timeout) && { timeout, expiresAt: Date.now() + timeout }),
    ...(schema !== undefined && { schema }),
    ...(tool.repeatable && { repeatable: true }),
    ...(usage && { usage }),
    ...(cost !== undefined && { cost }),
  });
  return { state: 'result_required', outcome };
}

/** A tool that has ended. */
export interface EndedTool {
  readonly callId: string;
  readonly end: ToolEnd;
  readonly notes?: readonly string[];
  readonly ms: number;
  readonly snapshot?: unknown;
  readonly usage?: CallUsage;
  readonly cost?: number;
}

/** A snapshot that JSON can't express isn't stored, and an earlier one must not be restored instead. */
function asJson(snapshot: unknown): unknown {
  try {
    return snapshot === undefined ? undefined : JSON.parse(exactJson(snapshot) ?? 'null');
  } catch {
    return redactedText;
  }
}

/** Shapes and records the result of a tool. */
export async function finish<O extends Pick<GoodOutcome, 'tool' | 'name' | 'input'>>(
  outcome: O,
  { callId, end, notes = [], ms, snapshot, usage, cost }: EndedTool,
  options: InvokeOptions,
): Promise<{ state: 'completed' | 'failed'; outcome: O } & Required<Pick<Invocation, 'result' | 'value'>>> {
  const { name, tool } = outcome;
  const { part: result, result: shaped } = await shape(callId, outcome, resultOf(end, tool, notes), options);
  const failed = shaped.ok
    ? {}
    : { errorType: shaped.errorType, error: clip(shaped.error, longest), recommendations: shaped.recommendations };
  const fact: ToolFinished = {
    type: 'tool.finished',
    callId,
    name,
    ok: shaped.ok,
    ...failed,
    result,
    ms,
    ...(snapshot !== undefined && { snapshot }),
    ...(usage && { usage }),
    ...(cost !== undefined && { cost }),
  };
  // The next request of the loop commits it together with its own record.
  if (options.isLast?.(callId) && !options.signal?.aborted) options.record?.note(fact);
  else await options.record?.commit(fact);
  return { state: shaped.ok ? 'completed' : 'failed', outcome, result, value: shaped };
}

/** Reading a tool's return value can throw. */
function resultOf(end: ToolEnd, tool: Tool, notes: readonly string[]): ToolResult {
  try {
    return toolResult(end, tool, notes.join(' '));
  } catch (error) {
    return toolResult({ type: 'threw', error }, tool);
  }
}

async function shape(
  callId: string,
  { tool, name, input }: Pick<GoodOutcome, 'tool' | 'name' | 'input'>,
  result: ToolResult,
  options: InvokeOptions,
): Promise<Shaped> {
  const last = options.hooks?.after ? await afterHook(callId, { tool, name, input }, result, options) : result;
  const shaped = resultPart({ callId, name }, last, options.results);
  if (!options.results?.spill) return shaped;
  const kept = await untilAborted(shaped, options.signal);
  // Storing the rest of a long result may hang, and the run was stopped.
  return kept === abandoned ? resultPart({ callId, name }, last, { ...options.results, spill: undefined }) : kept;
}

/** The result as the hook returns it. */
async function afterHook(
  callId: string,
  { tool, name, input }: Pick<GoodOutcome, 'tool' | 'name' | 'input'>,
  result: ToolResult,
  { hooks, run, context, signal }: InvokeOptions,
): Promise<ToolResult> {
  const call = {
    callId,
    tool,
    name,
    input: ownCopy(input),
    ...(run !== undefined && { run }),
    ...(context !== undefined && { context: ownCopy(context) }),
  };
  try {
    const said = await untilAborted(hooks?.after?.(call, result), signal);
    return said === abandoned || !said ? result : said;
  } catch (error) {
    // The tool has run, so its result stays and the hook's failure becomes a note.
    return { ...result, note: [result.note, `A hook failed: ${messageOf(error)}`].filter(Boolean).join(' ') };
  }
}

function lateWords(end: ToolEnd): string {
  const words =
    end.type === 'returned' ? messageOf(end.output) : end.type === 'threw' ? messageOf(end.error) : end.type;
  return clip(words, longest);
}

/** The idempotency key of a call: the same whenever the call runs, in any process. */
export const callKey = (run: string, callId: string): string => `${run}/${callId}`;
