import { rootProblem } from '../../json/problem.ts';
import { readJson } from '../../json/read-json.ts';
import { equal, isObject, type JsonValue, textAsWritten } from '../../json/value.ts';
import { endedEarly } from '../../mend/finish-reason.ts';
import { makeId } from '../../mend/make-id.ts';
import type {
  AssistantPart,
  CallPart,
  FinishReason,
  Format,
  IgnoredCall,
  Passthrough,
  TurnError,
  TurnEvent,
  TurnResponse,
  Usage,
} from '../../model/index.ts';
import { foldName } from '../../tools/name-index.ts';
import { argumentsObject } from './arguments.ts';
import { isEmpty } from './passthrough-fields.ts';
import type { StreamWriter } from './types.ts';

/** An open part. `index` is its index in the message, or -1 for a call without a name and until it is emitted. */
export interface Slot {
  index: number;
  part: AssistantPart;
  /** Its text or argument text so far. */
  text: string;
  open: boolean;
  /** Earlier calls with the same id. If this call turns out to equal one of them, it is dropped. */
  rivals?: readonly Slot[] | undefined;
  /** Values that belong to the part, and are emitted or dropped with it. */
  unknown?: JsonValue[];
}

/** How a turn ended, as far as the API reported it. */
export interface TurnEnd {
  /** Id and model, if they were only reported at the end. */
  readonly id?: string;
  readonly model?: string;
  /** @default derived from the content */
  readonly finish?: FinishReason | undefined;
  readonly usage?: Usage | undefined;
  readonly passthrough?: Passthrough | undefined;
}

/**
 * Assembles a response and emits each step. Every stream reader uses one, so that events satisfy the guarantees of
 * `TurnEvent` whatever the server sends.
 */
export class TurnAssembler {
  readonly #format: Format;
  readonly #emit: (event: TurnEvent) => void;
  readonly #slots: Slot[] = [];
  readonly #ignored: IgnoredCall[] = [];
  /** Calls by the id that they were received with. */
  readonly #byId = new Map<string, readonly Slot[]>();
  /** Parts that aren't emitted yet, as they were opened: a call that may be repeated, and what follows it. */
  readonly #queue = new Map<Slot, AssistantPart>();
  #start: { id?: string; model?: string; passthrough?: Passthrough } | undefined;
  #ended = false;

