import { isObject, type JsonObject, type JsonValue } from '../../../json/value.ts';
import { isUnfinished } from '../../../mend/finish-reason.ts';
import { makeId } from '../../../mend/make-id.ts';
import type { OpaquePart, TurnError, TurnEvent } from '../../../model/index.ts';
import { protocolError } from '../errors.ts';
import { unreadFields } from '../passthrough-fields.ts';
import { type Slot as CallSlot, TurnAssembler } from '../turn-assembler.ts';
import type { StreamReader } from '../types.ts';
import { callEntries, detailText, reasoningFields, reasoningMarks } from './calls.ts';
import { format, isNumber, isString, isText, passthroughOf } from './fields.ts';
import { finishOf, wireFinishReasons } from './map-finish-reason.ts';
import { isError, readError, readUsage } from './response.ts';
import { StreamCalls } from './stream-calls.ts';

const chunkFields = ['id', 'object', 'model', 'choices', 'usage', 'obfuscation', 'error'];

/** Reads the chunks of a stream. */
export function readStream(emit: (event: TurnEvent) => void): StreamReader {
  const assembly = new TurnAssembler(format, emit);
  const choice = new StreamChoice(assembly);
  let fields: JsonObject | undefined;
  let usage: JsonValue | undefined;

  const start = (chunk: JsonObject): void => {
    const first = leftOf(chunk);
    fields = { ...first };
    const { id, model } = chunk;
    assembly.start({ ...(isText(id) && { id }), ...(isText(model) && { model }), ...passthroughOf(first) });
  };
  const fail = (error: TurnError): void => {
    if (assembly.ended) return;
    choice.settle();
    assembly.fail(error, { usage: readUsage(usage) });
  };
  const finish = (): void => {
    if (assembly.ended) return;
    choice.close();
    const reason = finishOf(choice.finish, choice.called);
    const odd = choice.finish !== undefined && choice.finish !== wireFinishReasons[reason];
    const told = { ...choice.rest, ...(odd && { finish_reason: choice.finish ?? null }) };
    const kept = Object.keys(told).length > 0 && { choices: [{ logprobs: null, ...told }] };
    assembly.finish({ finish: reason, usage: readUsage(usage), ...passthroughOf({ ...fields, ...kept }) });
  };

  return {
    get pending() {
      return assembly.pending;
    },
    frame(chunk, name) {
      if (assembly.ended || chunk === null) return;
      if (!isObject(chunk)) return fail(protocolError('A frame of the stream must be an object'));
      if (isError(chunk.error) || name === 'error' || chunk.object === 'error') return fail(readError(200, chunk));
      if (!fields) start(chunk);
      const { choices } = chunk;
      const { x_groq: aside } = chunk;
      if (isObject(chunk.usage)) usage = chunk.usage;
      // One server sends usage in a field of its own.
      else if (isObject(aside) && isObject(aside.usage)) usage ??= aside.usage;
      const before = choice.finish;
      for (const one of Array.isArray(choices) ? choices : []) {
        if (isObject(one)) choice.take(one);
        if (isError(choice.error)) return fail(readError(200, { error: choice.error }));
      }
      // The last chunks have values that weren't known in the first.
      const late = !Array.isArray(choices) || choices.length === 0 || isObject(chunk.usage) || choice.finish !== before;
      if (late) Object.assign(fields ?? {}, leftOf(chunk));
    },
    done: finish,
    end(error) {
      if (error) fail(error);
      else if (choice.finish !== undefined) finish();
      else fail(protocolError('The stream ended before a finish reason: the response may be truncated', true));
    },
  };
}

/** The fields of a chunk except its choices. */
const leftOf = (chunk: JsonObject): JsonObject => unreadFields(chunk, chunkFields);

type Slot = ReturnType<TurnAssembler['open']>;

/** Fields that are read, and `__proto__`, which must not be copied. */
const choiceFields = new Set(['__proto__', 'index', 'delta', 'message', 'text', 'logprobs', 'finish_reason', 'error']);
const deltaFields = new Set([
  '__proto__',
  'role',
  'content',
  'refusal',
  'tool_calls',
  'function_call',
  'reasoning_content',
  'reasoning',
  'reasoning_details',
]);

