/** Handwritten code: `JSON.parse`, a validator, and its messages sent to the model. */
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { z } from 'zod';
import type { SchemaObject } from '../../src/schema/types.ts';
import type { Definition } from '../../test/damage/definition.ts';
import type { Heard, Teller } from './teller.ts';

type Check = (value: unknown) => string | undefined;

/** An ajv instance that reports all errors. */
export const ajvFor = (schema: SchemaObject): Ajv => {
  const options = { strict: false, validateFormats: false, logger: false, allErrors: true } as const;
  return JSON.stringify(schema).includes('draft-07') ? new Ajv(options) : new Ajv2020(options);
};

/** A tool's schema as Zod's. */
export const zodOf = ({ inputSchema }: Definition): z.ZodType =>
  z.fromJSONSchema(inputSchema as Parameters<typeof z.fromJSONSchema>[0]);

const parsed = (text: string): { readonly value: unknown } | { readonly words: string } => {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { words: String(error) };
  }
};

const byHand = (name: string, how: string, checkOf: (tool: Definition) => Check): Teller => ({
  name,
  how,
  tell: (tools, { name: called, arguments: text }): Heard => {
    const tool = tools.find((one) => one.name === called);
    const value = parsed(text);
    // A validator has messages only for the input of an existing tool.
    if (!tool || !('value' in value)) return { type: 'silent' };
    const words = checkOf(tool)(value.value);
    return words === undefined ? { type: 'ran' } : { type: 'told', words };
  },
});

const ajvCheck =
  (words: (ajv: Ajv, errors: NonNullable<Ajv['errors']>) => string) =>
  ({ inputSchema }: Definition): Check => {
    const ajv = ajvFor(inputSchema);
    const check = ajv.compile(inputSchema);
    return (value) => (check(value) ? undefined : words(ajv, check.errors ?? []));
  };

const zodCheck =
  (words: (error: z.ZodError) => string) =>
  (tool: Definition): Check => {
    const schema = zodOf(tool);
    return (value) => {
      const { error } = schema.safeParse(value);
      return error && words(error);
    };
  };

export const validators: readonly Teller[] = [
  byHand(
    'ajv, as text',
    '`JSON.parse`, ajv with all errors, `errorsText()`',
    ajvCheck((ajv, errors) => ajv.errorsText(errors)),
  ),
  byHand(
    'ajv, as JSON',
    'the same, its list of errors as JSON',
    ajvCheck((_, errors) => JSON.stringify(errors)),
  ),
  byHand('Zod, prettified', '`JSON.parse`, `safeParse`, `z.prettifyError()`', zodCheck(z.prettifyError)),
  byHand(
    'Zod, its message',
    'the same, `error.message`',
    zodCheck(({ message }) => message),
  ),
  {
    name: 'JSON.parse',
    how: 'the words of its error',
    tell: (_, { arguments: text }): Heard => {
      const value = parsed(text);
      return 'words' in value ? { type: 'told', words: value.words } : { type: 'silent' };
    },
  },
];
