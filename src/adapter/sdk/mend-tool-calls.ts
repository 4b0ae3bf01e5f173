import { callsOutsideText } from '../../dialect/call/calls-outside-text.ts';
import { type CallContext, contextOf } from '../../dialect/echo/context.ts';
import { checkArgument, isObject } from '../../json/value.ts';
import { feedback } from '../../mend/feedback/feedback.ts';
import { type CheckedCall, splitCalls } from '../../mend/mend-call.ts';
import type { GoodOutcome, Outcome } from '../../mend/outcome.ts';
import type { AssistantMessage, Format, Message, ResultPart, TextPart } from '../../model/index.ts';
import { rescueCall } from '../../provider/client/rescue-call.ts';
import { fitHistory, fitSignatures, fitTexts } from '../../provider/compat/messages.ts';
import { safeNames, toolRules } from '../../provider/compat/safe-names.ts';
import { wires } from '../../provider/wire/route.ts';
import { specOf, type Tool, toolContext } from '../../tools/tool.ts';
import type { Toolbox } from '../../tools/toolbox.ts';
import { type MendOptions, mendTurn } from '../mend-turn.ts';
import { type PastCall, pastFeedback } from '../past-feedback.ts';
import { readSdkEvents, readSdkResponse, readSdkStream, type SdkTurn } from './read-sdk-response.ts';
import type { SdkMessage } from './sdk-types.ts';
import { fittingOf, type SdkTools, sdkToolbox } from './to-sdk-tools.ts';

/** Options of `mendToolCalls`. */
export interface MendToolCallsOptions extends MendOptions {
  /**
   * The messages that you sent (`messages`, `input` or `contents`). They are needed to read calls in text, to accept a
   * call that the model repeats after a doubt, and to give more detail after each failed attempt.
   */
  readonly messages?: string | readonly object[];
  /**
   * The dialect for calls in text; `native` doesn't read text.
   * @default 'auto' with `messages`, otherwise 'native'
   */
  readonly dialect?: string;
}

/** The calls of a response, and the messages to send back. */
export interface MendedToolCalls<T extends Tool = Tool, M = unknown> {
  /** One outcome for each call, in order. Empty if the model made no call. */
  readonly outcomes: readonly Outcome<T>[];
  /** The text of the response. */
  readonly text: string;
  /**
   * The messages to send back, without the results of the calls that can run: the model's message with the mended calls,
   * and feedback for those that can't run.
   */
  readonly messages: readonly M[];
  /**
   * Runs the calls that can run, one after the other, and returns all messages to send back.
   *
   * @param run runs a call and returns its result: text, or a value that becomes JSON. If it throws, the model receives
   *   the error's message. By default, the `execute` of the tool runs.
   */
  reply(run?: (call: GoodOutcome<T>) => unknown): Promise<M[]>;
}

/**
 * Mends the calls in the response of an SDK: `openai` (Chat Completions and Responses), `@anthropic-ai/sdk`,
 * `@google/genai` or `ollama`. Also takes the events of a stream, as a list or as the stream itself.
 *
 * @throws ToolmendError if the response isn't from a supported SDK, or if a stream ended early
 *
 * @example
 * const { outcomes, reply } = mendToolCalls(response, toolbox, { messages });
 * messages.push(...(await reply((call) => run(call.name, call.value))));
 */
export function mendToolCalls<E, T extends Tool>(
  stream: AsyncIterable<E>,
  tools: SdkTools<T>,
  options?: MendToolCallsOptions,
): Promise<MendedToolCalls<T, SdkMessage<E>>>;
export function mendToolCalls<E, T extends Tool>(
  events: readonly E[],
  tools: SdkTools<T>,
  options?: MendToolCallsOptions,
): MendedToolCalls<T, SdkMessage<E>>;
export function mendToolCalls<R extends object, T extends Tool>(
  response: R,
  tools: SdkTools<T>,
  options?: MendToolCallsOptions,
): MendedToolCalls<T, SdkMessage<R>>;
export function mendToolCalls(
  source: unknown,
  tools: SdkTools,
  options: MendToolCallsOptions = {},
): MendedToolCalls | Promise<MendedToolCalls> {
  checkArgument(typeof source === 'object' && source !== null, 'response', 'a response of an SDK', source);
  checkArgument(isObject(options), 'options', '{ messages, dialect, hosted, policy, onCall }', options);
  const toolbox = sdkToolbox(tools);
  const mend = (turn: SdkTurn): MendedToolCalls => mendedOf(turn, toolbox, options);
  if (Array.isArray(source)) return mend(readSdkEvents(source));
  if (!(Symbol.asyncIterator in (source as object))) return mend(readSdkResponse(source as object));
  return readSdkStream(source as AsyncIterable<unknown>).then(mend);
}

