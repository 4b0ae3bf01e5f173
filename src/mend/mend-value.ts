import { defaultLimits, type Limits } from '../json/limits.ts';
import { notEnded, type Problem, problemAt, rootProblem } from '../json/problem.ts';
import { JsonReader, readStrict } from '../json/read-json.ts';
import type { Reading } from '../json/reading.ts';
import type { Repair } from '../json/repair.ts';
import type { Change } from '../json/tolerant/state.ts';
import { checkArgument, equal, type JsonValue } from '../json/value.ts';
import type { WrittenFinishReason } from '../model/index.ts';
import { declaredKeys, layoutOf, typesOf } from '../schema/coerce/layout.ts';
import type { DeepPartial, InferInput, InferOutput } from '../schema/infer.ts';
import { type Schema, schemaOf } from '../schema/schema.ts';
import { checkArguments } from './check-arguments.ts';
import { endedEarly } from './finish-reason.ts';
import { readingOf, readText, refuseTruncated } from './parse-arguments.ts';
import { residue } from './residue.ts';

/** A value read from text: `ok` as written, `mended` with its repairs, or `invalid` with its problems. */
export type MendedValue<Out = unknown> =
  | {
      readonly status: 'ok' | 'mended';
      /** The validator's output, with defaults and transforms applied. */
      readonly value: Out;
      /** The mended JSON. */
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

/** Options of `mendValue`. */
export interface MendValueOptions {
  /** Limits; missing ones have their default. */
  readonly limits?: Partial<Limits>;
  /**
   * Whether the message reached its length limit, so that nothing open may be closed. A function is called at the end
   * of the text, for streams.
   */
  readonly truncated?: boolean | (() => boolean);
  /**
   * The finish reason of any provider: `length`, `max_tokens`, `MAX_TOKENS` and the like count as `truncated`. A
   * function is called at the end of the text.
   */
  readonly finishReason?: WrittenFinishReason | undefined | (() => WrittenFinishReason | undefined);
  /**
   * The lowest certainty of repairs to apply.
   * @default 'inferred'
   */
  readonly minCertainty?: 'lossless' | 'inferred';
  /** Whether the same value was refused before because of a placeholder or markup. Repeating it confirms it. */
  readonly repeated?: boolean;
}

/** The state of a stream after a chunk. */
export interface ValueSoFar<Value = JsonValue> {
  /** The same object after every chunk. It isn't validated yet. */
  readonly value: Value | undefined;
  /** The changes of this chunk. */
  readonly changes: readonly Change[];
}

/** What is known of a value while it streams, by its schema. */
type PartialValue<S> = S extends undefined ? JsonValue : DeepPartial<InferInput<S>>;

/** A streaming value: iterate for the value so far, await `result` for the validated one. */
export interface ValueStream<Out = unknown, Value = JsonValue> extends AsyncIterable<ValueSoFar<Value>> {
  /** Resolves at the end of the iteration. */
  readonly result: Promise<MendedValue<Out>>;
}

/**
 * Reads structured output: text, or chunks of it, mended and validated against a schema (Zod, Standard Schema, JSON
 * Schema). Without a schema it is only mended.
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
): ValueStream<InferOutput<S>, PartialValue<S>>;
export function mendValue(
  source: string | AsyncIterable<string>,
  given?: unknown,
  options: MendValueOptions = {},
): MendedValue | ValueStream<unknown, unknown> {
  const schema = schemaOf(given);
  if (typeof source === 'string') return mendText(source, schema, options);
  checkArgument(Symbol.asyncIterator in Object(source), 'text', 'a string', source);
  return mendStream(source, schema, options);
}

/** Mends a complete text against a `Schema`. */
export function mendText(text: string, schema: Schema, options: MendValueOptions = {}): MendedValue {
  const want = wantOf(schema);
  const limits = { ...defaultLimits, ...options.limits };
  const cut = said(options.truncated) === true || endedEarly(said(options.finishReason));
  const reading =
    want === 'text' || (text.trim() === 'null' && schema.check(null).ok)
      ? readPlain(text, schema, limits, cut)
      : refuseTruncated(readText(text, schema.json, { limits, truncated: cut, want }, want === 'any' ? 0 : 3), cut);
  // An empty text means `{}` for a call without arguments, but not for structured output.
  if (want !== 'text' && text.trim() === '')
    return { status: 'invalid', input: undefined, repairs: [], problems: [empty] };
  return settle(reading, schema, text, options);
}

const said = <T>(option: T | (() => T)): T => (typeof option === 'function' ? (option as () => T)() : option);

const empty = rootProblem('syntax', 'is missing: the text is empty');

/** Validates a reading, and returns the result. */
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
  const left = options.repeated ? [] : residue(judged.input, declaredKeys(schema.json), '').problems;
  if (left.length) return { status: 'invalid', input, repairs, problems: left };
  const unsure = options.minCertainty === 'lossless' ? repairs.filter(({ certainty }) => certainty !== 'lossless') : [];
  if (unsure.length) return { status: 'invalid', input, repairs, problems: unsure.map(notExact) };
  return { status: repairs.length ? 'mended' : 'ok', value: judged.value, input: judged.input, repairs, problems: [] };
}

