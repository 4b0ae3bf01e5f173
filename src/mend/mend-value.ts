import { defaultLimits, type Limits } from '../json/limits.ts';
import { hasTruncated, notEnded, type Problem, problemAt, rootProblem } from '../json/problem.ts';
import { JsonReader, readStrict } from '../json/read-json.ts';
import type { Reading } from '../json/reading.ts';
import type { Repair } from '../json/repair.ts';
import { cached } from '../json/text-cache.ts';
import { note } from '../json/tolerant/pick-value.ts';
import { checkArgument, type JsonValue } from '../json/value.ts';
import type { WrittenFinishReason } from '../model/index.ts';
import { declaredKeys, layoutOf, typesOf } from '../schema/coerce/layout.ts';
import type { DeepPartial, InferInput, InferOutput } from '../schema/infer.ts';
import { type Schema, schemaOf } from '../schema/schema.ts';
import { checkValueSchema } from '../tools/check/definition.ts';
import { checkArguments } from './check-arguments.ts';
import { isUnfinished } from './finish-reason.ts';
import type { BadValue, MendedValue } from './outcome.ts';
import { parseArguments, readingOf, readText, refuseTruncated } from './parse-arguments.ts';
import { residue } from './residue.ts';
import { type ValueStream, valueStream } from './streaming/value-stream.ts';

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

/** Options of `mendValue` for a stream. */
export interface StreamValueOptions extends MendValueOptions {
  /**
   * Whether every update has a new object along the changed path, and shares the rest with the one before, as UI
   * frameworks expect. By default, one object grows.
   * @default false
   */
  readonly immutable?: boolean;
}

/** What is known of a value before it is complete, by its schema. */
export type PartialOf<S> = S extends undefined ? JsonValue : DeepPartial<InferInput<S>>;

/**
 * Reads structured output: text, chunks of text, or a value that a client has parsed. It is mended and validated against
 * a schema (Zod, Standard Schema, JSON Schema). Without a schema it is only mended.
 *
 * @example
 * const out = mendValue("{name: 'Ada', age: '36',}", z.object({ name: z.string(), age: z.number() }));
 * if (out.status !== 'invalid') out.value; // { name: 'Ada', age: 36 }
 */
export function mendValue<const S = undefined>(
  chunks: AsyncIterable<string>,
  schema?: S,
  options?: StreamValueOptions,
): ValueStream<InferOutput<S>, PartialOf<S>>;
export function mendValue<const S = undefined>(
  source: unknown,
  schema?: S,
  options?: MendValueOptions,
): MendedValue<InferOutput<S>>;
export function mendValue(
  source: unknown,
  given?: unknown,
  options: StreamValueOptions = {},
): MendedValue | ValueStream<unknown, unknown> {
  const schema = valueSchemaOf(given);
  if (typeof source === 'string') return mendText(source, schema, options);
  if (isIterable(source)) {
    const want = wantOf(schema);
    const reader = new JsonReader({ limits: options.limits ?? {}, want: want === 'text' ? 'any' : want });
    const settle = (text: string, truncated: boolean) =>
      mendText(text, schema, truncated ? { ...options, truncated } : options);
    return valueStream(source, { reader, schema: schema.json, immutable: options.immutable === true, settle });
  }
  checkIsValue(source);
  return mendParsed(source, schema, options);
}

const checked = new WeakMap<object, Schema>();

/**
 * The schema of a value, checked once.
 *
 * @throws ToolmendError `invalid_schema` if no value can match it, because it has a type that JSON doesn't have
 */
export function valueSchemaOf(source: unknown): Schema {
  if (Object(source) !== source) return schemaOf(source);
  return cached(checked, source as object, () => {
    const schema = schemaOf(source);
    checkValueSchema(schema);
    return schema;
  });
}

/** Throws for values that JSON doesn't have. */
export const checkIsValue = (source: unknown): void =>
  checkArgument(!/^(?:u|sy|f|bi)/.test(typeof source), 'source', 'text, chunks of text or a JSON value', source);

const isIterable = (source: unknown): source is AsyncIterable<string> =>
  typeof source === 'object' && source !== null && Symbol.asyncIterator in source;