/** The first choice of a stream. Others pass through unread. */
class StreamChoice {
  readonly #assembly: TurnAssembler;
  readonly #calls: StreamCalls;
  readonly #custom: StreamCustom;
  #words: Slot | undefined;
  #thought: Thought | undefined;
  /** The last finish reason received, except that a length limit is final. */
  finish: string | undefined;
  /** The last value of each other field of the choice. */
  readonly rest: JsonObject = {};
  error: JsonValue | undefined;

  constructor(assembly: TurnAssembler) {
    this.#assembly = assembly;
    this.#calls = new StreamCalls(assembly);
    this.#custom = new StreamCustom(assembly);
  }

  get called(): boolean {
    return this.#calls.called || this.#custom.called;
  }

  take(choice: JsonObject): void {
    const { index, delta, message, logprobs } = choice;
    if (typeof index === 'number' && index > 0) {
      this.#assembly.unknown({ choices: [choice] });
      return;
    }
    if (choice.error) this.error = choice.error;
    // A server that doesn't stream sends the complete message as one chunk.
    if (isObject(delta)) this.#delta(delta);
    else if (isObject(message) && this.#assembly.empty) this.#delta(message);
    else if (isText(choice.text)) this.#say('text', choice.text);
    if (logprobs) this.#assembly.unknown({ choices: [{ index: 0, delta: {}, logprobs }] });
    const limited = this.finish !== undefined && finishOf(this.finish, true) === 'length';
    if (isText(choice.finish_reason) && !limited) this.finish = choice.finish_reason;
    for (const key in choice) {
      const value = choice[key];
      if (!choiceFields.has(key) && value !== null && value !== undefined) this.rest[key] = value;
    }
  }

  /** Emits pending calls after the response broke off. */
  settle(): void {
    this.#calls.settle(true);
  }

  close(): void {
    this.#endWords();
    const reason = finishOf(this.finish, true);
    this.#calls.close(reason === 'length', isUnfinished(reason));
    this.#custom.close();
  }

  #delta(delta: JsonObject): void {
    const { content, refusal, tool_calls: calls, function_call: call } = delta;
    if (isThinking(delta)) this.#think(delta);
    if (isText(content)) this.#say('text', content);
    else if (Array.isArray(content)) for (const part of content) this.#part(part);
    if (isText(refusal)) this.#say('refusal', refusal);
    const entries = calls ? callEntries(calls) : [];
    if (entries.length > 0) this.#call(entries);
    if (isObject(call)) this.#call([{ function: call, type: 'function_call' }]);
    for (const key in delta) {
      const value = delta[key];
      if (!deltaFields.has(key) && value !== null && value !== undefined)
        this.#assembly.unknown({ choices: [{ index: 0, delta: { [key]: value } }] });
    }
  }

  #say(type: 'text' | 'refusal', text: string): void {
    if (this.#words?.part.type !== type) {
      this.#endWords();
      this.#words = this.#assembly.open({ type, text: '' });
    }
    if (this.#words) this.#assembly.grow(this.#words, text);
  }

  #think(delta: JsonObject): void {
    if (!this.#thought) {
      this.#endWords();
      this.#thought = openThought(this.#assembly, delta);
    }
    addThought(this.#assembly, this.#thought, delta);
  }

  /** Reads content as a list of parts, as some servers stream it. */
  #part(part: JsonValue): void {
    if (isObject(part) && part.type === 'text' && isText(part.text)) this.#say('text', part.text);
    else if (isObject(part) && part.type === 'thinking')
      this.#think({ reasoning_content: thinkingText(part.thinking) });
    else {
      this.#endWords();
      this.#assembly.add({ type: 'opaque', format, value: part });
    }
  }

  #call(calls: readonly JsonValue[]): void {
    this.#endWords();
    this.#calls.nextDelta();
    for (const call of calls) {
      if (!isObject(call)) continue;
      if (this.#custom.takes(call)) this.#custom.take(call);
      else this.#calls.take(call);
    }
  }

  #endWords(): void {
    if (this.#words) this.#assembly.close(this.#words);
    if (this.#thought) closeThought(this.#assembly, this.#thought);
    this.#words = undefined;
    this.#thought = undefined;
  }
}

