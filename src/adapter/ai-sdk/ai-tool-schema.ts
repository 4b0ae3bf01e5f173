import type { ToolSet } from 'ai';
import { isObject } from '../../json/value.ts';
import { isStandard } from '../../schema/vendors/standard.ts';

/** A tool of the SDK. */
export type AiTool = ToolSet[string];

/** A schema created by the SDK's `jsonSchema()` or `zodSchema()`. */
interface SdkSchema {
  readonly jsonSchema: unknown;
  readonly validate?: Validate;
}

/** A validation function of the SDK, possibly asynchronous. */
export type Validate = (value: unknown) => Validated | PromiseLike<Validated>;

type Validated = { success: true; value: unknown } | { success: false; error: Error };

/** A tool's schema, and an asynchronous check that only the run can await. */
export async function aiToolSchema({ inputSchema }: AiTool): Promise<{
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
