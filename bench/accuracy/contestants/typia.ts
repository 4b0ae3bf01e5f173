import type { SchemaObject } from '../../../src/schema/types.ts';
import type { Definition } from '../../../test/damage/definition.ts';
import { careful } from '../careful.ts';
import type { Contestant } from '../contestant.ts';
import { Untranslatable } from '../untranslatable.ts';
import { type TypiaParameters, typiaSchema } from './typia-schema.ts';

/** The part of `@typia/utils` that is used here: the functions that `typia.llm.application()` binds to each function. */
export interface TypiaUtils {
  readonly LlmJson: {
    readonly parse: (text: string, schema: TypiaParameters) => { readonly success: boolean; readonly data?: unknown };
    readonly validate: (
      schema: TypiaParameters,
      equals: boolean,
    ) => (value: unknown) => { readonly success: boolean; readonly data?: unknown };
  };
}

/** typia's lenient parser with its coercion by schema, then its validator. */
export function typia({ LlmJson }: TypiaUtils): Contestant {
  const made = new WeakMap<SchemaObject, (text: string) => unknown>();
  const readerOf = ({ inputSchema }: Definition): ((text: string) => unknown) => {
    const schema = typiaSchema(inputSchema);
    const validate = LlmJson.validate(schema, true);
    return (text) => {
      const parsed = LlmJson.parse(text, schema);
      const checked = parsed.success ? validate(parsed.data) : undefined;
      if (!checked?.success) throw new Error('refused');
      return checked.data;
    };
  };
  return {
    name: 'typia',
    how: '`LlmJson.parse` with the schema, which coerces too, then `LlmJson.validate`',
    packages: ['@typia/utils'],
    answer: careful((text, tool) => {
      const read = made.get(tool.inputSchema) ?? readerOf(tool);
      made.set(tool.inputSchema, read);
      return read(text);
    }),
    unable: ({ inputSchema }) => Untranslatable.of(() => typiaSchema(inputSchema)),
  };
}