/** Mends a value that a client has parsed. Only objects and lists can exceed the limits. */
export function mendParsed(value: unknown, schema: Schema, options: MendValueOptions = {}): MendedValue {
  const reading =
    typeof value === 'object' && value !== null
      ? parseArguments({ name: '', arguments: value }, undefined, { ...defaultLimits, ...options.limits })
      : readingOf(value);
  return settle(reading, schema, value, options);
}

/** Mends a complete text against a `Schema`. */
export function mendText(text: string, schema: Schema, options: MendValueOptions = {}): MendedValue {
  const want = wantOf(schema);
  const limits = { ...defaultLimits, ...options.limits };
  const cut = resolved(options.truncated) === true || isUnfinished(resolved(options.finishReason));
  const reading =
    want === 'text' || (text.trim() === 'null' && schema.check(null).ok)
      ? readPlain(text, schema, limits, cut)
      : refuseTruncated(readText(text, schema.json, { limits, truncated: cut, want }, want === 'any' ? 0 : 3), cut);
  // An empty text means `{}` for a call without arguments, but not for structured output.
  if (want !== 'text' && text.trim() === '') return settle(readingOf(undefined, [empty]), schema, text, options);
  return settle(reading, schema, text, options);
}

const resolved = <T>(option: T | (() => T)): T => (typeof option === 'function' ? (option as () => T)() : option);

const empty = rootProblem('syntax', 'is missing: the text is empty');

/** Validates a reading, and returns the result. */
function settle(reading: Reading, schema: Schema, raw: unknown, options: MendValueOptions): MendedValue {
  const { value: input, repairs: read, problems } = reading;
  const refused = (repairs: readonly Repair[], found: readonly Problem[]): BadValue => {
    const errorType = hasTruncated(found) ? 'truncated' : 'validation';
    const finishReason = resolved(options.finishReason);
    const ended = finishReason === undefined ? {} : { finishReason };
    return { status: 'invalid', errorType, raw, ...ended, schema, input, repairs, problems: found };
  };
  if (problems.length) return refused(read, problems);
  const judged = checkArguments(reading, schema, { text: typeof raw === 'string' ? raw : undefined });
  const repairs = [...read, ...judged.repairs];
  if (judged.problems.length) return refused(repairs, judged.problems);
  const left = options.repeated ? [] : residue(judged.input, declaredKeys(schema.json), '').problems;
  if (left.length) return refused(repairs, left);
  const unsure = options.minCertainty === 'lossless' ? repairs.filter(({ certainty }) => certainty !== 'lossless') : [];
  if (unsure.length) return refused(repairs, unsure.map(notExact));
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
  const repairs: Repair[] = text === source ? [] : [note('reasoning', source)];
  const said = text.trim();
  if (openReasoning.test(text) || (said === '' && repairs.length)) return unread(notEnded);
  const strict = readStrict(said);
  // Only a closing quote shows that a scalar is complete.
  if (cut && typeof strict?.value !== 'string') return unread(notEnded);
  if (strict && schema.check(strict.value).ok) return { ...strict, repairs };
  if (typeof strict?.value === 'string' && !schema.check(text).ok) return { ...strict, repairs };
  const whole = schema.check(text).ok ? text : said;
  const bare = schema.check(whole).ok ? whole : uncovered(said);
  if (bare !== whole) repairs.push(said.startsWith('`') ? note('fence', said) : note('prose', said, 'inferred'));
  const inner = bare === whole ? undefined : readStrict(bare);
  const isText = typeof inner?.value === 'string' && !schema.check(bare).ok;
  if (inner && (isText || schema.check(inner.value).ok)) return { ...inner, repairs };
  return { ...readingOf(bare), repairs: [...repairs, note('quote', said)] };
}

/** Removes a code fence, inline code or bold type around a scalar, and a full stop after it. */
const uncovered = (text: string): string =>
  text
    .replace(/^```\w*\n([\s\S]*?)\n?```$|^`([^`\n]+)`$|^\*\*([^*\n]+)\*\*$/, '$1$2$3')
    .trim()
    .replace(/(?<=[\p{L}\p{N}"'])[.。]$/u, '');

const unread = (problem: Problem): Reading => readingOf(undefined, [problem]);

const thoughtOnly = rootProblem('ambiguous', 'may begin with reasoning that has no start');

const notExact = ({ path, before }: Repair): Problem =>
  problemAt(path, 'not_exact', 'needs inference, and only lossless repairs are accepted', { received: before });
