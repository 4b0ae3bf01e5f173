import { defaultLimits } from '../../json/limits.ts';
import { isUnclosed, nestingOf } from '../../json/nesting.ts';
import { hasTruncated } from '../../json/problem.ts';
import { readJson } from '../../json/read-json.ts';
import { isObject, type JsonObject, type JsonValue, textAsWritten } from '../../json/value.ts';
import { endedEarly } from '../../mend/finish-reason.ts';
import type { CheckedCall, MendedParts } from '../../mend/mend-call.ts';
import { parseArguments } from '../../mend/parse-arguments.ts';
import type { AssistantPart, FinishReason, TurnResponse } from '../../model/index.ts';
import { notePart, truncated, type Withholding } from '../../provider/text-calls/turn-mender.ts';
import type { Provider } from '../../provider/wire/types.ts';
import { isMalformed } from '../stream/call-form.ts';
import type { SseFrame } from '../stream/sse-frames.ts';

/** API formats with object arguments, which can't express other text. */
const objects: ReadonlySet<string> = new Set(['anthropic', 'gemini', 'ollama']);

/**
 * The text that replaces a call which must not reach the client, because it would run something the model didn't write:
 * a truncated call, which some agents complete themselves, a call from text that was refused while it was read, and
 * one whose arguments the client's API format can't express. Undefined for all others.
 *
 * @param broken whether the upstream broke off before the call was complete
 */
export function withheldNote(judged: CheckedCall, { format }: Provider, broken = false): string | undefined {
  const { outcome, part } = judged;
  if (broken) return note(part.name, 'was cut off: the connection to the model broke');
  if (outcome.status !== 'invalid') return undefined;
  const { finishReason } = outcome.raw;
  if (isTruncated(judged))
    return note(
      part.name,
      endedEarly(finishReason) && !/filter|error/.test(String(finishReason))
        ? 'was cut off by the output token limit: its arguments are incomplete'
        : 'was cut off: its arguments are incomplete',
    );
  // What the reader of the text found wrong isn't in the arguments, so the client would run the call.
  const [wrong] = outcome.raw.found ?? [];
  if (wrong) return note(part.name, `could not be passed on. ${plain(wrong.message)}`);
  const carriesText = typeof part.arguments === 'string' && !objects.has(format);
  if (carriesText || isSayable(part.arguments)) return undefined;
  const why = outcome.problems[0]?.message ?? 'Its arguments are not a JSON object';
  return note(part.name, `could not be passed on. ${plain(why)}`);
}

/** Items of the Responses API that its server runs itself. All other calls are for the client. */
const ranByServer = /^(web_search|file_search|code_interpreter|image_generation|tool_search|mcp)_call$/;

/** Name of a call that isn't a function call, such as a custom tool or a shell action. */
export function opaqueCallName(part: AssistantPart): string | undefined {
  if (part.type !== 'opaque' || !isObject(part.value)) return undefined;
  const { id, type, name, custom } = part.value;
  if (part.format === 'openai-chat' && (typeof id === 'string' || isObject(custom)))
    return String((isObject(custom) ? custom.name : undefined) ?? type);
  if (part.format !== 'openai-responses' || typeof type !== 'string') return undefined;
  if (!type.endsWith('_call') || ranByServer.test(type)) return undefined;
  return typeof name === 'string' ? name : type.replace(/_call$/, '');
}

/**
 * The text that replaces such a call if it was truncated. Free text has no end marker, so it is truncated if its item
 * says so, or if the response was truncated directly after it.
 *
 * @param finish the finish reason, if this is the last part of the response
 * @param broken whether the upstream broke off before the part was complete
 */
export function opaqueNote(part: AssistantPart, finish: FinishReason | undefined, broken = false): string | undefined {
  const name = opaqueCallName(part);
  if (name === undefined) return undefined;
  if (broken) return note(name, 'was cut off: the connection to the model broke');
  if (finish === 'length') return note(name, 'was cut off by the output token limit: its input is incomplete');
  const { status } = (part as { value: { status?: unknown } }).value;
  const isOpen = status === 'incomplete' || (status === 'in_progress' && finish === 'other');
  return endedEarly(finish) || isOpen ? note(name, 'was cut off: its input is incomplete') : undefined;
}

