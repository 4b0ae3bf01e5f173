/** What the guidance says of trying again. */
export interface RetryGuidanceOptions {
  /** How often to try before asking the user. Default 3. */
  readonly tries?: number;
}

/**
 * Text for a system prompt: what a model should do with a refused call.
 *
 * @example const system = `${instructions}\n\n${retryGuidance()}`;
 */
export function retryGuidance({ tries = 3 }: RetryGuidanceOptions = {}): string {
  return `When a tool call fails:
1. Read the error: it lists each wrong or missing parameter.
2. Fix exactly those parameters and keep the rest.
3. Retry the call. Do not give up or ask the user before ${tries} tries, and never repeat the same call unchanged unless the error says it is retryable.

Example:
call read_file {}
error "1. Field 'path' is required but missing"
call read_file {"path": "src/app.ts"}`;
}
