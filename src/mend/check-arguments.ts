import { type Problem, problemAt, rootProblem } from '../json/problem.ts';
import { asWritten, type Reading, readTolerant } from '../json/read-json.ts';
import { mayBeText, unclosed, wordLists } from '../json/reading.ts';
import type { Repair } from '../json/repair.ts';
import { isAround } from '../json/tolerant/pick-value.ts';
import { equal, type JsonValue, type Path } from '../json/value.ts';
import { type Coerced, coerce } from '../schema/coerce/coerce.ts';
import { hasForeignKey } from '../schema/coerce/undeclared-keys.ts';
import { valueAt } from '../schema/lookup.ts';
import type { Checked, Schema } from '../schema/schema.ts';
import { tooLarge } from './parse-arguments.ts';

/** The result of checking a reading. */
export interface CheckedArguments {
  /** The mended JSON. */
  readonly input: unknown;
  /** The validator's output. */
  readonly value: unknown;
  readonly repairs: readonly Repair[];
  readonly problems: readonly Problem[];
}

export interface CheckArgumentsOptions {
  /** Name of the tool, to recognize a wrapper. */
  readonly name?: string;
  /** The original text, to see how scalars were written. */
  readonly text?: string | undefined;
  /** Whether the tool writes. */
  readonly writes?: boolean;
}

/**
 * Validates a value. If that fails, coerces it and validates again. With a missing bracket, also checks whether the same
 * text can be another value.
 */
export function checkArguments(
  reading: Reading,
  schema: Schema,
  options: CheckArgumentsOptions = {},
): CheckedArguments {
  const checked = check(reading, schema, options);
  if (checked.problems.length || reading.nesting !== 'inferred') return checked;
  const { text: _, ...rest } = options;
  // Another value counts if it needs no more repairs than this one.
  const fits = (value: JsonValue): boolean => {
    if (!checked.repairs.length) return schema.passes?.(value) ?? schema.check(value).ok;
    const other = check({ ...reading, value, nesting: 'sure' }, schema, rest);
    return !other.problems.length && other.repairs.length <= checked.repairs.length;
  };
  return closesElsewhere(reading.value, fits) ? { ...checked, problems: [twoPlaces] } : checked;
}

const twoPlaces = rootProblem('ambiguous', 'lacks a closing bracket, which may belong inside its last list');

function check(reading: Reading, schema: Schema, options: CheckArgumentsOptions): CheckedArguments {
  const { value } = reading;
  if (isCertain(reading) && schema.exact?.(value)) return { input: value, value, repairs: none, problems: none };
  // Problems of a JSON Schema are determined after coercion, for what remains. Other validators report them first.
  const passed = schema.passes?.(value);
  const first: Checked | undefined =
    passed === undefined ? schema.check(value) : passed ? { ok: true, value } : undefined;
  const { json } = schema;
  if (json === undefined) return ended(reading, value, first ?? schema.check(value), none, unsafe(reading));
  if (first?.ok && isCertain(reading) && !hasForeignKey(value, json, reading.repairs.length > 0)) {
    return { input: value, value: first.value, repairs: none, problems: none };
  }
  const written = options.text === undefined ? reading : asWritten(reading, options.text, { want: 'object' });
  const coerced = coerce(written.value, json, {
    nesting: reading.nesting,
    passed: first?.ok === true,
    writes: options.writes ?? false,
    ...(options.name !== undefined && { name: options.name }),
    ...(first && !first.ok && { failing: first.failing ?? first.problems }),
    marks: written.marks,
    untyped: reading.repairs.some(({ kind }) => kind === 'lines'),
  });
  const again = coerced.value === written.value && first ? first : schema.check(coerced.value);
  // The arguments are for another tool, so problems with this schema don't help.
  if (coerced.foreign) return { input: value, value: undefined, repairs: none, problems: coerced.problems };
  const found = [...coerced.problems, ...unwrapped(coerced), ...(again.ok ? [] : (coerced.hints ?? []))];
  // In JSON of another shape, the doubts about its text count, as in damaged text.
  if (options.text && typeof value === 'object' && reading.repairs.every(isAround) && coerced.repairs.some(isReshaped))
    found.push(...readTolerant(options.text, { damaged: true }).problems);
  return ended(reading, coerced.value, again, coerced.repairs, found);
}

const none: readonly never[] = [];

/** Whether a repair unwraps the whole, or a text from its list or object. */
const isReshaped = ({ path, before, after }: Repair): boolean =>
  path.length === 0 || (typeof before === 'object' && before !== null && typeof after === 'string');

