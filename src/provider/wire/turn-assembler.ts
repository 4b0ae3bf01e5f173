import { rootProblem } from '../../json/problem.ts';
import { isObject, type JsonValue } from '../../json/value.ts';
import { endedEarly } from '../../mend/finish-reason.ts';
import { makeId } from '../../mend/make-id.ts';
import type {
  AssistantPart,
  DroppedCall,
  FinishReason,
  Format,
  Passthrough,
  TurnError,
  TurnEvent,
  TurnResponse,
  Usage,
} from '../../model/index.ts';
import { isEmpty } from './passthrough.ts';
import type { StreamWriter } from './types.ts';

/** A part that is being written. `index` is its place in the message; -1 for a call that names nothing. */
export interface Slot {
  readonly index: number;
  part: AssistantPart;
  /** What came of its words or argument text. */
  text: string;
  open: boolean;
}

/** How a turn ended, as far as the wire said it. */
export interface TurnEnd {
  /** Who answered, where the wire told it only at the end. */
  readonly id?: string;
  readonly model?: string;
  /** Found from what came where it is not said. */
  readonly finish?: FinishReason | undefined;
  readonly usage?: Usage | undefined;
  readonly passthrough?: Passthrough | undefined;
}

/**
 * Puts an answer together from what a wire says of it, and emits each step. Every provider's stream reader drives one;
 * what it emits keeps the promises of `TurnEvent`, whatever the wire does.
 */
export class TurnAssembler {
  readonly #format: Format;
  readonly #emit: (event: TurnEvent) => void;
  readonly #slots: Slot[] = [];
  readonly #dropped: DroppedCall[] = [];
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

  /** Whether any part has come. */
  get empty(): boolean {
    return this.#slots.length === 0;
  }

