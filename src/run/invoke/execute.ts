import { resultPart, type Shaped } from '../../execute/result-part.ts';
import { abandoned, runTool, type ToolEnd, untilAborted } from '../../execute/run-tool.ts';
import { messageOf, type ToolResult, toolResult } from '../../execute/tool-result.ts';
import { clip } from '../../json/clip.ts';
import type { GoodOutcome } from '../../mend/outcome.ts';
import type { CallPart } from '../../model/index.ts';
import { type Tool, toolContext } from '../../tools/tool.ts';
import { stop } from './respond.ts';
import type { Invocation, InvokeOptions } from './types.ts';

const defaultTimeout = 120_000;
const longest = 2000;

/** Runs a call as soon as a slot is free. */
export async function execute(part: CallPart, outcome: GoodOutcome, options: InvokeOptions): Promise<Invocation> {
  const release = await options.gate?.();
  try {
    if (options.signal?.aborted) return await stop(part, outcome, options);
    return await performNow(part, outcome, options);
  } finally {
    release?.();
  }
}

/** Runs a call between two committed records. */
async function performNow(part: CallPart, outcome: GoodOutcome, options: InvokeOptions): Promise<Invocation> {
  const { tool, name, input, value } = outcome;
  const { record, signal, run = '' } = options;
  const callId = part.id;
  // Outside of a run, ids can repeat, so the key must be unique per call.
  const key = callKey(run || crypto.randomUUID(), callId);
  const { effect, repeat } = tool;
  await record?.commit({ type: 'tool.started', callId, name, input, key, effect, repeat });

  const notes = outcome.note === undefined ? [] : [outcome.note];
  const context = toolContext({
    ...{ callId, key },
    ...(options.scope && { scope: options.scope }),
    note: (text) => notes.push(text),
    progress: (progress) => options.live?.({ type: 'tool.progressed', run, callId, progress }),
  });
  const late = (end: ToolEnd): void => {
    // The run may be over by then, and log failures have been reported already.
    record?.commit({ type: 'tool.orphaned', callId, name, outcome: lateWords(end) }).catch(() => {});
  };
  const begun = Date.now();
  const timeout = tool.timeout ?? options.timeout ?? defaultTimeout;
  const work = (): Promise<ToolEnd> =>
    runTool(tool, value, context, { timeout, signal, late, execute: options.execute });
  const end = await (options.within ? options.within(callId, work) : work());
  const ms = Date.now() - begun;

  const { part: result, result: shaped } = await shape(part, outcome, resultOf(end, tool, notes), options);
  const failed = shaped.ok
    ? {}
    : { errorType: shaped.errorType, error: clip(shaped.error, longest), recommendations: shaped.recommendations };
  await record?.commit({ type: 'tool.finished', callId, name, ok: shaped.ok, ...failed, result, ms });
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
  part: CallPart,
  { tool, name, input }: GoodOutcome,
  result: ToolResult,
  options: InvokeOptions,
): Promise<Shaped> {
  const call = { callId: part.id, tool, name, input };
  let last = result;
  try {
    const said = await untilAborted(options.hooks?.after?.(call, result), options.signal);
    last = said === abandoned || !said ? result : said;
  } catch (error) {
    // The tool has run, so its result stays and the hook's failure becomes a note.
    last = { ...result, note: [result.note, `A hook failed: ${messageOf(error)}`].filter(Boolean).join(' ') };
  }
  const shaped = resultPart({ callId: part.id, name }, last, options.results);
  if (!options.results?.spill) return shaped;
  const kept = await untilAborted(shaped, options.signal);
  // Storing the rest of a long result may hang, and the run was stopped.
  return kept === abandoned
    ? resultPart({ callId: part.id, name }, last, { ...options.results, spill: undefined })
    : kept;
}

function lateWords(end: ToolEnd): string {
  const words =
    end.type === 'returned' ? messageOf(end.output) : end.type === 'threw' ? messageOf(end.error) : end.type;
  return clip(words, longest);
}

/** The idempotency key of a call: the same whenever the call runs, in any process. */
export const callKey = (run: string, callId: string): string => `${run}/${callId}`;
