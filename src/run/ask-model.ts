import { callParts } from '../dialect/call/call-part.ts';
import { callsOutsideText } from '../dialect/call/calls-outside-text.ts';
import type { ReadCallsOptions } from '../dialect/call-reader.ts';
import { readCalls } from '../dialect/read-calls.ts';
import { onAbort } from '../execute/run-tool.ts';
import { messageOf } from '../execute/tool-result.ts';
import { checkValue } from '../json/check-value.ts';
import { defaultLimits } from '../json/limits.ts';
import { ToolmendError } from '../json/toolmend-error.ts';
import { ownCopy } from '../json/value.ts';
import { history } from '../log/fold.ts';
import { RedactingBuffer } from '../log/redact/open-secret.ts';
import { allowsTextCalls } from '../mend/finish-reason.ts';
import { makeId } from '../mend/make-id.ts';
import { preview } from '../mend/preview.ts';
import type {
  AssistantPart,
  CallPart,
  Message,
  ModelRequest,
  ToolSpec,
  TurnEvent,
  TurnFailed,
  TurnFinished,
  TurnResponse,
} from '../model/index.ts';
import type { Toolbox } from '../tools/toolbox.ts';
import { type RunContext, stopSignal } from './context.ts';
import type { PreparedStep } from './steps/step.ts';

/** Time for a stopped model to end its turn, in milliseconds. */
const grace = 1000;

/** Requests the next response and publishes its events. */
export async function askModel(context: RunContext, step: PreparedStep = {}): Promise<TurnFinished | TurnFailed> {
  const { state, journal, trace } = context;
  const { model, activeTools: tools } = step;
  const turn = state.turn + 1;
  // Committed first, so that a process that crashes during the turn has used it up. Otherwise it could repeat it
  // forever.
  await journal.commit({
    type: 'turn.requested',
    turn,
    ...(model && { model: { name: model.name, provider: model.provider } }),
    ...(tools && { tools }),
  });
  return trace ? trace.withinTurn(() => answer(context, turn, step)) : answer(context, turn, step);
}

async function answer(context: RunContext, turn: number, step: PreparedStep): Promise<TurnFinished | TurnFailed> {
  const stop = stopSignal(context);
  const live = liveWords(context, turn);
  const late = lateness(stop);
  let over = false;
  const told = (event: TurnEvent): void => {
    if (!over) live.tell(event);
  };
  try {
    // One race for the whole turn, because a stream can have thousands of events.
    const answer = await Promise.race([heard(context, step, stop, told), late.promise]);
    live.end();
    return answer ?? failed('The model did not stop', true);
  } finally {
    over = true;
    late.clear();
  }
}

/** Consumes the model's events until the first final one. */
async function heard(
  context: RunContext,
  step: PreparedStep,
  stop: AbortSignal,
  tell: (event: TurnEvent) => void,
): Promise<TurnFinished | TurnFailed> {
  let events: AsyncIterator<TurnEvent> | undefined;
  try {
    const model = step.model ?? context.model;
    const request = modelRequest(context, step);
    // A client that changes its request must not change the run.
    const messages = request.messages.map((message) => ownCopy(message));
    events = model.stream({ ...request, messages }, { signal: stop })[Symbol.asyncIterator]();
    for (let next = await events.next(); !next.done; next = await events.next()) {
      const event = next.value;
      if (event.type === 'turn.finished' && isWhole(event)) return event;
      // A model that was stopped didn't fail, whatever error it reports.
      if (event.type === 'turn.failed')
        return stop.aborted ? { ...event, error: { ...event.error, kind: 'aborted' } } : event;
      tell(event);
    }
    return failed('The model ended without a response', stop.aborted);
  } catch (error) {
    return failed(messageOf(error), stop.aborted);
  } finally {
    // Doesn't wait for cleanup after the final event.
    Promise.resolve()
      .then(() => events?.return?.())
      .catch(() => {});
  }
}

