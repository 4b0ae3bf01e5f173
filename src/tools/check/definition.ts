import { clip } from '../../json/clip.ts';
import { hasCode, ToolmendError } from '../../json/toolmend-error.ts';
import { isObject } from '../../json/value.ts';
import { hasTooManyForms, mostForms } from '../../schema/coerce/layout.ts';
import type { JsonSchema, Schema, SchemaObject } from '../../schema/types.ts';
import { Refs } from '../../schema/validate/refs.ts';
import { type Fault, fault, throwFaults } from '../config-error.ts';
import type { NameIndex } from '../name-index.ts';
import { choiceFaults, type Tool } from '../tool.ts';
import { parameterFaults, typeFaults } from './parameters.ts';
import { inPlace, type Place, schemaLimits, schemaPlaces, schemaSize } from './schema-walk.ts';

/** The existing tools, to detect name conflicts. */
interface Others {
  has(name: string): boolean;
  readonly names: NameIndex;
}

/** Throws if a tool can't be added: its definition is invalid, or its name is too similar to another. */
export function checkDefinition(tool: Tool, toolbox: Others): void {
  const faults = [...definitionFaults(tool), ...nameTaken(tool, toolbox)];
  if (faults.length === 0) return;
  const more = faults.slice(1);
  const fields = clip(more.map(({ field }) => field).join(', '), 300);
  const whose = typeof tool.name === 'string' && tool.name !== '' ? `Tool '${tool.name}'` : 'A tool';
  throwFaults(`${whose} can't be added`, faults, fields && ` (and ${more.length} more: ${fields})`);
}

function nameTaken({ name }: Tool, toolbox: Others): Fault[] {
  if (typeof name !== 'string') return [];
  if (!toolbox.has(name)) return nameFaults(name, toolbox.names);
  const fix = 'Give this one another name';
  return [fault('name', 'a tool with that name already exists', fix)];
}

/** Reports a name that models would confuse with another. */
export function nameFaults(name: string, names: NameIndex): Fault[] {
  const like = names.folded(name).find((other) => other.name !== name);
  if (!like) return [];
  const message = `its name differs from '${like.name}' only by case or separators, and models confuse the two`;
  return [fault('name', message, 'Use a name that models can tell apart')];
}

/** All faults of a tool's definition, in the order to fix them; empty if it is valid. */
export function definitionFaults(tool: Tool): Fault[] {
  const faults = [...wordFaults(tool), ...(tool.executor?.check?.() ?? [])];
  const tooMuch = sizeFaults(tool.inputSchema);
  if (tooMuch.length > 0) return [...faults, ...tooMuch];
  try {
    const json = tool.schema.json;
    const shape = json === undefined ? [] : schemaFaults(json, tool.schema.kind === 'json');
    faults.push(...shape);
    // An invalid schema can't be compiled, so its examples can't be checked.
    if (shape.length === 0) faults.push(...runFaults(tool));
  } catch (error) {
    faults.push(unusable(error));
  }
  return faults;
}

function wordFaults({
  name,
  description,
  effect,
  repeat,
  minCertainty: accept,
  timeout,
  resultTimeout,
}: Tool): Fault[] {
  const faults: Fault[] = [];
  if (typeof name !== 'string' || !/[\p{L}\p{N}]/u.test(name)) {
    const message = name ? `the name ${JSON.stringify(name)} has no letter or digit` : 'it has no name';
    faults.push(fault('name', message, "Give it a name that models can write, like 'read_file'"));
  }
  if (typeof description !== 'string' || description.trim() === '') {
    const fix = 'Describe what it does and when to use it; models choose by that';
    faults.push(fault('description', 'it has no description', fix));
  }
  for (const [field, ms] of Object.entries({ timeout, resultTimeout })) {
    if (ms !== undefined && !(ms > 0))
      faults.push(fault(field, `${field} is ${ms}`, 'Use a positive number of milliseconds'));
  }
  faults.push(...choiceFaults({ effect: effect ?? null, repeat: repeat ?? null, minCertainty: accept }));
  return faults;
}

const tooMuch = {
  fits: [],
  size: [
    fault(
      'parameters',
      `the schema is larger than ${schemaLimits.size / 1024 / 1024} MB`,
      'Split the tool into several, or shorten its enums and descriptions',
    ),
  ],
  depth: [
    fault(
      'parameters',
      `the schema is nested more than ${schemaLimits.depth} levels deep, or contains itself`,
      'Flatten it, or write the repeated part once under $defs and use $ref',
    ),
  ],
  forms: [
    fault(
      'parameters',
      `the unions for one value combine to more than ${mostForms} forms`,
      'Write the forms you need as one anyOf',
    ),
  ],
};

/** Only plain JSON Schemas are measured, not validator objects. */
function sizeFaults(input: unknown): Fault[] {
  const plain = typeof input === 'object' && input !== null && !('~standard' in input) && !('safeParse' in input);
  return tooMuch[plain ? schemaSize(input) : 'fits'];
}

/**
 * Checks a JSON Schema. Types aren't required if a validator exists, which may have types that JSON Schema can't
 * express.
 */
function schemaFaults(json: JsonSchema, mustType: boolean): Fault[] {
  const size = schemaSize(json);
  if (size !== 'fits') return tooMuch[size];
  if (hasTooManyForms(json)) return tooMuch.forms;
  const places = schemaPlaces(json).map((place) => (mustType ? place : { ...place, typed: false }));
  return [...parameterFaults(places, json), ...refFaults(places, json)];
}

/** Throws for a schema of a value with a type that JSON doesn't have, which no value could match. */
export function checkValueSchema({ json = true }: Schema): void {
  // What is too large to search is only used for checking, which is bounded.
  const places = schemaSize(json) === 'fits' ? schemaPlaces(json, 'schema') : [];
  const [first] = places.flatMap((place) => typeFaults(place.schema, { ...place, typed: false }));
  if (first) throw new ToolmendError('invalid_schema', `Invalid schema: ${first.message}. ${first.fix}.`);
}

