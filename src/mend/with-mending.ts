import type { Problem } from '../json/problem.ts';
import { ToolmendError } from '../json/toolmend-error.ts';
import { isObject } from '../json/value.ts';
import type { InferOutput } from '../schema/infer.ts';
import { checkIsSchema, schemaOf } from '../schema/schema.ts';
import { suggested } from './feedback/wording.ts';
import { mendParsed, mendText, wantOf } from './mend-value.ts';

/** A Standard Schema (with Standard JSON Schema) that mends before it validates. */
export interface MendedSchema<Out = unknown> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: 'toolmend';
    readonly validate: (value: unknown) => { readonly value: Out } | { readonly issues: readonly MendedIssue[] };
    readonly jsonSchema: {
      input(options: unknown): Record<string, unknown>;
      output(options: unknown): Record<string, unknown>;
    };
    readonly types?: { readonly input: unknown; readonly output: Out };
  };
}

export interface MendedIssue {
  readonly message: string;
  readonly path: readonly (string | number)[];
}

/**
 * Makes a schema tolerant: `validate` mends first, and the JSON Schema stays the original one. An MCP server or a form
 * handler then accepts what models actually send.
 *
 * @example
 * server.registerTool('search', { inputSchema: withMending(z.object({ files: z.array(z.string()) })) }, run);
 */
export function withMending<const S>(source: S): MendedSchema<InferOutput<S>> {
  checkIsSchema(source !== undefined && source !== null, source);
  const schema = schemaOf(source);
  const validate = (value: unknown): { value: InferOutput<S> } | { issues: MendedIssue[] } => {
    const asText = typeof value === 'string' && wantOf(schema) !== 'text';
    const out = asText ? mendText(value, schema, confirmed) : mendParsed(value, schema, confirmed);
    return out.status === 'invalid' ? { issues: out.problems.map(issueOf) } : { value: out.value as InferOutput<S> };
  };
  const json = (side: 'input' | 'output') => (options: unknown) => jsonOf(source, schema.json, side, options);
  return {
    '~standard': {
      version: 1,
      vendor: 'toolmend',
      validate,
      jsonSchema: { input: json('input'), output: json('output') },
    },
  };
}

/** A validator can't tell whether a value is repeated, so it would refuse a doubtful one forever. */
const confirmed = { repeated: true };

const issueOf = (problem: Problem): MendedIssue => ({
  message: suggested(problem.message, problem),
  path: [...problem.path],
});

/** The original's own JSON Schema, if it provides one. */
function jsonOf(source: unknown, json: unknown, side: 'input' | 'output', options: unknown): Record<string, unknown> {
  const own = (source as Partial<MendedSchema<unknown>>)['~standard']?.jsonSchema;
  if (typeof own?.[side] === 'function') return own[side](options);
  if (isObject(json)) return json;
  throw new ToolmendError('invalid_schema', 'This schema has no JSON Schema. Pass one with it.');
}
