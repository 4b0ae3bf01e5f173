import { checkArgument, isObject } from '../json/value.ts';
import type { Outcome } from '../mend/outcome.ts';
import type { ModelRequest } from '../model/index.ts';
import type { Toolbox } from '../tools/toolbox.ts';
import { CallReader, type ReadCallsOptions } from './call-reader.ts';
import { TextBuilder } from './placement/place.ts';

/** The result of reading a text. */
export interface CallReading {
  /** The text for the user. */
  readonly text: string;
  readonly reasoning?: string;
  /** The dialect of the calls: the requested or detected one; `content-only` if there is none. */
  readonly dialect: string;
  readonly calls: readonly Outcome[];
  /** `echo`: the text contains calls that only repeat what the model was shown (`context`), so they stay text. */
  readonly note?: 'echo';
  /** Remarks about what is neither text nor a call, such as a call that is too long to buffer. */
  readonly notes?: readonly string[];
}

/**
 * Reads the calls of a complete text, in a given or detected dialect.
 *
 * @example
 * readCalls('<tool_call>{"name": "read_file", "arguments": {"path": "a.ts"}}</tool_call>', toolbox).calls
 */
export function readCalls(
  text: string,
  toolbox?: Toolbox,
  options: ReadCallsOptions & { readonly truncated?: boolean; readonly chunk?: number } = {},
): CallReading {
  checkArgument(typeof text === 'string', 'text', 'a string', text);
  const reader = new CallReader(toolbox, options);
  const size = options.chunk ?? text.length;
  const left = new TextBuilder();
  const thought = new TextBuilder();
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

/**
 * Whether the text of a response can contain calls: not without tools, with `toolChoice: 'none'`, or if the output has
 * another form, such as JSON.
 */
export const mayContainCalls = ({ tools = [], toolChoice, output, passthrough: extra }: ModelRequest): boolean =>
  tools.some(({ type }) => type === 'function') &&
  toolChoice !== 'none' &&
  output === undefined &&
  !hasOtherForm(extra?.fields.generationConfig);

/** Gemini has output forms other than JSON, such as an enum. */
const hasOtherForm = (config: unknown): boolean =>
  isObject(config) && typeof config.responseMimeType === 'string' && config.responseMimeType !== 'text/plain';