function mendedOf({ format, response }: SdkTurn, toolbox: Toolbox, options: MendToolCallsOptions): MendedToolCalls {
  const past = pastOf(format, options.messages);
  const context: CallContext = () => contextOf(past ?? []);
  const fitting = fittingOf(toolbox, format);
  const request = past && { messages: past, tools: toolbox.list().map(specOf) };
  const restored = fitting.undoResponse((request && rescueCall(response, request)) ?? response);
  const dialect = options.dialect ?? (past ? 'auto' : 'native');
  const split = splitCalls(restored, toolbox, options.policy);
  const reads = { ...options, dialect, ...(past && { context }) };
  const outside = dialect === 'native' ? undefined : callsOutsideText(split, toolbox, reads);
  const { response: mended, calls } = mendTurn(outside?.response ?? split, toolbox, reads);
  const texts = feedbackFor(calls, past ?? [], toolbox, options);
  const refused = calls.map((call, at) => resultOf(call, texts.get(at) ?? '', true));
  const write = (results: readonly ResultPart[]): unknown[] =>
    written(format, fitting.target, toolbox, mended.message, results);
  return {
    outcomes: calls.map(({ outcome }) => outcome),
    text: mended.message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(''),
    messages: write(refused.filter((_, at) => texts.has(at))),
    async reply(run = execute) {
      checkArgument(typeof run === 'function', 'run', 'a function that runs a call', run);
      // Checked before anything runs.
      if (run === execute)
        for (const { outcome } of calls) if (outcome.status !== 'invalid') checkExecutes(outcome.tool);
      const results: ResultPart[] = [];
      for (const [at, call] of calls.entries()) {
        const { outcome } = call;
        results.push(outcome.status === 'invalid' ? (refused[at] as ResultPart) : await resultBy(run, call, outcome));
      }
      return write(results);
    },
  };
}

const fields: Readonly<Record<Format, string>> = {
  'openai-chat': 'messages',
  'openai-responses': 'input',
  anthropic: 'messages',
  gemini: 'contents',
  ollama: 'messages',
};

/** The conversation before the response, in the common format. */
function pastOf(format: Format, messages: string | readonly object[] | undefined): readonly Message[] | undefined {
  if (messages === undefined) return undefined;
  if (typeof messages === 'string') return [{ role: 'user', parts: [text(messages)] }];
  checkArgument(Array.isArray(messages), 'messages', 'the messages that you sent', messages);
  // A copy without class instances and fields that are undefined.
  const wire: unknown = JSON.parse(JSON.stringify({ model: 'any', max_tokens: 1, [fields[format]]: messages }));
  return wires[format].readRequest(wire).messages;
}

/** Feedback for the calls that can't run, by place. It becomes more detailed with each failed attempt. */
function feedbackFor(
  calls: readonly CheckedCall[],
  past: readonly Message[],
  toolbox: Toolbox,
  { policy }: MendToolCallsOptions,
): ReadonlyMap<number, string> {
  const earlier = past.flatMap(({ parts }, turn) =>
    parts.flatMap((part): PastCall[] =>
      part.type === 'call' ? [{ id: part.id, name: part.name, arguments: part.arguments, turn }] : [],
    ),
  );
  const idAt = (at: number): string => `call ${at} of the response`;
  const now = calls.map(({ outcome: { raw } }, at): PastCall => {
    const { name, arguments: args, finishReason: finish, found } = raw;
    return {
      id: idAt(at),
      name,
      arguments: args,
      turn: past.length,
      ...(finish && { finish }),
      ...(found && { found }),
    };
  });
  const texts = pastFeedback([...earlier, ...now], toolbox, policy);
  return new Map(
    calls.flatMap(({ outcome }, at): [number, string][] =>
      outcome.status === 'invalid' ? [[at, texts.get(idAt(at)) ?? feedback(outcome, { toolbox }).text]] : [],
    ),
  );
}

const text = (words: string): TextPart => ({ type: 'text', text: words });

const resultOf = ({ part }: CheckedCall, words: string, isError = false): ResultPart => ({
  type: 'result',
  callId: part.id,
  name: part.name,
  content: [text(words)],
  ...(isError && { isError }),
});

const checkExecutes = ({ name, execute: run }: Tool): void =>
  checkArgument(
    typeof run === 'function',
    'run',
    `a function that runs a call, because the tool '${name}' has no execute()`,
    run,
  );

/** Runs the function of the tool. Its notes follow the result. */
async function execute({ tool, value, raw }: GoodOutcome): Promise<string> {
  const notes: string[] = [];
  const context = toolContext({ callId: raw.id, note: (words) => notes.push(words) });
  return [textOf(await tool.execute?.(value, context)), ...notes.map((words) => `Note: ${words}`)].join('\n\n');
}

/** A tool without output has still run, and the model must know. */
const textOf = (output: unknown): string => (typeof output === 'string' ? output : (JSON.stringify(output) ?? 'Done.'));

async function resultBy(
  run: (call: GoodOutcome) => unknown,
  call: CheckedCall,
  outcome: GoodOutcome,
): Promise<ResultPart> {
  try {
    const words = textOf(await run(outcome));
    const { note } = outcome;
    return resultOf(call, note === undefined ? words : `${words}\n\nNote: ${note}`);
  } catch (error) {
    return resultOf(call, error instanceof Error ? error.message : String(error), true);
  }
}

/** Writes the model's message and the results, with names and arguments that the API accepts in a conversation. */
function written(
  format: Format,
  target: keyof typeof toolRules,
  toolbox: Toolbox,
  message: AssistantMessage,
  results: readonly ResultPart[],
): unknown[] {
  const called = message.parts.flatMap((part) => (part.type === 'call' ? [part.name] : []));
  const names = safeNames([...toolbox.list().map(({ name }) => name), ...called], toolRules[target]);
  const all: Message[] = results.length > 0 ? [message, { role: 'user', parts: results }] : [message];
  const messages = fitHistory(fitSignatures(fitTexts(all, target, []), target, []), names, []);
  return wires[format].writeRequest({ model: 'any', messages }).wire[fields[format]] as unknown[];
}