/** Reasoning in a content part is a string or a list of texts. */
function thinkingText(thinking: JsonValue | undefined): string {
  if (isText(thinking)) return thinking;
  if (!Array.isArray(thinking)) return '';
  return thinking.map((one) => (isObject(one) && isText(one.text) ? one.text : '')).join('');
}

interface Custom {
  readonly id: string;
  name: string;
  readonly input: string[];
  slot?: CallSlot;
}

/** Calls of custom tools, whose input is free text. They are passed on complete, at the position of their start. */
class StreamCustom {
  readonly #assembly: TurnAssembler;
  readonly #byIndex = new Map<number, Custom>();

  constructor(assembly: TurnAssembler) {
    this.#assembly = assembly;
  }

  get called(): boolean {
    return this.#byIndex.size > 0;
  }

  takes({ type, custom }: JsonObject): boolean {
    return type === 'custom' || isObject(custom);
  }

  take({ index, id, custom }: JsonObject): void {
    const at = isNumber(index) ? index : 0;
    const said = isObject(custom) ? custom : {};
    const call = this.#byIndex.get(at) ?? { id: isText(id) ? id : makeId(), name: '', input: [] };
    if (isText(said.name)) call.name = said.name;
    if (isString(said.input)) call.input.push(said.input);
    this.#byIndex.set(at, call);
    call.slot ??= this.#assembly.open(partOf(call));
  }

  close(): void {
    for (const call of this.#byIndex.values()) if (call.slot) this.#assembly.close(call.slot, partOf(call));
  }
}

const partOf = ({ id, name, input }: Custom): OpaquePart => ({
  type: 'opaque',
  format,
  value: { id, type: 'custom', custom: { name, input: input.join('') } },
});

type ReasoningSlot = ReturnType<TurnAssembler['open']>;

/** Fields of `reasoning_details` that arrive in pieces. */
const grown = ['text', 'summary', 'data', 'signature'];

/** A reasoning part of a stream. Servers send it in one field, in two, or as details; the first one received counts. */
interface Thought {
  readonly slot: ReasoningSlot;
  readonly fields: string[];
  readonly details: JsonObject[];
}

/** Whether a delta contains reasoning. */
const isThinking = (delta: JsonObject): boolean =>
  isText(delta.reasoning_content) ||
  isText(delta.reasoning) ||
  (Array.isArray(delta.reasoning_details) && delta.reasoning_details.length > 0);

/** Starts a reasoning part with the fields of its first delta. */
function openThought(assembly: TurnAssembler, delta: JsonObject): Thought {
  const fields = reasoningFields.filter((field) => isText(delta[field]));
  const { passthrough } = reasoningMarks(' ', fields, undefined);
  const slot = assembly.open({ type: 'reasoning', text: '', ...(passthrough && { passthrough }) });
  return { slot, fields: [], details: [] };
}

/** Adds a delta to a reasoning part. */
function addThought(assembly: TurnAssembler, thought: Thought, delta: JsonObject): void {
  for (const field of reasoningFields) {
    const text = delta[field];
    if (!isText(text)) continue;
    const silent = thought.fields.length === 0 && thought.slot.text === '';
    if (!thought.fields.includes(field)) thought.fields.push(field);
    if (silent || thought.fields[0] === field) assembly.grow(thought.slot, text);
  }
  if (!Array.isArray(delta.reasoning_details)) return;
  for (const detail of delta.reasoning_details) {
    if (thought.fields.length === 0) assembly.grow(thought.slot, detailText(detail));
    addDetail(thought.details, detail);
  }
}

/** Pieces of one detail share its type and index. */
function addDetail(details: JsonObject[], detail: JsonValue): void {
  if (!isObject(detail)) return;
  const last = details.at(-1);
  if (!last || last.type !== detail.type || last.index !== detail.index) {
    details.push({ ...detail });
    return;
  }
  for (const [key, value] of Object.entries(detail)) {
    if (key === '__proto__') continue;
    const before = last[key];
    if (grown.includes(key) && isString(before) && isString(value)) last[key] = before + value;
    else if (value !== null || before === undefined) last[key] = value;
  }
}

function closeThought(assembly: TurnAssembler, { slot, fields, details }: Thought): void {
  assembly.close(slot, reasoningMarks(slot.text, fields, details.length > 0 ? details : undefined));
}
