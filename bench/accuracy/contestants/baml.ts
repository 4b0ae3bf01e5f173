import type { SchemaObject } from '../../../src/schema/types.ts';
import { careful } from '../careful.ts';
import type { Contestant } from '../contestant.ts';
import { joined } from '../joined.ts';
import { Untranslatable } from '../untranslatable.ts';
import { bamlFunction, bamlSource, memberOf } from './baml-source.ts';

interface BamlContext {
  readonly contextDepth: () => number;
}

interface BamlRuntime {
  readonly createContextManager: () => BamlContext;
  readonly parseLlmResponse: (
    name: string,
    text: string,
    partial: boolean,
    context: BamlContext,
    types: undefined,
    clients: undefined,
    environment: Readonly<Record<string, string>>,
  ) => unknown;
}

/** The part of `@boundaryml/baml` that is used here: what its generated `b.parse.ReadInput(text)` calls. */
export interface Baml {
  readonly BamlRuntime: {
    readonly fromFiles: (
      root: string,
      files: Record<string, string>,
      environment: Record<string, string>,
    ) => BamlRuntime;
  };
}

/** BAML's parser of responses: each tool's input as a class, checked by ajv afterwards. */
export function baml({ BamlRuntime }: Baml): Contestant {
  const made = new WeakMap<SchemaObject, BamlRuntime>();
  const runtimeOf = (schema: SchemaObject): BamlRuntime => {
    const runtime = made.get(schema) ?? BamlRuntime.fromFiles('baml_src', { 'main.baml': bamlSource(schema) }, {});
    made.set(schema, runtime);
    return runtime;
  };
  return {
    name: 'BAML',
    how: 'its response parser (`b.parse`) with a class for each input, then ajv',
    packages: ['@boundaryml/baml'],
    answer: careful((text, { inputSchema }) => {
      const runtime = runtimeOf(inputSchema);
      const context = runtime.createContextManager();
      const read = runtime.parseLlmResponse(bamlFunction, text, false, context, undefined, undefined, {});
      return givenOnly(read, requiredIn(inputSchema));
    }),
    // A compile error is our fault, and must not count as a refusal.
    unable: ({ inputSchema }, meant) =>
      Untranslatable.of(() => {
        runtimeOf(inputSchema);
        if (!declaredOnly(inputSchema, meant)) throw new Untranslatable('a key that no class declares');
      }),
    nullIsAbsent: true,
  };
}

/** The parser writes null for missing members, which a validator must not see as null. */
function givenOnly(value: unknown, required: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((item) => givenOnly(item, required));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([field, member]) => [memberOf(field), member] as const);
  const given = members.filter(([key, member]) => member !== null || required.has(key));
  return Object.fromEntries(given.map(([key, member]) => [key, givenOnly(member, required)]));
}

/** Every name that is required somewhere in a schema. */
function requiredIn(schema: unknown): ReadonlySet<string> {
  if (typeof schema !== 'object' || schema === null) return new Set();
  const own = (schema as SchemaObject).required;
  const inner = Object.values(schema).flatMap((part) => [...requiredIn(part)]);
  return new Set([...(Array.isArray(own) ? own : []), ...inner]);
}

/** Whether an input has only declared keys at its root, the only place where the calls have others. */
const declaredOnly = (schema: SchemaObject, input: unknown): boolean =>
  Object.keys(input as object).every((key) => key in (joined(schema).properties ?? {}));
