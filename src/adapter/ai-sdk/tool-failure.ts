import type { ToolResult } from '../../execute/tool-result.ts';

/** Thrown to the SDK where a tool failed: the SDK writes an error down by its `toString`, and the model is to read these words alone. */
export class ToolFailure extends Error {
  override readonly name = 'ToolFailure';
  /** The failure for programs. */
  readonly result: ToolResult | undefined;

  constructor(message: string, result?: ToolResult) {
    super(message);
    this.result = result;
  }

  override toString(): string {
    return this.message;
  }
}