/** Whether a response contains such a call. */
export const hasOpenOpaque = ({ message: { parts }, finish }: TurnResponse): boolean =>
  parts.some((part, at) => opaqueNote(part, at === parts.length - 1 ? finish : undefined) !== undefined);

function isTruncated({ outcome, part }: CheckedCall): boolean {
  if (outcome.status !== 'invalid') return false;
  if (outcome.errorType === 'truncated') return true;
  const { raw } = outcome;
  if (typeof part.arguments === 'string' && endedEarly(raw.finishReason) && isUnclosed(nestingOf(part.arguments)))
    return true;
  const found = raw.found ?? [];
  // Arguments of an unknown tool were parsed but not validated.
  const read = outcome.tool ? [] : parseArguments(raw, undefined, defaultLimits).problems;
  return hasTruncated([...found, ...read]);
}

/** Whether the arguments are an object that JSON expresses without loss: no duplicate keys, no rounded integers. */
function isSayable(given: unknown): boolean {
  const text = typeof given === 'string' ? given : textAsWritten(given);
  if (text === undefined) {
    const { problems } = parseArguments({ name: '', arguments: given }, undefined, defaultLimits);
    return isObject(given) && problems.length === 0;
  }
  if (text.trim() === '') return true;
  const { value, problems, repairs, marks } = readJson(text, {});
  return isObject(value) && problems.length === 0 && repairs.length === 0 && !marks?.first;
}

const note = (name: string, what: string): string => `[The call to ${quoted(name)} ${what}. It was not run.]`;

