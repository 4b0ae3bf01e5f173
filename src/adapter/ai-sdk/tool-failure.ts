import type { ToolResult } from '../../execute/tool-result.ts';
import { hasCode, ToolmendError } from '../../json/toolmend-error.ts';

/** Thrown to the SDK where a tool failed: the SDK writes an error down by its `toString`, and the model is to read these words alone. */
export class ToolFailure extends ToolmendError {
  override readonly name = 'ToolFailure';
  /** The failure for programs. */
  readonly result: ToolResult | undefined;

  constructor(message: string, result?: ToolResult) {
    super('tool_failed', message);
    this.result = result;
  }

  /** True for such an error, also one that another copy of this package threw. */
  static override isInstance(error: unknown): error is ToolFailure {
    return hasCode(error, 'tool_failed');
  }

  override toString(): string {
    return this.message;
  }
}
