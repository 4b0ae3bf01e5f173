import { isObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import type { TurnAssembly } from '../turn-assembly.ts';
import { finishOf } from './finish.ts';
import { StreamCalls } from './stream-calls.ts';
import { StreamCustom } from './stream-custom.ts';
import { addThought, closeThought, isThinking, openThought, type Thought } from './stream-reasoning.ts';
import { format, isText } from './take.ts';

type Slot = ReturnType<TurnAssembly['open']>;

/** What is read; and no key that would be a prototype is passed on. */
const choiceFields = new Set(['__proto__', 'index', 'delta', 'message', 'text', 'logprobs', 'finish_reason', 'error']);
const deltaFields = new Set([
  '__proto__',
  ...['role', 'content', 'refusal', 'tool_calls', 'function_call'],
  ...['reasoning_content', 'reasoning', 'reasoning_details'],
]);

/** The first choice of a stream: its words, its thoughts, its calls, how it ends. Other choices are passed on unread. */
export class StreamChoice {
  readonly #assembly: TurnAssembly;
  readonly #calls: StreamCalls;
  readonly #custom: StreamCustom;
  #words: Slot | undefined;
  #thought: Thought | undefined;
  /** The wire's word for how it ended: the last that came, but a limit that was met stays met. */
  finish: string | undefined;
  /** What else was said of the choice, the last of each. */
  readonly rest: JsonObject = {};
  error: JsonValue | undefined;

  constructor(assembly: TurnAssembly) {
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
    // A server that does not stream sends the whole message as one chunk.
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

  /** The answer broke off: what waited is shown. */
  settle(): void {
    this.#calls.settle(true);
  }

  close(): void {
    this.#endWords();
    this.#calls.close(finishOf(this.finish, true) === 'length');
    this.#custom.close();
  }

  #delta(delta: JsonObject): void {
    const { content, refusal, tool_calls: calls, function_call: call } = delta;
    if (isThinking(delta)) this.#think(delta);
    if (isText(content)) this.#say('text', content);
    else if (Array.isArray(content)) for (const part of content) this.#part(part);
    if (isText(refusal)) this.#say('refusal', refusal);
    if (Array.isArray(calls) && calls.length > 0) this.#call(calls);
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

  /** Content as a list of parts, as some servers stream it: words, thoughts, and what is not known. */
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

/** A thought in a content part is text, or a list of texts. */
function thinkingText(thinking: JsonValue | undefined): string {
  if (isText(thinking)) return thinking;
  if (!Array.isArray(thinking)) return '';
  return thinking.map((one) => (isObject(one) && isText(one.text) ? one.text : '')).join('');
}
