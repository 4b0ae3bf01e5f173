import { defaultLimits, type Limits } from '../json/limits.ts';
import { notEnded, type Problem, problemAt, rootProblem } from '../json/problem.ts';
import { JsonReader, readStrict } from '../json/read-json.ts';
import type { Reading } from '../json/reading.ts';
import type { Repair } from '../json/repair.ts';
import type { Change } from '../json/tolerant/state.ts';
import { equal, type JsonValue } from '../json/value.ts';
import type { WrittenFinishReason } from '../model/index.ts';
import { layoutOf, typesOf } from '../schema/coerce/layout.ts';
import { type Schema, schemaOf } from '../schema/schema.ts';
import type { InferOutput } from '../tools/tool.ts';
import { checkArguments } from './check-arguments.ts';
import { endedEarly } from './finish-reason.ts';
import { readText } from './parse-arguments.ts';

/** A value read from text: `ok` as written, `mended` with its repairs, or `invalid` with its problems. */
export type MendedValue<Out = unknown> =
  | {
      readonly status: 'ok' | 'mended';
      /** The validator's output: defaults and transforms applied. */
      readonly value: Out;
      /** The mended JSON itself. */
      readonly input: unknown;
      readonly repairs: readonly Repair[];
      readonly problems: readonly [];
    }
  | {
      readonly status: 'invalid';
      /** The value as read. */
      readonly input: unknown;
      readonly repairs: readonly Repair[];
      readonly problems: readonly Problem[];
    };

/** How a text is read and how sure its repairs must be. */
export interface MendValueOptions {
  /** How much the text may hold; what is not said stays at its default. */
  readonly limits?: Partial<Limits>;
  /**
   * The message ended by length: nothing open may be closed. A function is asked at the end of the text, when a stream
   * knows how it ended.
   */
  readonly truncated?: boolean | (() => boolean);
  /**
   * How the message ended, in the words of any provider: `length`, `max_tokens`, `MAX_TOKENS` and the like are `truncated`. A function
   * is asked at the end of the text.
   */
  readonly finishReason?: WrittenFinishReason | undefined | (() => WrittenFinishReason | undefined);
  /** The least certain repair that is applied; default `inferred`. */
  readonly minCertainty?: 'lossless' | 'inferred';
}

/** What a stream gives after each chunk: the value so far, live, and what the chunk changed. */
export interface ValueSoFar {
  /** The same object after every chunk; it is not checked yet. */
  readonly value: JsonValue | undefined;
  /** What this chunk changed, so that the value need not be read again. */
  readonly changes: readonly Change[];
}

/** A value that is still coming: iterate for the value so far, await `result` for the checked end. */
export interface ValueStream<Out = unknown> extends AsyncIterable<ValueSoFar> {
  /** Settles when the iteration has come to its end. */
  readonly result: Promise<MendedValue<Out>>;
}

/**
 * Reads structured output without any tool: text, or chunks of it as they come, mended and checked against a schema
 * (Zod, Standard Schema, JSON Schema) or, without one, just read.
 *
 * @example
 * const out = mendValue("Sure! {name: 'Ada', age: '36',}", z.object({ name: z.string(), age: z.number() }));
 * if (out.status !== 'invalid') out.value; // { name: 'Ada', age: 36 }
 */
export function mendValue<const S = undefined>(
  text: string,
  schema?: S,
  options?: MendValueOptions,
): MendedValue<InferOutput<S>>;
export function mendValue<const S = undefined>(
  chunks: AsyncIterable<string>,
  schema?: S,
  options?: MendValueOptions,
): ValueStream<InferOutput<S>>;
export function mendValue(
  source: string | AsyncIterable<string>,
  given?: unknown,
  options: MendValueOptions = {},
): MendedValue | ValueStream {
  const schema = schemaOf(given);
  return typeof source === 'string' ? mendText(source, schema, options) : mendStream(source, schema, options);
}

/** Mends a whole text against a schema that is already behind its face. */
export function mendText(text: string, schema: Schema, options: MendValueOptions = {}): MendedValue {
  const want = wantOf(schema);
  const limits = { ...defaultLimits, ...options.limits };
  const cut = said(options.truncated) === true || endedEarly(said(options.finishReason));
  const reading =
    want === 'text' || (text.trim() === 'null' && schema.check(null).ok)
      ? readPlain(text, schema, limits, cut)
      : readText(text, schema.json, { limits, truncated: cut, want }, want === 'any' ? 0 : 3);
  // Nothing stands for {} where a tool is called without arguments; as structured output nobody wrote it.
  if (want !== 'text' && text.trim() === '')
    return { status: 'invalid', input: undefined, repairs: [], problems: [empty] };
  return settle(reading, schema, text, options);
}

const said = <T>(option: T | (() => T)): T => (typeof option === 'function' ? (option as () => T)() : option);

const empty = rootProblem('syntax', 'is missing: the text is empty');

/** Checks a reading and puts what came of it into one shape. */
export function settle(
  reading: Reading,
  schema: Schema,
  text: string | undefined,
  options: MendValueOptions,
): MendedValue {
  const { value: input, repairs: read, problems } = reading;
  if (problems.length) return { status: 'invalid', input, repairs: read, problems };
  const judged = checkArguments(reading, schema, { text });
  const repairs = [...read, ...judged.repairs];
  if (judged.problems.length) return { status: 'invalid', input, repairs, problems: judged.problems };
  const unsure = options.minCertainty === 'lossless' ? repairs.filter(({ certainty }) => certainty !== 'lossless') : [];
  if (unsure.length) return { status: 'invalid', input, repairs, problems: unsure.map(notExact) };
  return { status: repairs.length ? 'mended' : 'ok', value: judged.value, input: judged.input, repairs, problems: [] };
}

