/** Real tool definitions with accepted answers, as a second source of calls; kept outside the project, so it may be absent. */
import { existsSync, readFileSync } from 'node:fs';
import { isObject, type JsonObject, type JsonValue } from '../../src/json/value.ts';
import type { SchemaObject } from '../../src/schema/types.ts';
import { sampleOf } from '../sample.ts';
import type { Definition, Subject } from './definition.ts';
import { type Random, randomFrom } from './random.ts';
import { valid } from './valid.ts';

interface Case {
  readonly id: string;
  readonly tools: readonly Definition[];
  /** Per call: the tool's name and, for each parameter, the values accepted (`""` among them: it may be left out). */
  readonly answers: readonly Readonly<Record<string, Readonly<Record<string, readonly JsonValue[]>>>>[];
}

/** One call of one case: the subject, and the toolbox it is called in. */
export interface RealSubject {
  readonly subject: Subject;
  readonly pool: readonly Subject[];
}

const file = new URL('../../../shared/bfcl/cases.jsonl', import.meta.url);

/** Whether the cases are there. */
export const hasBfcl = existsSync(file);

const choose = (options: readonly JsonValue[], schema: SchemaObject, random: Random): JsonValue | undefined => {
  if (options.includes('') && random.chance(0.5)) return undefined;
  const given = options.filter((option) => option !== '');
  return given.length === 0 ? undefined : built(random.pick(given), schema, random);
};

/** Inside an object every member again lists what is accepted. */
const built = (value: JsonValue, schema: SchemaObject, random: Random): JsonValue => {
  if (Array.isArray(value)) return value.map((item) => built(item, (schema.items ?? {}) as SchemaObject, random));
  if (!isObject(value)) return value;
  const members = Object.entries(value).flatMap(([key, options]) => {
    const part = (schema.properties?.[key] ?? {}) as SchemaObject;
    const member = Array.isArray(options) ? choose(options, part, random) : options;
    return member === undefined ? [] : [[key, member] as const];
  });
  return Object.fromEntries(members);
};

const silent = (tool: Definition): Subject => ({ ...tool, make: () => ({}) });

/** Every call that can be built from the answers and passes its own schema. */
export const realSubjects = (): RealSubject[] => {
  const cases = sampleOf(readFileSync(file, 'utf8').trim().split('\n'), 4).map((line) => JSON.parse(line) as Case);
  return cases.flatMap(({ tools, answers }) =>
    answers.slice(0, 1).flatMap((answer) => {
      const [name, parameters] = Object.entries(answer)[0] ?? [];
      const tool = tools.find((one) => one.name === name);
      if (tool === undefined || parameters === undefined) return [];
      // The answers were accepted without regard to `format`, so they may not pass it.
      if (JSON.stringify(tool.inputSchema).includes('"format":')) return [];
      const make = (random: Random): JsonObject =>
        built(parameters as JsonObject, tool.inputSchema, random) as JsonObject;
      const sound = [1, 2, 3].every((seed) => valid(make(randomFrom(seed)), tool.inputSchema));
      if (!sound) return [];
      const subject = { ...tool, make: (random: Random) => retried(make, tool, random) };
      return [{ subject, pool: tools.map((one) => (one === tool ? subject : silent(one))) }];
    }),
  );
};

/** Leaving out now and then takes a member that the schema requires; then another choice is made. */
const retried = (make: Subject['make'], tool: Definition, random: Random): JsonObject => {
  for (let tries = 0; tries < 50; tries += 1) {
    const input = make(random);
    if (valid(input, tool.inputSchema)) return input;
  }
  throw new Error(`no valid call to ${tool.name}`);
};