/** Faults that only show in use: an asynchronous schema, or invalid examples. */
function runFaults(tool: Tool): Fault[] {
  const { schema, metadata } = tool;
  // A JSON Schema is never asynchronous, and trying it would compile it too early.
  const waits = schema.kind === 'zod' ? zodWaits(tool.inputSchema) : schema.kind === 'standard' ? 'maybe' : 'no';
  if (waits === 'yes') return [asynchronous];
  if (waits === 'maybe') schema.check({});
  const faults: Fault[] = [];
  for (const [index, example] of (metadata.examples ?? []).entries()) {
    const checked = schema.check(example.input);
    if (checked.ok) continue;
    const message = `example ${index + 1} fails the tool's own schema: ${checked.problems[0]?.message ?? 'no reason given'}`;
    faults.push(fault(`metadata.examples[${index}].input`, message, 'Correct the example or the schema'));
  }
  return faults;
}

const asynchronous = fault(
  'parameters',
  'the schema can only be checked asynchronously',
  'Move asynchronous checks into execute',
);

function unusable(error: unknown): Fault {
  if (hasCode(error, 'async_schema')) return asynchronous;
  const said = error instanceof Error ? error.message : String(error);
  return fault('parameters', `the schema can't be used: ${said}`, 'Correct it, or pass the same as JSON Schema');
}

const most = 100;

/** Finds references that lead out of the schema, to nothing, or in a circle. */
function refFaults(places: readonly Place[], root: JsonSchema): Fault[] {
  const refs = new Refs(root);
  const fields = new Map<SchemaObject, string>();
  for (const { schema, field } of places) if (isObject(schema)) fields.set(schema, field);
  const faults = [...fields].flatMap(([schema, field]) => targetFaults(schema, field, refs)).slice(0, most);
  const circle = faults.length === 0 ? findCircle(fields.keys(), refs) : undefined;
  if (!circle) return faults;
  const message = `the $ref ${JSON.stringify(circle.$ref)} refers to itself without entering the value`;
  const fix = 'Put the $ref under properties or items';
  return [fault(`${fields.get(circle) ?? 'parameters'}.$ref`, message, fix)];
}

function targetFaults(schema: SchemaObject, field: string, refs: Refs): Fault[] {
  const ref: unknown = schema.$ref;
  if (ref === undefined) return [];
  if (typeof ref === 'string' && refs.target(ref, schema) !== undefined) return [];
  const remote = typeof ref === 'string' && !ref.startsWith('#');
  const message = remote
    ? `the $ref ${JSON.stringify(ref)} points outside the schema, and nothing is fetched`
    : `the $ref ${JSON.stringify(ref)} points at nothing`;
  const fix = remote
    ? "Copy it under $defs and point there: '#/$defs/Name'"
    : "Point to an existing part, like '#/$defs/Name'";
  return [fault(`${field}.$ref`, message, fix)];
}

/** A schema with a `$ref` in a cycle of schemas for the same value. Uses an explicit stack, for long chains. */
function findCircle(schemas: Iterable<SchemaObject>, refs: Refs): SchemaObject | undefined {
  const done = new Set<SchemaObject>();
  for (const start of schemas) {
    if (done.has(start)) continue;
    const path = new Map<SchemaObject, Iterator<SchemaObject>>([[start, inPlace(start, refs)]]);
    const trail = [start];
    for (let here = trail.at(-1); here; here = trail.at(-1)) {
      const next = path.get(here)?.next();
      if (!next || next.done) {
        done.add(here);
        path.delete(here);
        trail.pop();
      } else if (path.has(next.value)) {
        return trail.slice(trail.indexOf(next.value)).find((schema) => typeof schema.$ref === 'string') ?? here;
      } else if (!done.has(next.value)) {
        path.set(next.value, inPlace(next.value, refs));
        trail.push(next.value);
      }
    }
  }
  return undefined;
}

type Plain = Record<string, unknown>;
type Waits = 'no' | 'maybe' | 'yes';

const isAsync = (value: unknown): boolean =>
  typeof value === 'function' && Object.prototype.toString.call(value) === '[object AsyncFunction]';

/** The definition of a Zod 4 schema or check. */
const definition = (value: unknown): Plain | undefined =>
  isObject(value) && isObject(value._zod) && isObject(value._zod.def) ? (value._zod.def as Plain) : undefined;

/**
 * Whether a Zod 4 schema is asynchronous, as far as that can be determined without running it, which would compile it.
 * Only refinements and transforms can be asynchronous, and a function without `async` may still return a promise.
 */
export function zodWaits(schema: unknown): Waits {
  let waits: Waits = definition(schema) ? 'no' : 'maybe';
  const open = new Set<unknown>([schema]);
  for (const one of open) {
    const def = definition(one);
    if (def) {
      if (isAsync(def.fn) || isAsync(def.transform)) return 'yes';
      if (def.check === 'custom' || def.type === 'custom' || def.type === 'transform') waits = 'maybe';
    }
    const held = def ?? one;
    if (Array.isArray(held) || isPlain(held)) for (const part of Object.values(held)) if (mayHold(part)) open.add(part);
  }
  return waits;
}

/** Definitions contain plain objects and lists. Anything else is a value of the schema. */
const isPlain = (value: unknown): value is Plain => {
  const prototype: unknown = isObject(value) ? Object.getPrototypeOf(value) : undefined;
  return prototype === Object.prototype || prototype === null;
};

const mayHold = (part: unknown): boolean => definition(part) !== undefined || Array.isArray(part) || isPlain(part);