/**
 * Problems of lists that were replaced by an item. The bracket may belong to the text if it isn't closed, and unquoted
 * words in brackets, such as `[your path]` or `[TBD]`, are placeholders.
 */
const unwrapped = ({ repairs }: Coerced): Problem[] =>
  repairs.flatMap(({ path, before, after }) => {
    if (!Array.isArray(before) || Array.isArray(after)) return [];
    const why = unclosed.has(before)
      ? 'opens a bracket that is not closed; write one value'
      : wordLists.has(before) && typeof after === 'string' && 'may be a placeholder; write the value in quotes';
    return why ? [problemAt(path, 'ambiguous', why, { received: before })] : [];
  });

/** Whether no bracket or number is in doubt. */
const isCertain = (reading: Reading): boolean => reading.nesting === 'sure' && !reading.marks?.unsafe;

function ended(
  reading: Reading,
  input: unknown,
  checked: Checked,
  repairs: readonly Repair[],
  found: readonly Problem[],
): CheckedArguments {
  const places = new Set(found.map((problem) => problem.path.join('\n')));
  const rest = checked.ok ? [] : checked.problems.filter((problem) => !places.has(problem.path.join('\n')));
  const problems = [...found, ...rest].map((problem) => asReceived(problem, reading.value, repairs));
  return { input, value: checked.ok ? checked.value : undefined, repairs, problems };
}

/** Sets the received value of a problem to what the model wrote, not to how it was read. */
function asReceived(problem: Problem, original: unknown, repairs: readonly Repair[]): Problem {
  const received = valueAt(original, problem.path) ?? moved(problem.path, repairs);
  return received === undefined || received === problem.received ? problem : { ...problem, received };
}

const rewrites: ReadonlySet<Repair['kind']> = new Set(['type', 'enum', 'list', 'object']);

/** The original of a value that was moved: under another key, in a wrapper or inside a text. */
const moved = (path: Path, repairs: readonly Repair[]): unknown =>
  repairs.find((repair) => rewrites.has(repair.kind) && equal(repair.path, path))?.before;

/** If nothing can be coerced, refuses a number that may be text or is too large. */
function unsafe(reading: Reading): Problem[] {
  const mark = reading.marks?.first;
  if (!mark) return [];
  if (mark.again !== undefined)
    return [rootProblem('duplicate_key', `is given twice, as ${mark.literal} and as ${mark.again}`)];
  if (!mark.zeros && !mark.other && !mark.gap && !mark.decimal) return [tooLarge];
  return [rootProblem('ambiguous', `holds ${mark.literal}, which ${mayBeText(mark.literal)}`)];
}

/**
 * Whether the missing brackets of a value may have been lost together at an earlier place, or one of them alone: if the
 * same text without them is another value that fits.
 */
export function closesElsewhere(value: unknown, fits: (value: JsonValue) => boolean): boolean {
  const all = lostIn(value, []);
  if (!all.some(Array.isArray)) return false;
  // Limits the work. Beyond it, the place isn't certain.
  let room = all.length > 8 ? 0 : 4_000_000;
  return [all, ...(all.length > 1 ? all.map((one) => [one]) : [])].some((lost) => {
    const { length } = lost;
    let text = '';
    let places: [at: number, closers: string][] = [];
    const write = (held: unknown, outer: string): void => {
      if (typeof held !== 'object' || held === null) {
        text += JSON.stringify(held);
        return;
      }
      const isList = Array.isArray(held);
      const isLost = lost.includes(held);
      const closers = (isList ? ']' : '}') + outer;
      text += isList ? '[' : '{';
      for (const [i, [key, item]] of Object.entries(held).entries()) {
        // Items may move to a list further out, and only from the last item of the list that lacks its bracket.
        if (i && isList && isLost) places = [];
        else if (i && isList && closers[length] === ']') places.push([text.length, closers.slice(0, length)]);
        text += (i ? ',' : '') + (isList ? '' : `${JSON.stringify(key)}:`);
        write(item, closers);
      }
      if (!isLost) text += closers[0];
    };
    write(value, '');
    // In a long list, places in the middle fit like those around them.
    return [...places.splice(-32), ...places.slice(0, 32)].some(([at, closers]) => {
      room -= text.length;
      if (room < 0) return true;
      try {
        return fits(JSON.parse(text.slice(0, at) + closers + text.slice(at)));
      } catch {
        return false;
      }
    });
  });
}

/** The objects and lists in a value that lack their bracket. */
function lostIn(value: unknown, found: object[]): object[] {
  if (typeof value !== 'object' || value === null) return found;
  if (unclosed.has(value)) found.push(value);
  for (const item of Array.isArray(value) ? value : Object.values(value)) lostIn(item, found);
  return found;
}
