import { renderCalls, renderResults } from '../../dialect/render.ts';
import { toolPrompt } from '../../dialect/tool-prompt.ts';
import type { Dialect } from '../../dialect/types.ts';
import { hasCode } from '../../json/toolmend-error.ts';
import { isObject, type JsonObject } from '../../json/value.ts';
import { mend } from '../../mend/mend.ts';
import type {
  AssistantMessage,
  AssistantPart,
  CallPart,
  Message,
  ModelRequest,
  ResultPart,
  SystemMessage,
  ToolChoice,
  UserMessage,
} from '../../model/index.ts';
import { toolFromSpec } from '../../tools/tool.ts';
import { Toolbox } from '../../tools/toolbox.ts';
import { writeErrorText } from '../wire/errors.ts';

/** A request without native tools, and the tools that the model may call in its text. */
interface TextRequest<Q extends ModelRequest = ModelRequest> {
  readonly question: Q;
  readonly toolbox: Toolbox;
}

/** A custom description of the tools for the model, or a function that returns one. */
export type ToolPromptText = string | ((tools: Toolbox) => string);

/**
 * Converts a request to one that expects calls in text: the system message describes the tools, and calls and results
 * in the history become text.
 */
export function askInText<Q extends ModelRequest>(
  question: Q,
  dialect: string | Dialect,
  prompt?: ToolPromptText,
): TextRequest<Q> {
  const toolbox = toolboxOf(question);
  const words = toolbox.size === 0 ? '' : wordsFor(toolbox, dialect, prompt, question);
  // Other fields of the request pass through unchanged.
  return { question: textRequest(question, { dialect, toolbox, prompt: words }) as Q, toolbox };
}

/** The tools of a request; none if `toolChoice` is `none`. */
function toolboxOf({ tools = [], toolChoice }: ModelRequest): Toolbox {
  const specs = toolChoice === 'none' ? [] : tools.filter((one) => one.type === 'function');
  return new Toolbox(specs.map(toolFromSpec), { validate: false });
}

function wordsFor(
  toolbox: Toolbox,
  dialect: string | Dialect,
  prompt: ToolPromptText | undefined,
  { toolChoice = 'auto', parallelCalls }: ModelRequest,
): string {
  const words = typeof prompt === 'function' ? prompt(toolbox) : (prompt ?? toolPrompt(toolbox, dialect));
  return [words, ...choiceWords(toolChoice), ...(parallelCalls === false ? ['Make one call at a time.'] : [])].join(
    '\n',
  );
}

function choiceWords(choice: ToolChoice): string[] {
  if (typeof choice === 'object') return [`This time you must call the tool ${choice.tool}.`];
  return choice === 'required' ? ['This time you must call a tool.'] : [];
}

/** How calls are written in text. */
interface TextForm {
  readonly dialect: string | Dialect;
  readonly toolbox: Toolbox;
  /** The description of the tools for the model. */
  readonly prompt: string;
}

/**
 * Converts a request for a model without tool support: the prompt joins the system message, and the history becomes
 * text.
 */
export function textRequest(question: ModelRequest, form: TextForm): ModelRequest {
  const { tools: _tools, toolChoice: _choice, parallelCalls: _parallel, messages, ...rest } = question;
  const names = new Map(
    messages
      .flatMap(({ parts }) => [...parts])
      .flatMap((part) => (part.type === 'call' ? [[part.id, part.name] as const] : [])),
  );
  return {
    ...rest,
    messages: prompted(
      messages.map((message) => asText(message, form, names)),
      form.prompt,
    ),
  };
}

/** Appends the prompt to the system message, or adds a system message. */
function prompted(messages: readonly Message[], prompt: string): readonly Message[] {
  if (prompt === '') return messages;
  const [first, ...rest] = messages;
  if (first?.role !== 'system') return [{ role: 'system', parts: [{ type: 'text', text: prompt }] }, ...messages];
  const last = first.parts.at(-1);
  const parts: SystemMessage['parts'] =
    last?.type === 'text' && !last.passthrough
      ? [...first.parts.slice(0, -1), { ...last, text: `${last.text}\n\n${prompt}` }]
      : [...first.parts, { type: 'text', text: prompt }];
  return [{ ...first, parts }, ...rest];
}

function asText(message: Message, form: TextForm, names: ReadonlyMap<string, string>): Message {
  if (message.role === 'assistant') return { ...message, parts: saidParts(message, form) };
  if (message.role === 'user') return { ...message, parts: heardParts(message, form, names) };
  return message;
}

/** Converts an assistant message; adjacent calls are written together. */
function saidParts({ parts }: AssistantMessage, form: TextForm): AssistantPart[] {
  const said: AssistantPart[] = [];
  for (let at = 0; at < parts.length; ) {
    const calls = callsFrom(parts, at);
    const part = parts[at] as AssistantPart;
    const text = calls.length > 0 ? callsText(calls, form) : part.type === 'text' ? part.text : undefined;
    const last = said.at(-1);
    if (text === undefined) said.push(part);
    else if (last?.type === 'text') said[said.length - 1] = { type: 'text', text: `${last.text}\n${text}` };
    else said.push({ type: 'text', text });
    at += Math.max(1, calls.length);
  }
  return said;
}

function callsFrom(parts: readonly AssistantPart[], from: number): CallPart[] {
  const calls: CallPart[] = [];
  for (let at = from; parts[at]?.type === 'call'; at += 1) calls.push(parts[at] as CallPart);
  return calls;
}

/** Writes calls in the dialect, or in the common one if the dialect can't express them. */
function callsText(calls: readonly CallPart[], { dialect, toolbox }: TextForm): string {
  const written = calls.map((call) => ({ name: call.name, arguments: inputOf(call, toolbox) }));
  const ways = [() => renderCalls(written, dialect, toolbox), () => renderCalls(written, dialect)];
  for (const way of ways) {
    try {
      return way();
    } catch (error) {
      if (!hasCode(error, 'unrenderable_calls')) throw error;
    }
  }
  return written.map((call) => `<tool_call>\n${JSON.stringify(call)}\n</tool_call>`).join('\n');
}

/** The mended arguments as an object, so that a bad call in the history doesn't affect later ones. */
function inputOf({ id, name, arguments: given }: CallPart, toolbox: Toolbox): JsonObject {
  const { input } = mend({ id, name, arguments: given }, toolbox);
  return isObject(input) ? input : {};
}

/** Converts a user message; adjacent results are written together. */
function heardParts(
  { parts }: UserMessage,
  { dialect }: TextForm,
  names: ReadonlyMap<string, string>,
): UserMessage['parts'] {
  return parts.flatMap((part): UserMessage['parts'] => {
    if (part.type !== 'result') return [part];
    const { callId, name = names.get(callId) ?? '' } = part;
    const text = renderResults([{ name, id: callId, result: resultText(part) }], dialect);
    return [{ type: 'text', text }, ...part.content.filter((one) => one.type === 'media')];
  });
}

/** The text of a result. Dialects can't flag an error, so the text says so. */
function resultText({ content, isError }: ResultPart): string {
  const said = isError ? writeErrorText(content) : content;
  return said.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}
