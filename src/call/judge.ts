import { type Reading, readTolerant } from '../json/json.ts';
import type { Problem } from '../json/problem.ts';
import type { Repair } from '../json/repair.ts';
import { hasOwn, type Path } from '../json/value.ts';
import { hasForeignKey } from '../schema/coerce/foreign.ts';
import { coerce } from '../schema/coerce.ts';
import type { Checked, Schema } from '../schema/schema.ts';

/** What checking a reading came to. */
export interface Judgement {
  /** The mended JSON. */
  readonly input: unknown;
  /** The validator's output. */
  readonly value: unknown;
  readonly repairs: readonly Repair[];
  readonly problems: readonly Problem[];
}

export interface JudgeOptions {
  /** The tool's name, to know a wrapper by. */
  readonly name?: string;
  /** The text the value was read from, to see how its scalars were written. */
  readonly text?: string | undefined;
}

/** Checks a value, and only where that fails coerces it and checks again. */
export function judge(reading: Reading, schema: Schema, options: JudgeOptions = {}): Judgement {
  const first = schema.check(reading.value);
  const { json } = schema;
  if (json === undefined) return ended(reading, reading.value, first, [], unsafe(reading));
  if (first.ok && isSettled(reading, schema))
    return { input: reading.value, value: first.value, repairs: [], problems: [] };
  const source = withMarks(reading, first, options.text);
  const coerced = coerce(source.value, json, {
    marks: source.marks,
    nesting: reading.nesting,
    ...(options.name === undefined ? {} : { name: options.name }),
    ...(schema.kind === 'json' || first.ok
      ? {}
      : { failing: first.problems.map(({ path, code }) => ({ path, code })) }),
    passed: first.ok,
  });
  const again = coerced.value === source.value ? first : schema.check(coerced.value);
  return ended(reading, coerced.value, again, coerced.repairs, coerced.problems);
}

/** Nothing to tidy: no key the schema does not know, no bracket or number in doubt. */
const isSettled = (reading: Reading, schema: Schema): boolean =>
  reading.nesting === 'sure' &&
  !reading.marks?.unsafe &&
  (schema.json === undefined || !hasForeignKey(reading.value, schema.json));

/** Reads the text again for how its numbers were written, where one of them stands in a wrong place. */
function withMarks(reading: Reading, first: Checked, text: string | undefined): Reading {
  if (reading.marks || text === undefined || first.ok || !first.problems.some(mayNeedLiteral)) return reading;
  const again = readTolerant(text, { want: 'object' });
  return again.problems.length || again.value === undefined ? reading : again;
}

const mayNeedLiteral = ({ received }: Problem): boolean => typeof received === 'number' || typeof received === 'object';

function ended(
  reading: Reading,
  input: unknown,
  checked: Checked,
  repairs: readonly Repair[],
  found: readonly Problem[],
): Judgement {
  const places = new Set(found.map((problem) => problem.path.join('\n')));
  const rest = checked.ok ? [] : checked.problems.filter((problem) => !places.has(problem.path.join('\n')));
  const problems = [...found, ...rest].map((problem) => asReceived(problem, reading.value));
  return { input, value: checked.ok ? checked.value : undefined, repairs, problems };
}

/** A problem tells what the model wrote, not what it was read as. */
function asReceived(problem: Problem, original: unknown): Problem {
  const found = at(original, problem.path);
  return found === undefined || found.value === problem.received ? problem : { ...problem, received: found.value };
}

function at(value: unknown, path: Path): { readonly value: unknown } | undefined {
  let here = value;
  for (const key of path) {
    if (typeof here !== 'object' || here === null || !hasOwn(here, key)) return undefined;
    here = (here as Record<string | number, unknown>)[key];
  }
  return { value: here };
}

/** Where nothing can be coerced, an integer too large for a number is refused outright. */
const unsafe = (reading: Reading): Problem[] =>
  reading.marks?.unsafe
    ? [
        {
          path: [],
          code: 'unsafe_integer',
          message: 'Root object holds an integer too large to be kept exactly; send it as a string',
        },
      ]
    : [];
