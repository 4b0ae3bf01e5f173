/**
 * Error codes for programs. `docs/reference/errors.md` describes each one, and `test/errors.test.ts` keeps that page,
 * this list and the code in sync.
 */
export type ToolmendErrorCode =
  | 'aborted'
  | 'agent_mismatch'
  | 'async_schema'
  | 'client_unavailable'
  | 'closed'
  | 'connection_failed'
  | 'definition_changed'
  | 'fetch_failed'
  | 'hook_failed'
  | 'invalid_body'
  | 'invalid_config'
  | 'invalid_edit'
  | 'invalid_file'
  | 'invalid_input'
  | 'invalid_model'
  | 'invalid_option'
  | 'invalid_result'
  | 'invalid_schema'
  | 'invalid_tool'
  | 'missing_package'
  | 'not_acknowledged'
  | 'not_queued'
  | 'not_waiting'
  | 'run_active'
  | 'run_failed'
  | 'sequence_taken'
  | 'storage_failed'
  | 'store_version'
  | 'too_large'
  | 'tool_failed'
  | 'unknown_dialect'
  | 'unknown_resource'
  | 'unknown_run'
  | 'unknown_tool'
  | 'unrenderable_calls'
  | 'unstorable_context'
  | 'unstorable_edit'
  | 'unsupported'
  | 'usage';

const brand = Symbol.for('toolmend.error');

/**
 * The base of every error that Toolmend throws. Check `code`; messages are for people and may change.
 *
 * @example
 * try {
 *   await agent.resume(id);
 * } catch (error) {
 *   if (ToolmendError.isInstance(error) && error.code === 'unknown_run') return undefined;
 *   throw error;
 * }
 */
export class ToolmendError extends Error {
  override readonly name: string = 'ToolmendError';
  readonly code: ToolmendErrorCode;
  readonly [brand] = true;

  constructor(code: ToolmendErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }

  /** Whether a value is a `ToolmendError`, including one from another copy of this package. */
  static isInstance(error: unknown): error is ToolmendError {
    return error instanceof Error && brand in error;
  }
}

/** Whether a value is a `ToolmendError` with this code. */
export const hasCode = (error: unknown, code: ToolmendErrorCode): error is ToolmendError =>
  ToolmendError.isInstance(error) && error.code === code;
