import { rootProblem } from '../../json/problem.ts';
import { isObject, type JsonValue } from '../../json/value.ts';
import { endedEarly } from '../../mend/finish-reason.ts';
import { makeId } from '../../mend/make-id.ts';
import type {
  AssistantPart,
  FinishReason,
  Format,
  IgnoredCall,
  Passthrough,
  TurnError,
  TurnEvent,
  TurnResponse,
  Usage,
} from '../../model/index.ts';
import { isEmpty } from './passthrough-fields.ts';
import type { StreamWriter } from './types.ts';

/** An open part. `index` is its index in the message, or -1 for a call without a name. */
export interface Slot {
  readonly index: number;
  part: AssistantPart;
  /** Its text or argument text so far. */
  text: string;
  open: boolean;
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
  readonly #ids = new Set<string>();
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

  /** Starts a part. A call without an id, or with one already used, gets a new id. */
  open(part: AssistantPart): Slot {
    this.start();
    const known = part.type === 'call' ? this.#withId(part) : part;
    const ignored = known.type === 'call' && !isNameable(known.name);
    const slot: Slot = { index: ignored ? -1 : this.#slots.length, part: known, text: textOf(known), open: true };
    if (ignored) return slot;
    this.#slots.push(slot);
    this.#emit({ type: 'part.started', index: slot.index, part: known });
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
    else this.#drop(slot.part);
  }

  /** Adds a complete part. */
  add(part: AssistantPart): void {
    this.close(this.open(part));
  }

  /** Emits a value that the common format can't express. */
  unknown(value: JsonValue): void {
    this.#emit({ type: 'provider.unknown', format: this.#format, value });
  }

  /** Finishes the response, and closes open parts. */
  finish(end: TurnEnd = {}): void {
    if (this.#ended) return;
    this.start();
    for (const slot of this.#slots) this.close(slot);
    this.#ended = true;
    this.#emit({ type: 'turn.finished', response: truncatedTurn(this.#response(end)) });
  }

  /** Ends the response with an error. Open parts are included but never finished. */
  fail(error: TurnError, end: TurnEnd = {}): void {
    if (this.#ended) return;
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

  #withId<P extends AssistantPart & { type: 'call' }>(part: P): P {
    const id = part.id === '' || this.#ids.has(part.id) ? makeId() : part.id;
    this.#ids.add(id);
    return id === part.id ? part : { ...part, id };
  }

  #drop(part: AssistantPart): void {
    if (part.type !== 'call') return;
    const call = { id: part.id, name: part.name, arguments: part.arguments };
    this.#ignored.push(call);
    this.#emit({ type: 'call.ignored', call });
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
