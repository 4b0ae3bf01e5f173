import type { ToolResult } from '../../execute/tool-result.ts';
import { hasCode, ToolmendError } from '../../json/toolmend-error.ts';

/**
 * Thrown to the SDK if a tool fails. The SDK uses an error's `toString`, and the model should only read this message.
 */
export class ToolFailure extends ToolmendError {
  override readonly name = 'ToolFailure';
  /** The failure as a value. */
  readonly result: ToolResult | undefined;

  constructor(message: string, result?: ToolResult) {
    super('tool_failed', message);
    this.result = result;
  }

  /** Whether a value is such an error, including one from another copy of this package. */
  static override isInstance(error: unknown): error is ToolFailure {
    return hasCode(error, 'tool_failed');
  }

  override toString(): string {
    return this.message;
  }
}
