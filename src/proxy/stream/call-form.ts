import { isObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import type { CheckedCall } from '../../mend/mend-call.ts';
import type { Format, TurnEvent } from '../../model/index.ts';
import { finishOf as anthropicFinish } from '../../provider/wire/anthropic/map-finish-reason.ts';
import { isPartial } from '../../provider/wire/gemini/calls.ts';
import { callEntries } from '../../provider/wire/openai-chat/calls.ts';
import { finishOf as chatFinish } from '../../provider/wire/openai-chat/map-finish-reason.ts';

/** A call as a client reads it that takes every frame literally. */
interface LiteralCall {
  id: string;
  name: string;
  /** Length of its argument text; undefined if the format repeats it at the end, where it can't be missed. */
  size: number | undefined;
}

/**
 * Compares the calls of a stream as they were read with the calls as its frames say. They differ if a server doesn't
 * follow the API format: one index for all calls or none, ids that are missing or repeated, arguments as an object, a
 * name in every chunk, `stop` next to calls. Our readers understand such streams; many clients lose the calls.
 */
export class CallForm {
  readonly #take: ((form: CallForm, frame: JsonObject) => void) | undefined;
  /** The calls by their index in the format, in order. Undefined for other content with an index. */
  readonly literal = new Map<unknown, LiteralCall | undefined>();
  readonly #read = new Map<number, LiteralCall>();
  /** The ids of items, or of complete calls, in formats that have them. */
  readonly itemIds = new Set<unknown>();
  /** The calls that ended, by the kind and the id of their item. */
  readonly ended = new Set<string>();
  /** The ids of the calls in the last event, in formats that repeat them there. */
  repeatedIds: readonly string[] = [];
  /** Whether a frame breaks the format. */
  broken = false;

  constructor(format: Format) {
    this.#take = forms[format];
  }

  /** Whether a client that reads the frames literally gets other calls than those that were read. */
  get differs(): boolean {
    // Formats that send complete calls have no index.
    if (this.broken || this.literal.size === 0) return this.broken;
    const literal = [...this.literal.values()].filter((one) => one !== undefined);
    const read = [...this.#read.values()];
    if (this.repeatedIds.some((id) => !read.some((one) => one.id === id))) return true;
    return read.some(({ id, name, size }, at) => {
      const one = literal[at];
      return !one || one.id !== id || one.name !== name || (size && one.size !== undefined && one.size !== size);
    });
  }

  /** Processes a frame, and the events that were read from it. */
  take(frame: unknown, events: readonly TurnEvent[]): void {
    if (isObject(frame)) this.#take?.(this, frame);
    for (const event of events) {
      if (event.type === 'part.started' && event.part.type === 'call')
        this.#read.set(event.index, { id: event.part.id, name: event.part.name, size: 0 });
      else if (event.type === 'part.delta') {
        const call = this.#read.get(event.index);
        if (call) grow(call, event.text);
      }
    }
  }

  /** Starts a call, or other content, at the next index. */
  begin(index: unknown, call?: LiteralCall): void {
    if (index !== this.literal.size) this.broken = true;
    this.literal.set(index, call);
  }

  get hasCalls(): boolean {
    for (const call of this.literal.values()) if (call) return true;
    return false;
  }
}

/** How each API format streams calls. Formats with complete calls are checked like complete responses. */
const forms: Readonly<Partial<Record<Format, (form: CallForm, frame: JsonObject) => void>>> = {
  'openai-chat': (form, { choices }) => {
    for (const choice of listOf(choices)) if (isFirst(choice)) takeChoice(form, choice);
  },
  anthropic: (form, frame) => {
    const { type, index, content_block: block, delta } = frame;
    if (type === 'content_block_start') {
      const { type: kind, id, name } = fieldsOf(block);
      form.begin(index, kind === 'tool_use' ? { id: textOf(id), name: textOf(name), size: 0 } : undefined);
    } else if (type === 'content_block_delta') {
      const call = form.literal.get(index);
      if (call) grow(call, textOf(fieldsOf(delta).partial_json));
    } else if (type === 'message_delta' && form.hasCalls && isWrongStop(fieldsOf(delta).stop_reason))
      form.broken = true;
  },
  'openai-responses': (form, { type, output_index: index, item, response }) => {
    const { type: kind, call_id: id, name, id: itemId } = fieldsOf(item);
    if (type === 'response.output_item.done' && textOf(id) !== '') {
      const call = `${kind} ${id}`;
      if (form.ended.has(call)) form.broken = true;
      form.ended.add(call);
    }
    const output = listOf(fieldsOf(response).output);
    if (output.length > 0)
      form.repeatedIds = output.filter((one) => one.type === 'function_call').map((one) => textOf(one.call_id));
    if (type !== 'response.output_item.added') return;
    if (kind === 'function_call' && textOf(itemId) === '') form.broken = true;
    if (form.itemIds.has(itemId)) form.broken = true;
    if (itemId !== undefined && itemId !== null) form.itemIds.add(itemId);
    form.begin(index, kind === 'function_call' ? { id: textOf(id), name: textOf(name), size: undefined } : undefined);
  },
  gemini: (form, frame) => takeComplete(form, 'gemini', frame),
  ollama: (form, frame) => takeComplete(form, 'ollama', frame),
};

/** Takes the calls of a frame that has them complete. Their ids must differ from those of earlier frames. */
function takeComplete(form: CallForm, format: 'gemini' | 'ollama', frame: JsonObject): void {
  const { calls } = complete[format].callsOf(frame);
  if (isMalformed(format, frame) || calls.some(({ id }) => form.itemIds.has(id))) form.broken = true;
  for (const { id } of calls) if (id !== undefined) form.itemIds.add(id);
}

const grow = (call: LiteralCall, text: string): void => {
  if (call.size !== undefined) call.size += text.length;
};

function takeChoice(form: CallForm, { delta, finish_reason: finish }: JsonObject): void {
  const { tool_calls: calls } = fieldsOf(delta);
  if (isObject(calls)) form.broken = true;
  for (const entry of listOf(calls)) {
    const { index, id, type, custom } = entry;
    const { name, arguments: args } = fieldsOf(entry.function);
    const isCustom = type === 'custom' || isObject(custom);
    if (!form.literal.has(index)) form.begin(index, isCustom ? undefined : { id: '', name: '', size: 0 });
    const call = form.literal.get(index);
    if (!call) continue;
    call.id ||= textOf(id);
    // A name in a later chunk is a continuation.
    call.name += textOf(name);
    grow(call, textOf(args));
    if (args !== undefined && args !== null && typeof args !== 'string') form.broken = true;
  }
  if (form.literal.size > 0 && isWrongFinish(finish)) form.broken = true;
}

/** Whether a finish reason next to calls means that there are none, or has a name that clients don't know. */
const isWrongFinish = (word: unknown): boolean =>
  typeof word === 'string' &&
  word !== 'tool_calls' &&
  word !== 'function_call' &&
  chatFinish(word, true) === 'tool_calls';

const isWrongStop = (word: unknown): boolean =>
  typeof word === 'string' && word !== 'tool_use' && anthropicFinish(word, true) === 'tool_calls';

/** A call of a complete response. */
interface CompleteCall {
  /** Undefined if the format doesn't require one. */
  readonly id?: unknown;
  /** The object with its name and arguments. */
  readonly body: JsonObject;
}

/** Whether the calls of a complete response don't follow the API format, although they can be read. */
export function isMalformed(format: Format, body: unknown): boolean {
  const { field, args, callsOf } = complete[format];
  const { calls, isWrong = false } = callsOf(fieldsOf(body));
  if (calls.length === 0) return false;
  if (isWrong || !areIds(calls)) return true;
  return calls.some((call) => {
    const given = call.body[field];
    return given !== undefined && given !== null && !(args === 'text' ? typeof given === 'string' : isObject(given));
  });
}

/** Whether items have the same id. */
const haveRepeats = (ids: readonly unknown[]): boolean => {
  const texts = ids.filter((id) => typeof id === 'string');
  return new Set(texts).size < texts.length;
};

/** Whether each call has an id of its own, if the format requires one. */
function areIds(calls: readonly CompleteCall[]): boolean {
  const ids = new Set<unknown>();
  for (const call of calls) {
    if (!('id' in call)) continue;
    if (typeof call.id !== 'string' || call.id === '' || ids.has(call.id)) return false;
    ids.add(call.id);
  }
  return true;
}

/**
 * Writes mended calls into the response that they were read from, so that all of its other fields stay as they are.
 * Returns false, and changes nothing, if a call wasn't read from a place where the API format has it.
 */
export function replaceCalls(format: Format, body: JsonValue | undefined, mended: readonly CheckedCall[]): boolean {
  const { field, callsOf } = complete[format];
  const { calls } = callsOf(fieldsOf(body));
  const isSame = ({ outcome: { raw } }: CheckedCall, at: number): boolean => {
    const call = calls[at];
    return call !== undefined && call.body.name === raw.name && call.body[field] === raw.arguments;
  };
  if (calls.length !== mended.length || !mended.every(isSame)) return false;
  for (const [at, { part, changed }] of mended.entries())
    if (changed) Object.assign((calls[at] as CompleteCall).body, { name: part.name, [field]: part.arguments });
  return true;
}

/** How an API format has the calls of a complete response. */
interface CompleteForm {
  /** The field with a call's arguments, and how it has them. */
  readonly field: string;
  readonly args: 'text' | 'object';
  callsOf(response: JsonObject): { readonly calls: readonly CompleteCall[]; readonly isWrong?: boolean };
}

/** Where each API format has the calls of a complete response. */
const complete: Readonly<Record<Format, CompleteForm>> = {
  'openai-chat': {
    field: 'arguments',
    args: 'text',
    callsOf: ({ choices }) => {
      const { message, finish_reason: finish } = fieldsOf(listOf(choices)[0]);
      const { tool_calls: listed } = fieldsOf(message);
      const calls = callEntries(listed).flatMap((call) =>
        isObject(call) && isObject(call.function) ? [{ id: call.id, body: call.function }] : [],
      );
      return { calls, isWrong: isObject(listed) || isWrongFinish(finish) };
    },
  },
  'openai-responses': {
    field: 'arguments',
    args: 'text',
    callsOf: ({ output }) => ({
      calls: listOf(output).flatMap((item) =>
        item.type === 'function_call' ? [{ id: item.call_id, body: item }] : [],
      ),
      isWrong: haveRepeats(listOf(output).map(({ id }) => id)),
    }),
  },
  anthropic: {
    field: 'input',
    args: 'object',
    callsOf: ({ content, stop_reason: stop }) => ({
      calls: listOf(content).flatMap((block) => (block.type === 'tool_use' ? [{ id: block.id, body: block }] : [])),
      isWrong: isWrongStop(stop),
    }),
  },
  gemini: {
    field: 'args',
    args: 'object',
    callsOf: ({ candidates }) => ({
      calls: listOf(candidates)
        .filter(isFirst)
        .flatMap((one) => listOf(fieldsOf(one.content).parts))
        .flatMap(({ functionCall: body }) =>
          isObject(body) ? [{ body, ...(!isPartial(body, true) && givenId(body)) }] : [],
        ),
    }),
  },
  ollama: {
    field: 'arguments',
    args: 'object',
    callsOf: ({ message }) => ({
      calls: listOf(fieldsOf(message).tool_calls).map((call) => ({ body: fieldsOf(call.function), ...givenId(call) })),
    }),
  },
};

/** The id of a call in a format that doesn't require one. */
const givenId = ({ id }: JsonObject): { id?: string } => (typeof id === 'string' && id !== '' ? { id } : {});

const isFirst = ({ index }: JsonObject): boolean => !(typeof index === 'number' && index > 0);
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const fieldsOf = (value: unknown): JsonObject => (isObject(value) ? value : {});
const listOf = (value: unknown): readonly JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);
