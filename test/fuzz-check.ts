/** What must hold for any text whatever; each returns what is wrong, or nothing. */
import { isDeepStrictEqual } from 'node:util';
import { JsonReader, readJson } from '../src/json/read-json.ts';
import { mend } from '../src/mend/mend.ts';
import { toolFromMcp } from '../src/tools/tool-from-mcp.ts';
import { Toolbox } from '../src/tools/toolbox.ts';
import type { Random } from './damage/random.ts';
import { subjects } from './damage/schemas.ts';
import { sameJson } from './damage/trial.ts';
import { valid } from './damage/valid.ts';
import { oddValues } from './fuzz-inputs.ts';

const box = new Toolbox(
  subjects.map(({ name, description, inputSchema, annotations }) =>
    toolFromMcp({ name, description, inputSchema, ...(annotations && { annotations }) }, { trusted: true }),
  ),
  { validate: false },
);

const inChunks = (text: string, size: number): ReturnType<JsonReader['end']> => {
  const reader = new JsonReader();
  for (let at = 0; at < text.length; at += size) {
    reader.push(text.slice(at, at + size));
    // Whoever streams looks at the value after every chunk; looking must change nothing.
    reader.value;
  }
  return reader.end();
};

type Ended = ReturnType<JsonReader['end']>;

/** The excerpt a repair or problem quotes may be shorter where the text had not come yet; all else must be the same. */
const parts: Readonly<Record<string, (reading: Ended) => unknown>> = {
  value: ({ value }) => value,
  problems: ({ problems }) => problems.map(({ path, code }) => ({ path, code })),
  repairs: ({ repairs }) => repairs.map(({ path, kind, certainty }) => ({ path, kind, certainty })),
};

/** Reading in chunks ends as reading at once does. */
export const checkChunks = (text: string, size: number): string | undefined => {
  const [whole, chunked] = [readJson(text), inChunks(text, size)];
  for (const [name, part] of Object.entries(parts)) {
    const [one, other] = [part(whole), part(chunked)];
    if (!sameJson(one, other)) {
      const shown = (value: unknown): string => String(JSON.stringify(value)).slice(0, 300);
      return `${name} in chunks of ${size}: ${shown(other)}, at once: ${shown(one)}`;
    }
  }
  return undefined;
};

/** Minus zero is JSON to read but not to write. */
const plus = (value: unknown): unknown =>
  Object.is(value, -0)
    ? 0
    : Array.isArray(value)
      ? value.map(plus)
      : Object.getPrototypeOf(value ?? 0) === Object.prototype
        ? Object.fromEntries(Object.entries(value as object).map(([key, inner]) => [key, plus(inner)]))
        : value;

const isJson = (value: unknown): boolean => {
  try {
    return isDeepStrictEqual(JSON.parse(JSON.stringify(value)), plus(structuredClone(value)));
  } catch {
    return false;
  }
};

/** What the pipeline accepts is valid, and is accepted unchanged when it is sent again. */
export const checkMend = (text: unknown, name: string): string | undefined => {
  const outcome = mend({ name, arguments: text }, box);
  if (outcome.status === 'invalid') return outcome.problems.length > 0 ? undefined : 'invalid without a problem';
  const subject = subjects.find((one) => one.name === outcome.name);
  if (subject === undefined || !valid(outcome.input, subject.inputSchema))
    return `accepted what is not valid: ${JSON.stringify(outcome.input)}`;
  if ((outcome.status === 'mended') !== outcome.repairs.length > 0)
    return `${outcome.status} with ${outcome.repairs.length} repairs`;
  if (!isJson(outcome.input)) return 'accepted what JSON cannot hold';
  const again = mend({ name: outcome.name, arguments: JSON.stringify(outcome.input) }, box);
  if (again.status !== 'ok' || !sameJson(again.input, outcome.input))
    return `its own output came back ${again.status}: ${JSON.stringify(again.input)}, was ${JSON.stringify(outcome.input)}`;
  return undefined;
};

const sizes = [1, 3, 7, 64];

/** Every check on one text; a throw counts as a fault. */
export const fuzzCheck = (text: string, random: Random): string | undefined => {
  try {
    const name = random.chance(0.05) ? text.slice(0, 40) : random.pick(subjects).name;
    const odd = random.chance(0.02) ? checkMend(random.pick(oddValues), name) : undefined;
    return odd ?? checkChunks(text, random.pick(sizes)) ?? checkMend(text, name);
  } catch (error) {
    return `threw ${error instanceof Error ? error.stack : String(error)}`;
  }
};