/** Removes characters from the model's text that could make it look like a call. */
const plain = (text: string): string =>
  text
    .slice(0, 200)
    .replace(/[<>{}[\]()`|]/g, '?')
    .replace(/\.$/, '');

const quoted = (name: string): string => `'${plain(name.slice(0, 80))}'`;

/** Replaces calls that must not reach the client with text. */
export function withhold(response: TurnResponse, calls: readonly CheckedCall[], client: Provider): TurnResponse {
  const notes = new Map<string, string>();
  for (const call of calls) {
    const text = withheldNote(call, client);
    if (text !== undefined) notes.set(call.part.id, text);
  }
  if (notes.size === 0 && !hasOpenOpaque(response)) return response;
  let spoken = false;
  const last = response.message.parts.length - 1;
  const parts = response.message.parts.map((part, at): AssistantPart => {
    const text =
      part.type === 'call' ? notes.get(part.id) : opaqueNote(part, at === last ? response.finish : undefined);
    const made = text === undefined ? part : notePart(text, spoken);
    spoken ||= made.type === 'text' && made.text !== '';
    return made;
  });
  return truncated({ ...response, message: { ...response.message, parts } });
}

/** What a stream withholds from a client with an API format. */
export const withholdingFor = (client: Provider): Withholding => ({
  note: (call, broken) => withheldNote(call, client, broken),
  isCall: (part) => opaqueCallName(part) !== undefined,
  opaqueNote,
  isPiece: (value, part) => {
    if (!isObject(value) || typeof value.type !== 'string' || !/_call[_.]/.test(value.type)) return false;
    const id = isObject(part.value) ? part.value.id : undefined;
    return id === undefined || value.item_id === undefined || id === value.item_id;
  },
  response: (response, calls) => withhold(response, calls, client),
});

/** Matches calls and parts of calls in any API format. */
const words = /tool_?calls?|function_?call|tool_?use|_call\b|input_json_delta|partial_?(?:json|args)/i;

/** Whether unreadable bytes may contain a call, and so must not be forwarded. */
export const showsCall = (text: string): boolean => words.test(text);

/** The field with several responses (`n`, `candidateCount`) in each API format. */
const lists: Readonly<Record<string, string>> = { 'openai-chat': 'choices', gemini: 'candidates' };

/** Mends the calls of one choice, read as a response. */
export type MendChoice = (read: TurnResponse) => MendedParts;

/** Mends one of several responses, and removes truncated calls. Returns the same object if nothing changed. */
function mendedChoice(choice: JsonObject, wire: Provider, mend: MendChoice, calls: CheckedCall[]): JsonObject {
  const list = lists[wire.format] as string;
  try {
    const { index = 0, ...one } = choice;
    const alone = { [list]: [{ ...one, index: 0 }] };
    const read = wire.readResponse(alone);
    const mended = mend(read);
    calls.push(...mended.calls);
    const told = withhold(mended.response, mended.calls, wire);
    const isChanged = told !== read || isMalformed(wire.format, alone);
    const [written] = isChanged ? (wire.writeResponse(told).wire[list] as JsonObject[]) : [];
    return written ? { ...written, index } : choice;
  } catch {
    return choice;
  }
}

/** Mends the other choices of a response, and returns their calls. */
export function mendOthers(
  response: TurnResponse,
  wire: Provider,
  mend: MendChoice,
): { readonly response: TurnResponse; readonly calls: readonly CheckedCall[] } {
  const list = lists[wire.format];
  const { passthrough } = response;
  const calls: CheckedCall[] = [];
  const all = list === undefined ? undefined : passthrough?.fields[list];
  if (!passthrough || list === undefined || !Array.isArray(all) || all.length < 2) return { response, calls };
  const made = all.map((one, at) => (at > 0 && isObject(one) ? mendedChoice(one, wire, mend, calls) : one));
  if (made.every((one, at) => one === all[at])) return { response, calls };
  const fields = { ...passthrough.fields, [list]: made };
  return { response: { ...response, passthrough: { ...passthrough, fields } }, calls };
}

/**
 * Buffers the calls of other choices in a stream until each ends, and mends them. Truncated ones become text. If calls may
 * be written as text, the text of these choices is buffered too: unlike the first one, it isn't read as it arrives.
 */
export class OtherChoices {
  /** The checked calls. */
  readonly calls: CheckedCall[] = [];
  readonly #wire: Provider;
  readonly #mend: MendChoice;
  readonly #readsText: boolean;
  /** The buffered text of each choice by index, in the Chat format. */
  readonly #texts = new Map<number, string>();
  /** The buffered calls of each choice by index, or its parts since the first call. */
  readonly #held = new Map<number, JsonObject[]>();

  constructor(wire: Provider, mend: MendChoice, readsText = false) {
    this.#wire = wire;
    this.#mend = mend;
    this.#readsText = readsText;
  }

  take(frame: SseFrame): SseFrame {
    const list = lists[this.#wire.format];
    if (this.#texts.size > 0 && frame.data === '[DONE]') return this.#ended(frame);
    if (list === undefined || frame.data === undefined || !/"index":\s*[1-9]/.test(frame.data)) return frame;
    try {
      const chunk = JSON.parse(frame.data) as JsonObject;
      const all = chunk[list];
      if (!Array.isArray(all)) return frame;
      const made = all.map((one) => (isObject(one) && Number(one.index) > 0 ? this.#choice(one) : one));
      if (made.every((one, at) => one === all[at])) return frame;
      const data = JSON.stringify({ ...chunk, [list]: made });
      return { ...frame, data, bytes: Buffer.from(`data: ${data}\n\n`) };
    } catch {
      return frame;
    }
  }

  /** The end of a stream, after the text of choices that didn't end. */
  #ended(frame: SseFrame): SseFrame {
    const choices = [...this.#texts].map(([index, content]) => ({ index, delta: { content }, finish_reason: null }));
    const rest = Buffer.from(`data: ${JSON.stringify({ object: 'chat.completion.chunk', choices })}\n\n`);
    return { ...frame, bytes: Buffer.concat([rest, frame.bytes]) };
  }

  #choice(choice: JsonObject): JsonObject {
    return this.#wire.format === 'gemini' ? this.#candidate(choice) : this.#chat(choice);
  }

  #chat(choice: JsonObject): JsonObject {
    const { delta, finish_reason: finish } = choice;
    const { tool_calls: calls, content: piece, ...other } = isObject(delta) ? delta : {};
    const at = Number(choice.index);
    const held = this.#heldOf(choice);
    if (Array.isArray(calls)) for (const one of calls) if (isObject(one)) addPiece(held, one);
    const isHeld = this.#readsText && typeof piece === 'string' && piece !== '';
    if (isHeld) this.#texts.set(at, `${this.#texts.get(at) ?? ''}${piece}`);
    const text = this.#texts.get(at);
    if (held.length === 0 && text === undefined) return choice;
    const rest: JsonObject = isHeld || piece === undefined ? other : { ...other, content: piece };
    if (!finish) return { ...choice, delta: rest };
    this.#held.delete(at);
    this.#texts.delete(at);
    const spoken = { role: 'assistant', content: text ?? null, ...(held.length > 0 && { tool_calls: held }) };
    const whole: JsonObject = { index: choice.index ?? 0, finish_reason: finish, message: spoken };
    const { message, finish_reason } = mendedChoice(whole, this.#wire, this.#mend, this.calls);
    const { content, tool_calls: left } = isObject(message) ? message : {};
    const words = typeof content === 'string' && content !== '' ? { content: `${rest.content ?? ''}${content}` } : {};
    const numbered = Array.isArray(left) ? left.map((one, index) => ({ ...(one as JsonObject), index })) : [];
    const called: JsonObject = numbered.length > 0 ? { tool_calls: numbered } : {};
    return { ...choice, delta: { ...rest, ...words, ...called }, finish_reason: finish_reason ?? finish };
  }

  #candidate(candidate: JsonObject): JsonObject {
    const { content, finishReason } = candidate;
    const parts = isObject(content) && Array.isArray(content.parts) ? content.parts.filter(isObject) : [];
    const held = this.#heldOf(candidate);
    const isHeld = (part: JsonObject): boolean =>
      isObject(part.functionCall) || (this.#readsText && typeof part.text === 'string' && part.thought !== true);
    const from = held.length > 0 ? 0 : parts.findIndex(isHeld);
    if (from < 0 && held.length === 0) return candidate;
    for (const part of parts.slice(from)) addPart(held, part);
    const passed = { role: 'model', parts: parts.slice(0, from) };
    if (!finishReason) return { ...candidate, content: passed };
    this.#held.delete(Number(candidate.index));
    const made = mendedChoice(
      { ...candidate, content: { role: 'model', parts: held } },
      this.#wire,
      this.#mend,
      this.calls,
    );
    const left = isObject(made.content) && Array.isArray(made.content.parts) ? made.content.parts : [];
    return { ...made, content: { ...passed, parts: [...passed.parts, ...left] } };
  }

  #heldOf({ index }: JsonObject): JsonObject[] {
    const at = Number(index);
    const held = this.#held.get(at) ?? [];
    this.#held.set(at, held);
    return held;
  }
}

/** Adds a part. Pieces of one text become one part, so that a call in it is complete. */
function addPart(held: JsonObject[], part: JsonObject): void {
  const last = held.at(-1);
  const isText = (one: JsonObject | undefined): boolean =>
    one !== undefined && typeof one.text === 'string' && Object.keys(one).length === 1;
  if (last && isText(last) && isText(part)) held[held.length - 1] = { text: `${last.text}${part.text}` };
  else held.push(part);
}

/** Adds a piece of a call by its index. */
function addPiece(held: JsonObject[], { index, ...piece }: JsonObject): void {
  const at = typeof index === 'number' && index < held.length + 1 ? index : Math.max(0, held.length - 1);
  const before = held[at] ?? {};
  const kind = isObject(piece.custom) || before.custom ? 'custom' : 'function';
  const field = kind === 'custom' ? 'input' : 'arguments';
  const [old, more] = [before[kind], piece[kind]].map((one): JsonObject => (isObject(one) ? one : {})) as [
    JsonObject,
    JsonObject,
  ];
  const text: JsonValue = `${old[field] ?? ''}${more[field] ?? ''}`;
  held[at] = { ...before, ...piece, [kind]: { ...old, ...more, [field]: text } };
}