/** What the schema's root may be: text is read as that. */
export function wantOf(schema: Schema): 'object' | 'array' | 'any' | 'text' {
  const types = schema.json === undefined ? undefined : typesOf(layoutOf(schema.json), schema.json);
  if (types === undefined) return 'any';
  if (types.has('object')) return types.has('array') ? 'any' : 'object';
  return types.has('array') ? 'array' : 'text';
}

const reasoning =
  /^\s*(?:<(think|thinking|thought|reasoning|reflection)>[\s\S]*?<\/\1>|<\/think(?:ing)?>(?=[ \t]*(?:\n|$)))\s*/i;
/** Its end without its beginning; in text that may be anything it may be spoken of. */
const onlyClosed = /^(?:(?!<think(?:ing)?>)[\s\S])*<\/think(?:ing)?>\s*/i;
const closedOnLine = /^(?:(?!<think(?:ing)?>)[\s\S])*?\n[ \t]*<\/think(?:ing)?>[ \t]*(?:\n|$)/i;
const openReasoning = /^\s*<(?:think|thinking|thought|reasoning|reflection)>/i;

/**
 * A scalar: JSON where that passes, else the text itself, for the schema to say what it is. Reasoning before it is no part
 * of it; a fence and a full stop are none where the text as it stands does not pass.
 */
function readPlain(source: string, schema: Schema, limits: Limits, cut: boolean): Reading {
  if (source.length > limits.size) return unread(rootProblem('size', `is longer than ${limits.size} characters`));
  const opened = source.replace(reasoning, '');
  const free = schema.check(opened).ok;
  if (free && closedOnLine.test(opened)) return unread(thoughtOnly);
  const text = free ? opened : opened.replace(onlyClosed, '');
  const repairs: Repair[] = text === source ? [] : [plainRepair('reasoning', source)];
  const said = text.trim();
  if (openReasoning.test(text) || (said === '' && repairs.length)) return unread(notEnded);
  const strict = readStrict(said);
  // Only a closing quote says that a scalar is complete.
  if (cut && typeof strict?.value !== 'string') return unread(notEnded);
  if (strict && schema.check(strict.value).ok) return { ...strict, repairs };
  if (typeof strict?.value === 'string' && !schema.check(text).ok) return { ...strict, repairs };
  const whole = schema.check(text).ok ? text : said;
  const bare = schema.check(whole).ok ? whole : uncovered(said);
  if (bare !== whole) repairs.push(plainRepair(said.startsWith('`') ? 'fence' : 'prose', said));
  const inner = bare === whole ? undefined : readStrict(bare);
  if (inner && schema.check(inner.value).ok) return { ...inner, repairs };
  return { value: bare, repairs: [...repairs, plainRepair('quote', said)], problems: [], nesting: 'sure' };
}

/** A scalar without the fence or inline code around it and the full stop behind it. */
const uncovered = (text: string): string =>
  text
    .replace(/^```\w*\n([\s\S]*?)\n?```$|^`([^`\n]+)`$/, '$1$2')
    .trim()
    .replace(/(?<=[\p{L}\p{N}"'])[.。]$/u, '');

const plainRepair = (kind: Repair['kind'], before: string): Repair => ({
  path: [],
  kind,
  before: before.slice(0, 80),
  certainty: kind === 'prose' ? 'inferred' : 'lossless',
});

const unread = (problem: Problem): Reading => ({ value: undefined, repairs: [], problems: [problem], nesting: 'sure' });

const thoughtOnly = rootProblem('ambiguous', 'may begin with reasoning, which ends in it and does not begin');

const notExact = ({ path, before }: Repair): Problem =>
  problemAt(path, 'not_exact', 'was read by inference, and only lossless repairs are accepted', { received: before });

/** What the end of the text makes void: all that was seen of a value that is refused, or of another than the one meant. */
function replaced(reader: JsonReader, { status, input }: MendedValue): ValueSoFar | undefined {
  const live = reader.value;
  const reset = { type: 'reset', path: [] } as const;
  if (status === 'invalid') return { value: undefined, changes: [reset] };
  if (equal(reader.end().value as JsonValue, live as JsonValue)) return undefined;
  return { value: input as JsonValue, changes: [reset, { type: 'set', path: [], value: input as JsonValue }] };
}

function mendStream(chunks: AsyncIterable<string>, schema: Schema, options: MendValueOptions): ValueStream {
  const want = wantOf(schema);
  const { limits = {} } = options;
  const reader = new JsonReader({ limits, want: want === 'text' ? 'any' : want });
  const pieces: string[] = [];
  let result: Promise<MendedValue> | undefined;

  async function* read(): AsyncGenerator<ValueSoFar> {
    let told = false;
    for await (const chunk of chunks) {
      pieces.push(chunk);
      const changes = reader.push(chunk);
      if (changes.length) told = changes.at(-1)?.type !== 'reset';
      if (changes.length) yield { value: reader.value, changes };
    }
    const last = told ? replaced(reader, mendText(pieces.join(''), schema, options)) : undefined;
    if (last) yield last;
  }
  // One reading, whoever drives it: what the loop left is read when the result is asked for.
  const reading = read();
  async function settled(): Promise<MendedValue> {
    for (let next = await reading.next(); !next.done; ) next = await reading.next();
    return mendText(pieces.join(''), schema, options);
  }
  return {
    get result() {
      result ??= settled();
      return result;
    },
    // Leaving the loop early must not end the reading, so the iterator has no `return`.
    [Symbol.asyncIterator]: () => ({ next: () => reading.next() }),
  };
}
