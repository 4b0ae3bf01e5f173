/** Thrown by `check` of a schema that can only check asynchronously: `mend()` is synchronous. */
export class AsyncSchemaError extends Error {
  override readonly name = 'AsyncSchemaError';

  constructor(vendor: string) {
    super(`This ${vendor} schema checks asynchronously; tool calls are checked at once, so use a synchronous schema.`);
  }
}