  /** The answer begins; said once, whatever the wire repeats. */
  start(start: { id?: string; model?: string; passthrough?: Passthrough } = {}): void {
    if (this.#start || this.#ended) return;
    this.#start = start;
    this.#emit({ type: 'turn.started', ...start });
  }

  /** A part begins. A call without an id, or with one that was used already, is given one. */
  open(part: AssistantPart): Slot {
    this.start();
    const known = part.type === 'call' ? this.#withId(part) : part;
    const dropped = known.type === 'call' && !isNameable(known.name);
    const slot: Slot = { index: dropped ? -1 : this.#slots.length, part: known, text: textOf(known), open: true };
    if (dropped) return slot;
    this.#slots.push(slot);
    this.#emit({ type: 'part.started', index: slot.index, part: known });
    return slot;
  }

  /** More of its words or its argument text. */
  grow(slot: Slot, text: string): void {
    if (text === '' || !slot.open) return;
    slot.text += text;
    if (slot.index >= 0) this.#emit({ type: 'part.delta', index: slot.index, text });
  }

  /** A part is whole; `more` is what became known of it since it began, a signature say. */
  close(slot: Slot, more?: Partial<AssistantPart>): void {
    if (!slot.open) return;
    slot.open = false;
    slot.part = wholePart(slot, more);
    if (slot.index >= 0) this.#emit({ type: 'part.finished', index: slot.index, part: slot.part });
    else this.#drop(slot.part);
  }

  /** A part that came in one piece. */
  add(part: AssistantPart): void {
    this.close(this.open(part));
  }

  /** The wire said something that the middle shape has no word for. */
  unknown(value: JsonValue): void {
    this.#emit({ type: 'wire.unknown', format: this.#format, value });
  }

  /** The answer is whole: parts still open are closed as they stand. */
  finish(end: TurnEnd = {}): void {
    if (this.#ended) return;
    this.start();
    for (const slot of this.#slots) this.close(slot);
    this.#ended = true;
    this.#emit({ type: 'turn.finished', response: truncatedTurn(this.#response(end)) });
  }

  /** The answer broke off: parts still open are shown as far as they came, and never called whole. */
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
      ...(this.#dropped.length > 0 && { dropped: this.#dropped }),
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
    this.#dropped.push(call);
    this.#emit({ type: 'call.dropped', call });
  }
}

/**
 * Wires that carry values show what came of a call that was cut off as an object like any other: the last part of an answer
 * that ended early is not to be taken for complete, nor one that its own wire calls unfinished. A call that was read from
 * text says itself where it broke off.
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

const byLength = rootProblem('truncated', 'may be cut off: the message ended by length right behind it');
const open = rootProblem('truncated', 'may be cut off: its item is called incomplete');
const early = rootProblem('truncated', 'may be cut off: the message ended early right behind it');

/** What a part already says when it begins. */
function textOf(part: AssistantPart): string {
  if (part.type === 'call') return typeof part.arguments === 'string' ? part.arguments : '';
  return 'text' in part ? part.text : '';
}

/** The part with all its words; a call whose arguments came as a value keeps it. */
function wholePart({ part, text }: Slot, more: Partial<AssistantPart> = {}): AssistantPart {
  const grown = part.type === 'call' ? callText(part.arguments, text) : 'text' in part ? { text } : {};
  // The type of a part never changes, so what is laid over it is of the same kind.
  const whole = { ...part, ...grown, ...more } as AssistantPart;
  // However its text looks, a call that its own wire calls incomplete is none.
  const isOpen = whole.type === 'call' && whole.passthrough?.fields.status === 'incomplete' && !whole.found;
  return isOpen ? { ...whole, found: [open] } : whole;
}

const callText = (value: unknown, text: string): object =>
  typeof value === 'string' || text !== '' ? { arguments: text } : {};

/** An answer that came in one piece, by the same rules as one that came in many: ids are made, nameless calls dropped. */
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

/** Wires that carry values have an empty object for a call that was cut off before its first field: nothing came of it. */
const asTruncated = (part: AssistantPart): AssistantPart =>
  part.type === 'call' && isObject(part.arguments) && isEmpty(part.arguments) ? { ...part, arguments: '' } : part;

const letterOrDigit = /[\p{L}\p{N}]/u;

/** Whether a call's name can mean a tool at all: one without a letter or a digit can't. */
export const isNameable = (name: string): boolean => letterOrDigit.test(name);

/**
 * The events of an answer that is there already, as if it had streamed.
 *
 * @param chunk how many characters a piece of text has; all of it in one piece unless it is said
 */
export function* eventsOf(response: TurnResponse, chunk = Number.POSITIVE_INFINITY): Generator<TurnEvent> {
  const { id, model, message, dropped = [] } = response;
  yield { type: 'turn.started', ...(id !== undefined && { id }), ...(model !== undefined && { model }) };
  for (const [index, part] of message.parts.entries()) yield* partEvents(part, index, chunk);
  for (const call of dropped) yield { type: 'call.dropped', call };
  yield { type: 'turn.finished', response };
}

/** The events of one part: its text in pieces where it has text, else at once. */
function* partEvents(part: AssistantPart, index: number, chunk: number): Generator<TurnEvent> {
  const text = part.type === 'call' ? part.arguments : 'text' in part ? part.text : undefined;
  if (typeof text === 'string') {
    yield { type: 'part.started', index, part: emptied(part) };
    for (const piece of pieces(text, chunk)) yield { type: 'part.delta', index, text: piece };
  } else yield { type: 'part.started', index, part };
  yield { type: 'part.finished', index, part };
}

/** What is known of a part when it begins: not its words, and not the seal that comes after them. */
function emptied(part: AssistantPart): AssistantPart {
  if (part.type === 'call') return { ...part, arguments: '' };
  if (part.type !== 'reasoning' || part.hidden) return 'text' in part ? { ...part, text: '' } : part;
  const { seal: _, ...bare } = part;
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
    // Half of a surrogate pair is no text that a wire could carry.
    if (to < text.length && isHigh(text.charCodeAt(to - 1))) to += 1;
    yield text.slice(from, to);
    from = to;
  }
}

const isHigh = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;

/**
 * A writer of a wire's stream.
 *
 * @param frame writes a frame
 * @param writing makes what says an event in frames; it is given a way to write them that is silent where nobody listens
 */
export function sseWriter<Frame>(
  frame: (data: Frame) => string,
  writing: (frame: (data: Frame) => string) => (event: TurnEvent) => string,
): StreamWriter {
  let silent = false;
  const write = writing((data) => (silent ? '' : frame(data)));
  const pass = (event: TurnEvent): void => {
    silent = true;
    write(event);
    silent = false;
  };
  return { write, pass };
}
