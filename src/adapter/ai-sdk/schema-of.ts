import type { ToolSet } from 'ai';
import { isObject } from '../../json/value.ts';
import { isStandard } from '../../schema/vendors/standard.ts';

/** A tool of the SDK. */
export type AiTool = ToolSet[string];

/** A schema made by the SDK's own `jsonSchema()` or `zodSchema()`. */
interface SdkSchema {
  readonly jsonSchema: unknown;
  readonly validate?: Validate;
}

/** A check as the SDK makes it, which may have to be waited for. */
export type Validate = (value: unknown) => Validated | PromiseLike<Validated>;

type Validated = { success: true; value: unknown } | { success: false; error: Error };

/** A tool's schema as we take it, and a check of the SDK's making that only the run can wait for. */
export async function schemaOf({ inputSchema }: AiTool): Promise<{
  readonly input: unknown;
  readonly validate?: Validate;
}> {
  const given: unknown = inputSchema;
  if (isStandard(given)) return { input: given };
  const made: unknown = typeof given === 'function' ? given() : given;
  if (!isObject(made) || !('jsonSchema' in made)) return { input: made };
  const { jsonSchema, validate } = made as unknown as SdkSchema;
  return { input: await jsonSchema, ...(validate && { validate }) };
}
