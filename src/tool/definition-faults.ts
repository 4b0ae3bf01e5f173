import { AsyncSchemaError } from '../schema/async-schema-error.ts';
import { hasTooManyForms, mostForms } from '../schema/form-count.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { choiceFaults } from './choice-faults.ts';
import type { Fault } from './configuration-validation-error.ts';
import { parameterFaults } from './parameter-faults.ts';
import { refFaults } from './ref-faults.ts';
import { schemaPlaces } from './schema-places.ts';
import { schemaLimits, schemaSize } from './schema-size.ts';
import type { Tool } from './tool.ts';
import { zodWaits } from './zod-waits.ts';

/** Everything wrong with a tool's definition, in the order a person would mend it; empty for a sound one. */
export function definitionFaults(tool: Tool): Fault[] {
  const faults = [...wordFaults(tool), ...(tool.executor?.check?.() ?? [])];
  const tooMuch = sizeFaults(tool.input);
  if (tooMuch.length > 0) return [...faults, ...tooMuch];
  try {
    const json = tool.schema.json;
    const shape = json === undefined ? [] : schemaFaults(json, tool.schema.kind === 'json');
    faults.push(...shape);
    // A schema that is broken can't be compiled, so its examples can't be tried either.
    if (shape.length === 0) faults.push(...runFaults(tool));
  } catch (error) {
    faults.push(unusable(error));
  }
  return faults;
}

function wordFaults({ name, description, effect, repeat, accept, timeout }: Tool): Fault[] {
  const faults: Fault[] = [];
  if (typeof name !== 'string' || !/[\p{L}\p{N}]/u.test(name)) {
    const message = name ? `the name ${JSON.stringify(name)} has no letter or digit` : 'it has no name';
    faults.push({ field: 'name', message, fix: "Give it a name a model can write, like 'read_file'" });
  }
  if (typeof description !== 'string' || description.trim() === '') {
    const fix = 'Say in a sentence what it does and when to use it; models choose by it';
    faults.push({ field: 'description', message: 'it has no description', fix });
  }
  if (timeout !== undefined && !(timeout > 0)) {
    faults.push({ field: 'timeout', message: `timeout is ${timeout}`, fix: 'Give milliseconds' });
  }
  faults.push(...choiceFaults({ effect: effect ?? null, repeat: repeat ?? null, accept }));
  return faults;
}

const tooMuch = {
  size: {
    message: `the schema is larger than ${schemaLimits.size / 1024 / 1024} MB`,
    fix: 'Split the tool, or move long lists out of the schema',
  },
  depth: {
    message: `the schema is nested more than ${schemaLimits.depth} levels deep, or holds itself`,
    fix: 'Flatten it, or name the parts under $defs and point to them with $ref',
  },
  forms: {
    message: `the unions that bear on one value combine to more than ${mostForms} forms`,
    fix: 'Write the forms that are meant as one anyOf, without unions beside it or in its allOf',
  },
} as const;

/** Validators' own objects are not text that somebody sent; only their JSON Schema is measured. */
function sizeFaults(input: unknown): Fault[] {
  const plain = typeof input === 'object' && input !== null && !('~standard' in input) && !('safeParse' in input);
  const size = plain ? schemaSize(input) : 'fits';
  return size === 'fits' ? [] : [{ field: 'parameters', ...tooMuch[size] }];
}

/** A validator of its own types what its JSON Schema can't name (a date, any value), so that nothing must be typed there. */
function schemaFaults(json: JsonSchema, mustType: boolean): Fault[] {
  const size = schemaSize(json);
  if (size !== 'fits') return [{ field: 'parameters', ...tooMuch[size] }];
  if (hasTooManyForms(json)) return [{ field: 'parameters', ...tooMuch.forms }];
  const places = schemaPlaces(json).map((place) => (mustType ? place : { ...place, typed: false }));
  return [...parameterFaults(places, json), ...refFaults(places, json)];
}

/** What only shows when the schema is used: that it can't answer at once, or refuses its own examples. */
function runFaults(tool: Tool): Fault[] {
  const { schema, metadata } = tool;
  // A JSON Schema always answers at once, and trying it would compile it before anybody needs it.
  const waits = schema.kind === 'zod' ? zodWaits(tool.input) : schema.kind === 'standard' ? 'maybe' : 'no';
  if (waits === 'yes') return [asynchronous];
  if (waits === 'maybe') schema.check({});
  const faults: Fault[] = [];
  for (const [index, example] of (metadata.examples ?? []).entries()) {
    const checked = schema.check(example.input);
    if (checked.ok) continue;
    const message = `example ${index + 1} fails the tool's own schema: ${checked.problems[0]?.message ?? 'no reason given'}`;
    faults.push({ field: `metadata.examples[${index}].input`, message, fix: 'Correct the example or the schema' });
  }
  return faults;
}

const asynchronous: Fault = {
  field: 'parameters',
  message: 'the schema can only be checked asynchronously',
  fix: 'Move what needs to wait (a lookup, a request) into run',
};

function unusable(error: unknown): Fault {
  if (error instanceof AsyncSchemaError) return asynchronous;
  const said = error instanceof Error ? error.message : String(error);
  return { field: 'parameters', message: `the schema can't be used: ${said}`, fix: 'Correct the schema' };
}
