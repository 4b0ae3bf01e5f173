import type { SchemaObject } from '../../../src/schema/types.ts';
import type { Contestant } from '../contestant.ts';
import { outputReader } from './frameworks.ts';
import type { TextModel } from './text-model.ts';

/** The parts of `@instructor-ai/instructor`, and of the client and the Zod for it, that are used here. */
export interface InstructorParts {
  readonly createInstructor: (options: { client: unknown; mode: 'JSON'; logger: () => void }) => {
    readonly chat: {
      readonly completions: { readonly create: (request: object) => Promise<Record<string, unknown>> };
    };
  };
  readonly OpenAI: new (options: { baseURL: string; apiKey: string; maxRetries: number }) => unknown;
  readonly fromJSONSchema: (schema: SchemaObject) => unknown;
}

/** instructor-js adds a `_meta` key before it validates, so its schema must allow other keys; ajv then checks the real one. */
const open = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(open);
  if (typeof schema !== 'object' || schema === null) return schema;
  const kept = Object.entries(schema).filter(([word, held]) => word !== 'additionalProperties' || held !== false);
  return Object.fromEntries(kept.map(([word, held]) => [word, open(held)]));
};

/** instructor-js over the `openai` client, without retries. */
export const instructor = (
  model: TextModel,
  { createInstructor, OpenAI, fromJSONSchema }: InstructorParts,
): Contestant =>
  outputReader(
    model,
    {
      name: 'instructor-js',
      how: 'mode `JSON`, schemas converted to Zod (`z.fromJSONSchema`), then ajv',
      packages: ['@instructor-ai/instructor', 'openai', 'zod'],
    },
    async (baseURL, schema) => {
      const client = new OpenAI({ baseURL, apiKey: 'none', maxRetries: 0 });
      const { _meta, ...value } = await createInstructor({
        client,
        mode: 'JSON',
        logger: () => {},
      }).chat.completions.create({
        model: 'scripted',
        messages: [{ role: 'user', content: 'Go on.' }],
        response_model: { schema: fromJSONSchema(open(schema) as SchemaObject), name: 'output' },
      });
      return value;
    },
  );
