import { isObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { mendParts } from '../../mend/mend-call.ts';
import type { TurnResponse } from '../../model/index.ts';
import type { Provider } from '../../provider/wire/types.ts';
import type { Toolbox } from '../../tools/toolbox.ts';
import type { SseFrame } from '../stream/sse-frames.ts';
import { withhold } from './withheld-calls.ts';

/** Where a format keeps the answers of a request for several (`n`, `candidateCount`). */
const lists: Readonly<Record<string, string>> = { 'openai-chat': 'choices', gemini: 'candidates' };

/** One of several answers, without the calls in it that were cut off; the same where there are none. */
function withheldChoice(choice: JsonObject, wire: Provider, toolbox: Toolbox): JsonObject {
  const list = lists[wire.format] as string;
  try {
    const { index = 0, ...one } = choice;
    const read = wire.readResponse({ [list]: [{ ...one, index: 0 }] });
    const told = withhold(read, mendParts(read, { toolbox, dryRun: true }).calls, wire);
    const [written] = told === read ? [] : (wire.writeResponse(told).wire[list] as JsonObject[]);
    return written ? { ...written, index } : choice;
  } catch {
    return choice;
  }
}

/** An answer whose other choices, which are carried as they came, hold no call that was cut off either. */
export function withholdOthers(response: TurnResponse, wire: Provider, toolbox: Toolbox): TurnResponse {
  const list = lists[wire.format];
  const { passthrough } = response;
  const all = list === undefined ? undefined : passthrough?.fields[list];
  if (!passthrough || list === undefined || !Array.isArray(all) || all.length < 2) return response;
  const made = all.map((one, at) => (at > 0 && isObject(one) ? withheldChoice(one, wire, toolbox) : one));
  if (made.every((one, at) => one === all[at])) return response;
  return { ...response, passthrough: { ...passthrough, fields: { ...passthrough.fields, [list]: made } } };
}

/** Holds the calls of other choices of a stream until each ends: what was cut off never goes out, a text tells of it. */
export class OtherChoices {
  readonly #wire: Provider;
  readonly #toolbox: Toolbox;
  /** What waits of each choice: its calls, by their index, or its parts since the first call. */
  readonly #held = new Map<number, JsonObject[]>();

  constructor(wire: Provider, toolbox: Toolbox) {
    this.#wire = wire;
    this.#toolbox = toolbox;
  }

  take(frame: SseFrame): SseFrame {
    const list = lists[this.#wire.format];
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

  #choice(choice: JsonObject): JsonObject {
    return this.#wire.format === 'gemini' ? this.#candidate(choice) : this.#chat(choice);
  }

  #chat(choice: JsonObject): JsonObject {
    const { delta, finish_reason: finish } = choice;
    const { tool_calls: calls, ...rest } = isObject(delta) ? delta : {};
    const held = this.#heldOf(choice);
    if (Array.isArray(calls)) for (const one of calls) if (isObject(one)) addPiece(held, one);
    if (held.length === 0) return choice;
    if (!finish) return { ...choice, delta: rest };
    this.#held.delete(Number(choice.index));
    const whole = { index: choice.index ?? 0, finish_reason: finish, message: { role: 'assistant', tool_calls: held } };
    const { message, finish_reason } = withheldChoice(whole as JsonObject, this.#wire, this.#toolbox);
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
    const from = held.length > 0 ? 0 : parts.findIndex((part) => isObject(part.functionCall));
    if (from < 0 && held.length === 0) return candidate;
    held.push(...parts.slice(from));
    const passed = { role: 'model', parts: parts.slice(0, from) };
    if (!finishReason) return { ...candidate, content: passed };
    this.#held.delete(Number(candidate.index));
    const made = withheldChoice({ ...candidate, content: { role: 'model', parts: held } }, this.#wire, this.#toolbox);
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

/** Adds a piece of a call to those that came, by its index. */
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