  constructor(format: Format, emit: (event: TurnEvent) => void) {
    this.#format = format;
    this.#emit = emit;
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** Whether no part has started. */
  get empty(): boolean {
    return this.#slots.length === 0;
  }

  /** Starts the response. Later calls have no effect. */
  start(start: { id?: string; model?: string; passthrough?: Passthrough } = {}): void {
    if (this.#start || this.#ended) return;
    this.#start = start;
    this.#emit({ type: 'turn.started', ...start });
  }

  /** Whether a call that may be repeated is open. */
  get pending(): boolean {
    return this.#queue.size > 0;
  }

  /**
   * Starts a part. A call without an id gets a new one. So does a call whose id is already used, unless its name and
   * arguments are the same too: then a server sent one call twice, and the second is dropped.
   */
  open(part: AssistantPart): Slot {
    this.start();
    const slot: Slot = { index: -1, part, text: textOf(part), open: true };
    const id = callIdOf(part);
    if (id !== undefined) {
      const same = id === '' ? [] : (this.#byId.get(id) ?? []);
      if (id !== '') this.#byId.set(id, [...same, slot]);
      if (part.type === 'call') {
        if (!isNameable(part.name)) return slot;
        if (same.length > 0 || id === '') slot.part = { ...part, id: makeId() };
      }
      const rivals = same.filter((one) => toolOf(one.part) === toolOf(part));
      if (rivals.length > 0) slot.rivals = rivals;
    }
    this.#queue.set(slot, slot.part);
    this.#emitQueue();
    return slot;
  }

  /** Adds text or argument text. */
  grow(slot: Slot, text: string): void {
    if (text === '' || !slot.open) return;
    slot.text += text;
    if (slot.index >= 0) this.#emit({ type: 'part.delta', index: slot.index, text });
  }

  /** Finishes a part. `more` has fields that were not known at its start, such as a signature. */
  close(slot: Slot, more?: Partial<AssistantPart>): void {
    if (!slot.open) return;
    slot.open = false;
    slot.part = wholePart(slot, more);
    if (slot.index >= 0) this.#emit({ type: 'part.finished', index: slot.index, part: slot.part });
    else if (slot.rivals) this.#settle(slot, slot.rivals);
    else if (!this.#queue.has(slot)) this.#drop(slot.part);
  }

  /** Adds a complete part. */
  add(part: AssistantPart): void {
    this.close(this.open(part));
  }

  /** Emits a value that the common format can't express. */
  unknown(value: JsonValue): void {
    const item = isObject(value) ? value.item_id : undefined;
    if (this.pending && item !== undefined)
      for (const slot of this.#queue.keys())
        if (slot.open && slot.part.type === 'opaque' && isObject(slot.part.value) && slot.part.value.id === item) {
          slot.unknown = [...(slot.unknown ?? []), value];
          return;
        }
    this.#emit({ type: 'provider.unknown', format: this.#format, value });
  }

  /** Finishes the response, and closes open parts. */
  finish(end: TurnEnd = {}): void {
    if (this.#ended) return;
    this.start();
    for (const slot of [...this.#slots, ...this.#queue.keys()]) this.close(slot);
    this.#ended = true;
    this.#emit({ type: 'turn.finished', response: truncatedTurn(this.#response(end)) });
  }

  /** Ends the response with an error. Open parts are included but never finished. */
  fail(error: TurnError, end: TurnEnd = {}): void {
    if (this.#ended) return;
    for (const slot of this.#queue.keys()) slot.rivals = undefined;
    this.#emitQueue();
    this.#ended = true;
    for (const slot of this.#slots) if (slot.open) slot.part = wholePart(slot);
    this.#emit({ type: 'turn.failed', error, response: this.#response({ ...end, finish: 'error' }) });
  }

  #response({ finish, usage, passthrough, ...end }: TurnEnd): TurnResponse {
    const parts = this.#slots.map(({ part }) => part);
    const { id = end.id, model = end.model, passthrough: first } = this.#start ?? {};
    const carried = passthrough ?? first;
    return {
      ...(id !== undefined && { id }),
      ...(model !== undefined && { model }),
      message: { role: 'assistant', parts },
      finish: finish ?? (parts.some(({ type }) => type === 'call') ? 'tool_calls' : 'stop'),
      ...(usage && { usage }),
      ...(carried && { passthrough: carried }),
      ...(this.#ignored.length > 0 && { ignored: this.#ignored }),
    };
  }

  /** Emits parts in order, up to a call that may be repeated. */
  #emitQueue(): void {
    for (const [slot, begun] of this.#queue) {
      if (slot.rivals) return;
      this.#queue.delete(slot);
      slot.index = this.#slots.length;
      this.#slots.push(slot);
      const { index, part, text, open, unknown = [] } = slot;
      this.#emit({ type: 'part.started', index, part: begun });
      for (const value of unknown) this.#emit({ type: 'provider.unknown', format: this.#format, value });
      const late = text.slice(textOf(begun).length);
      if (late !== '') this.#emit({ type: 'part.delta', index, text: late });
      if (!open) this.#emit({ type: 'part.finished', index, part });
    }
  }

  /** Drops a complete call if it repeats another. */
  #settle(slot: Slot, rivals: readonly Slot[]): void {
    slot.rivals = undefined;
    const repeated = rivals.find((one) => isSameCall(wholePart(one), slot.part));
    if (repeated) {
      this.#queue.delete(slot);
      this.#drop(asCall(slot.part, repeated.part), true);
    }
    this.#emitQueue();
  }

  #drop(part: AssistantPart, repeated = false): void {
    if (part.type !== 'call') return;
    const { id, name, arguments: given } = part;
    const call = { id: id || makeId(), name, arguments: given, ...(repeated && { repeated }) };
    this.#ignored.push(call);
    this.#emit({ type: 'call.ignored', call });
  }
}

/** The id of a call: of a function, or of a custom tool, a shell or another tool that the client runs. */
function callIdOf(part: AssistantPart): string | undefined {
  if (part.type === 'call') return part.id;
  if (part.type !== 'opaque' || !isObject(part.value)) return undefined;
  const { id, call_id: callId } = part.value;
  const own = part.format === 'openai-chat' ? id : callId;
  return typeof own === 'string' && own !== '' ? own : undefined;
}

/** The tool that a call is for. Servers that repeat a call may write its name in another way. */
function toolOf(part: AssistantPart): string {
  if (part.type === 'call') return foldName(part.name);
  const { type, name } = part.type === 'opaque' && isObject(part.value) ? part.value : {};
  return `${type} ${name}`;
}

/** A repeated call, with the id of the first. */
function asCall(part: AssistantPart, first: AssistantPart): AssistantPart {
  const id = callIdOf(first) ?? '';
  if (part.type !== 'opaque' || !isObject(part.value)) return { ...part, id } as CallPart;
  const { type, name, custom, ...fields } = part.value;
  return { type: 'call', id, name: String(name ?? type), arguments: custom ?? fields.input ?? fields };
}

/** Whether two calls of a tool have the same arguments, however these are written. */
function isSameCall(one: AssistantPart, other: AssistantPart): boolean {
  const [first, second] = [contentOf(one), contentOf(other)];
  // Two integers beyond 2^53 may only be equal because they were rounded.
  return equal(first, second) && textAsWritten(first) === textAsWritten(second);
}

/** The arguments of a call, or the fields of another item without those that differ if it is repeated. */
function contentOf(part: AssistantPart): unknown {
  if (part.type === 'call') return argumentValue(part.arguments);
  if (part.type !== 'opaque' || !isObject(part.value)) return undefined;
  const { id: _, status: __, ...content } = part.value;
  return content;
}

/** Arguments that are a JSON object as that object. Some servers encode them twice when they repeat a call. */
function argumentValue(given: unknown): unknown {
  if (typeof given !== 'string') return given;
  const strict = argumentsObject(given) ?? argumentsObject(parsedText(given));
  if (strict) return strict;
  const { value, problems } = readJson(given);
  return problems.length === 0 && isObject(value) ? value : given;
}

/** The text in a JSON string. */
function parsedText(text: string): unknown {
  try {
    const inner: unknown = text.startsWith('"') ? JSON.parse(text) : undefined;
    return typeof inner === 'string' ? inner : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Marks the last call of a truncated response as incomplete: APIs with object arguments send a truncated call as a
 * regular object. Also marks calls that the API reports as incomplete. A call read from text is left alone, because its
 * reader detects truncation.
 */
export function truncatedTurn(response: TurnResponse): TurnResponse {
  const { message, finish } = response;
  const at = message.parts.findLastIndex((part) => part.type !== 'text' || part.text !== '');
  const last = message.parts[at];
  if (last?.type !== 'call' || last.read) return response;
  const isOpen = finish === 'other' && last.passthrough?.fields.status === 'in_progress';
  if (!isOpen && (!endedEarly(finish) || typeof last.arguments === 'string')) return response;
  const unended = finish === 'length' ? byLength : early;
  const parts = message.parts.with(at, { ...last, found: [...(last.found ?? []), unended] });
  return { ...response, message: { ...message, parts } };
}

const byLength = rootProblem('truncated', 'may be cut off: the message ended by length right after it');
const open = rootProblem('truncated', 'may be cut off: its item is marked as incomplete');
const early = rootProblem('truncated', 'may be cut off: the message ended early right after it');

/** The text of a part at its start. */
function textOf(part: AssistantPart): string {
  if (part.type === 'call') return typeof part.arguments === 'string' ? part.arguments : '';
  return 'text' in part ? part.text : '';
}

/** The part with its complete text. Arguments that arrived as a value stay a value. */
function wholePart({ part, text }: Slot, more: Partial<AssistantPart> = {}): AssistantPart {
  const grown = part.type === 'call' ? callText(part.arguments, text) : 'text' in part ? { text } : {};
  // A part never changes its type.
  const whole = { ...part, ...grown, ...more } as AssistantPart;
  // The API's own status has precedence over how complete the text looks.
  const isOpen = whole.type === 'call' && whole.passthrough?.fields.status === 'incomplete' && !whole.found;
  return isOpen ? { ...whole, found: [open] } : whole;
}

const callText = (value: unknown, text: string): object =>
  typeof value === 'string' || text !== '' ? { arguments: text } : {};

/** Builds a response from complete parts, by the same rules as a stream: creates ids and drops calls without a name. */
export function completeTurn(
  format: Format,
  start: { id?: string; model?: string },
  parts: readonly AssistantPart[],
  end: TurnEnd,
): TurnResponse {
  let response: TurnResponse = { message: { role: 'assistant', parts: [] }, finish: 'stop' };
  const assembly = new TurnAssembler(format, (event) => {
    if (event.type === 'turn.finished') response = event.response;
  });
  assembly.start(start);
  const { finish } = end;
  for (const [at, part] of parts.entries())
    assembly.add(finish === 'length' && at === parts.length - 1 ? asTruncated(part) : part);
  assembly.finish(end);
  return response;
}

/** An empty object in a truncated call means that no arguments arrived. */
const asTruncated = (part: AssistantPart): AssistantPart =>
  part.type === 'call' && isObject(part.arguments) && isEmpty(part.arguments) ? { ...part, arguments: '' } : part;

const letterOrDigit = /[\p{L}\p{N}]/u;

/** Whether a name can refer to a tool. It needs a letter or a digit. */
export const isNameable = (name: string): boolean => letterOrDigit.test(name);

/**
 * Yields the events of a complete response, as if it had streamed.
 *
 * @param chunk characters per delta; by default everything in one
 */
export function* eventsOf(response: TurnResponse, chunk = Number.POSITIVE_INFINITY): Generator<TurnEvent> {
  const { id, model, message, ignored = [] } = response;
  yield { type: 'turn.started', ...(id !== undefined && { id }), ...(model !== undefined && { model }) };
  for (const [index, part] of message.parts.entries()) yield* partEvents(part, index, chunk);
  for (const call of ignored) yield { type: 'call.ignored', call };
  yield { type: 'turn.finished', response };
}

/** Yields the events of a part, with deltas if it has text. */
function* partEvents(part: AssistantPart, index: number, chunk: number): Generator<TurnEvent> {
  const text = part.type === 'call' ? part.arguments : 'text' in part ? part.text : undefined;
  if (typeof text === 'string') {
    yield { type: 'part.started', index, part: emptied(part) };
    for (const piece of pieces(text, chunk)) yield { type: 'part.delta', index, text: piece };
  } else yield { type: 'part.started', index, part };
  yield { type: 'part.finished', index, part };
}

/** A part at its start: without its text and its signature. */
function emptied(part: AssistantPart): AssistantPart {
  if (part.type === 'call') return { ...part, arguments: '' };
  if (part.type !== 'reasoning' || part.hidden) return 'text' in part ? { ...part, text: '' } : part;
  const { signature: _, ...bare } = part;
  return { ...bare, text: '' };
}

function* pieces(text: string, chunk: number): Generator<string> {
  if (chunk >= text.length) {
    if (text !== '') yield text;
    return;
  }
  const size = Math.max(1, Math.floor(chunk));
  for (let from = 0; from < text.length; ) {
    let to = Math.min(text.length, from + size);
    // Keeps surrogate pairs together.
    if (to < text.length && isHigh(text.charCodeAt(to - 1))) to += 1;
    yield text.slice(from, to);
    from = to;
  }
}

const isHigh = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;

/**
 * Creates a stream writer.
 *
 * @param frame writes a frame
 * @param writing creates the function that writes an event; its `frame` returns an empty string while events only pass
 */
export function sseWriter<Frame>(
  frame: (data: Frame) => string,
  writing: (frame: (data: Frame) => string, passes: () => boolean) => (event: TurnEvent) => string,
): StreamWriter {
  let silent = false;
  const write = writing(
    (data) => (silent ? '' : frame(data)),
    () => silent,
  );
  const pass = (event: TurnEvent): void => {
    silent = true;
    write(event);
    silent = false;
  };
  return { write, pass };
}