/** Resolves some time after a signal aborts, for models that ignore it. */
function lateness(signal: AbortSignal): { readonly promise: Promise<undefined>; clear(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let forget: (() => void) | undefined;
  const promise = new Promise<undefined>((resolve) => {
    const wait = (): void => {
      timer = setTimeout(() => resolve(undefined), grace);
    };
    if (signal.aborted) wait();
    else forget = onAbort(signal, wait);
  });
  const clear = (): void => {
    clearTimeout(timer);
    forget?.();
  };
  return { promise, clear };
}

/** Checks at run time, because custom models may violate their types. */
const isWhole = ({ response }: TurnFinished): boolean => {
  if (Array.isArray(response?.message?.parts)) return true;
  throw new ToolmendError(
    'invalid_model',
    'The model finished without a response: expected response.message.parts in turn.finished',
  );
};

const failed = (message: string, aborted: boolean): TurnFailed => ({
  type: 'turn.failed',
  error: { kind: aborted ? 'aborted' : 'protocol', message, retryable: false },
  response: { message: { role: 'assistant', parts: [] }, finish: 'error' },
});

/** The request for the model. With one attempt left on a tool, only that tool is offered. */
export function modelRequest(context: RunContext, step: PreparedStep = {}): ModelRequest {
  const { state, tools, tally, settings } = context;
  const { instructions = context.instructions, activeTools, toolChoice, modelSettings } = step;
  const active = activeTools ? tools.filter(({ name }) => activeTools.includes(name)) : tools;
  const last = tally.lastTry();
  const alone = last === undefined ? undefined : active.find(({ name }) => name === last);
  const offered: readonly ToolSpec[] = alone ? [alone] : active;
  const said = step.messages ?? history(state);
  const messages: readonly Message[] = instructions
    ? [{ role: 'system', parts: [{ type: 'text', text: instructions }] }, ...said]
    : said;
  return {
    ...settings,
    ...modelSettings,
    messages,
    ...(offered.length > 0 && { tools: offered }),
    ...(alone ? { toolChoice: { tool: alone.name } } : toolChoice && { toolChoice }),
  };
}

/** The live events of a turn. Text is buffered while it may contain the start of a secret. */
function liveWords({ id: run, live, heldFrom, isHeard }: RunContext, turn: number) {
  const parts = new Map<
    number,
    { readonly type: string; readonly callId: string; readonly held: RedactingBuffer | undefined }
  >();
  const partAt = (index: number, type = 'text', callId = '') => {
    const part = parts.get(index) ?? { type, callId, held: heldFrom && new RedactingBuffer(heldFrom) };
    parts.set(index, part);
    return part;
  };
  const say = (index: number, text: string): void => {
    if (text === '') return;
    const { type, callId } = partAt(index);
    if (type === 'call') live({ type: 'call.delta', run, turn, callId, text });
    else live({ type: type === 'reasoning' ? 'reasoning.delta' : 'text.delta', run, turn, text });
  };
  const grow = (index: number, text: string): void => {
    const { held } = partAt(index);
    // Without listeners, the text is only collected.
    say(index, held ? held.push(text, isHeard()) : text);
  };
  const finish = (index: number): void => say(index, parts.get(index)?.held?.end() ?? '');
  return {
    tell(event: TurnEvent): void {
      if (event.type === 'part.delta') grow(event.index, event.text);
      if (event.type === 'part.finished') finish(event.index);
      if (event.type !== 'part.started') return;
      const { part, index } = event;
      partAt(index, part.type, part.type === 'call' ? part.id : '');
      if (part.type === 'call') live({ type: 'call.started', run, turn, callId: part.id, name: part.name });
      // Some APIs start a part with text.
      const text = part.type === 'call' ? part.arguments : 'text' in part ? part.text : '';
      if (typeof text === 'string' && text !== '') grow(index, text);
    },
    end(): void {
      for (const index of parts.keys()) finish(index);
    },
  };
}

/** A normalized response, and whether its text only repeats calls that the model was shown. */
export interface NormalizedResponse {
  readonly response: TurnResponse;
  readonly echo: boolean;
}

/**
 * Converts calls in text to calls if there are no native ones. A model that writes a call as text intends to call, and
 * the loop must not end there.
 */
export function withTextCalls(response: TurnResponse, toolbox: Toolbox, options: ReadCallsOptions): NormalizedResponse {
  const { parts } = response.message;
  const texts = parts.filter((part) => part.type === 'text');
  const [first] = texts;
  if (parts.some(({ type }) => type === 'call') || !allowsTextCalls(response.finish)) return { response, echo: false };
  if (!first || !texts.some((part) => /\S/.test(part.text)))
    return { response: callsOutsideText(response, toolbox, options)?.response ?? response, echo: false };
  const cut = response.finish === 'length';
  // All text is read together, because the text after a call decides whether it is one.
  const whole = texts.map((part) => part.text).join('');
  const { text, calls, note } = readCalls(whole, toolbox, { ...options, truncated: cut });
  if (calls.length === 0) return { response, echo: note === 'echo' };
  const words: AssistantPart[] = text.trim() === '' ? [] : [{ ...first, text }];
  const made = [...words, ...callParts(calls)];
  const read = parts.flatMap((part) => (part === first ? made : part.type === 'text' ? [] : [part]));
  const finish = cut ? 'length' : 'tool_calls';
  return { response: { ...response, message: { ...response.message, parts: read }, finish }, echo: false };
}

/**
 * Gives new ids to calls whose id was used before in the run, because some servers restart their count with each
 * response. Also makes arguments serializable.
 */
export function withOwnIds(response: TurnResponse, seen: { has(id: string): boolean }): TurnResponse {
  const used = new Set<string>();
  const taken = (id: string): boolean => id === '' || seen.has(id) || used.has(id);
  const parts = response.message.parts.map((part) => {
    if (part.type !== 'call') return part;
    const id = taken(part.id) ? makeId() : part.id;
    used.add(id);
    const call = writableCall(part);
    return id === call.id ? call : { ...call, id };
  });
  return { ...response, message: { ...response.message, parts } };
}

const longestPreview = 2000;
const limits = { ...defaultLimits, keys: Number.POSITIVE_INFINITY };

/**
 * Makes a call serializable. Arguments that JSON can't express (a cycle, a BigInt, endless nesting) become a preview,
 * and the call never runs.
 */
function writableCall(part: CallPart): CallPart {
  if (typeof part.arguments === 'string' || isWritable(part.arguments)) return part;
  const message = 'Root object is nested too deep or has a value that JSON cannot express';
  const found = [...(part.found ?? []), { path: [], code: 'depth', message } as const];
  return { ...part, arguments: preview(part.arguments, longestPreview), found };
}

function isWritable(value: unknown): boolean {
  const fault = value === undefined ? undefined : checkValue(value, limits);
  // Other limits are checked with the call, because such arguments can be serialized.
  return !fault || fault.what === 'undefined' || (fault.what === 'limit' && fault.path.length < limits.depth);
}
