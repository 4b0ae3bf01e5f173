import { isObject } from '../json/value.ts';
import type { Outcome } from '../mend/outcome.ts';
import type { ModelRequest } from '../model/index.ts';
import type { Toolbox } from '../tools/toolbox.ts';
import { CallReader, type ReadCallsOptions } from './call-reader.ts';

/** What a text was read as. */
export interface CallReading {
  /** What is left for the user. */
  readonly text: string;
  readonly reasoning?: string;
  /** The dialect of the calls: the one that was asked for, or found; `content-only` where there is none. */
  readonly dialect: string;
  readonly calls: readonly Outcome[];
  /** `echo`: the text holds calls that only repeat what the model was shown (`context`), so that they stay text. */
  readonly note?: 'echo';
  /** What was noticed that is neither text nor a call: a call too long to be held back, for one. */
  readonly notes?: readonly string[];
}

/**
 * Reads the calls of a whole text, in the dialect you name or the one it is found to be in.
 *
 * @example
 * readCalls('<tool_call>{"name": "read_file", "arguments": {"path": "a.ts"}}</tool_call>', toolbox).calls
 */
export function readCalls(
  text: string,
  toolbox?: Toolbox,
  options: ReadCallsOptions & { readonly truncated?: boolean; readonly chunk?: number } = {},
): CallReading {
  const reader = new CallReader(toolbox, options);
  const size = options.chunk ?? text.length;
  const left = new Gathered();
  const thought = new Gathered();
  const take = (events: ReturnType<CallReader['push']>): void => {
    for (const event of events) {
      if (event.type === 'text') left.add(event.text);
      else if (event.type === 'reasoning') thought.add(event.text);
    }
  };
  for (let at = 0; at < text.length; at += size) take(reader.push(text.slice(at, at + size)));
  take(reader.end({ truncated: options.truncated === true }));
  const reasoning = thought.text;
  const asked = typeof options.dialect === 'object' ? options.dialect.name : options.dialect;
  return {
    text: left.text,
    ...(reasoning && { reasoning }),
    dialect: reader.dialect ?? (asked && asked !== 'auto' ? asked : 'content-only'),
    calls: reader.calls,
    ...(reader.note && { note: reader.note }),
    ...(reader.notes.length > 0 && { notes: reader.notes }),
  };
}

const most = 1024;
const anything = /^/;

/** Text put together from small pieces: joined now and then, so that a long one is few large pieces and not a chain of all. */
export class Gathered {
  #text = '';
  #tail = '';

  add(piece: string): void {
    this.#tail += piece;
    if (this.#tail.length < most) return;
    // A pattern is matched in one piece of memory, so that this joins the pieces while they are few.
    anything.test(this.#tail);
    this.#text += this.#tail;
    this.#tail = '';
  }

  get text(): string {
    return this.#text + this.#tail;
  }
}

/**
 * Whether an answer's words may hold calls at all: not without tools, where none may be called, or where the words are to be
 * JSON or have another form.
 */
export const mayContainCalls = ({ tools = [], toolChoice, output, passthrough: extra }: ModelRequest): boolean =>
  tools.some(({ type }) => type === 'function') &&
  toolChoice !== 'none' &&
  output === undefined &&
  !hasOtherForm(extra?.fields.generationConfig);

/** Gemini has forms that are no JSON: one word of an enum. */
const hasOtherForm = (config: unknown): boolean =>
  isObject(config) && typeof config.responseMimeType === 'string' && config.responseMimeType !== 'text/plain';