/** What the schema's root may be, which decides how text is read. */
export function wantOf(schema: Schema): 'object' | 'array' | 'any' | 'text' {
  const types = schema.json === undefined ? undefined : typesOf(layoutOf(schema.json), schema.json);
  if (types === undefined) return 'any';
  if (types.has('object')) return types.has('array') ? 'any' : 'object';
  return types.has('array') ? 'array' : 'text';
}

const reasoning =
  /^\s*(?:<(think|thinking|thought|reasoning|reflection)>[\s\S]*?<\/\1>|<\/think(?:ing)?>(?=[ \t]*(?:\n|$)))\s*/i;
/** The end of reasoning without its start. In free text it may be mentioned instead. */
const onlyClosed = /^(?:(?!<think(?:ing)?>)[\s\S])*<\/think(?:ing)?>\s*/i;
const closedOnLine = /^(?:(?!<think(?:ing)?>)[\s\S])*?\n[ \t]*<\/think(?:ing)?>[ \t]*(?:\n|$)/i;
const openReasoning = /^\s*<(?:think|thinking|thought|reasoning|reflection)>/i;

/**
 * Reads a scalar: as JSON if that is valid, otherwise as text, and the schema decides. Reasoning before it is removed.
 * A code fence and a full stop are removed if the text is invalid with them.
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
  // Only a closing quote shows that a scalar is complete.
  if (cut && typeof strict?.value !== 'string') return unread(notEnded);
  if (strict && schema.check(strict.value).ok) return { ...strict, repairs };
  if (typeof strict?.value === 'string' && !schema.check(text).ok) return { ...strict, repairs };
  const whole = schema.check(text).ok ? text : said;
  const bare = schema.check(whole).ok ? whole : uncovered(said);
  if (bare !== whole) repairs.push(plainRepair(said.startsWith('`') ? 'fence' : 'prose', said));
  const inner = bare === whole ? undefined : readStrict(bare);
  const isText = typeof inner?.value === 'string' && !schema.check(bare).ok;
  if (inner && (isText || schema.check(inner.value).ok)) return { ...inner, repairs };
  return { ...readingOf(bare), repairs: [...repairs, plainRepair('quote', said)] };
}

/** Removes a code fence, inline code or bold type around a scalar, and a full stop after it. */
const uncovered = (text: string): string =>
  text
    .replace(/^```\w*\n([\s\S]*?)\n?```$|^`([^`\n]+)`$|^\*\*([^*\n]+)\*\*$/, '$1$2$3')
    .trim()
    .replace(/(?<=[\p{L}\p{N}"'])[.。]$/u, '');

const plainRepair = (kind: Repair['kind'], before: string): Repair => ({
  path: [],
  kind,
  before: before.slice(0, 80),
  certainty: kind === 'prose' ? 'inferred' : 'lossless',
});

const unread = (problem: Problem): Reading => readingOf(undefined, [problem]);

const thoughtOnly = rootProblem('ambiguous', 'may begin with reasoning that has no start');

const notExact = ({ path, before }: Repair): Problem =>
  problemAt(path, 'not_exact', 'needs inference, and only lossless repairs are accepted', { received: before });

/** The last update if the result differs from the streamed value: it is refused, or another value was selected. */
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
  // One reader for both: awaiting the result reads what the loop left.
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
    // Leaving the loop must not end the reader, so the iterator has no `return`.
    [Symbol.asyncIterator]: () => ({ next: () => reading.next() }),
  };
}
