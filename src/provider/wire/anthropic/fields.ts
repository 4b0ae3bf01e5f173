import type { Format } from '../../../model/index.ts';
import { passthroughFor } from '../passthrough-fields.ts';
import type { Warning } from '../types.ts';

/** Name of this API format. */
export const format: Format = 'anthropic';

/** State of writing a request or a response: the warnings so far, and what is being written. */
export interface Pen {
  readonly warnings: Warning[];
  /**
   * Whether this is a response. Responses can contain reasoning without a signature; the provider rejects it in
   * requests.
   */
  readonly answer: boolean;
  /** Whether this is an assistant message, which can't contain media. */
  readonly assistant: boolean;
}

/** A pen for a request, or for a response, which is always an assistant message. */
export const newPen = (answer = false): Pen => ({ warnings: [], answer, assistant: answer });

/** Records a warning. */
export const warn = (pen: Pen, where: string, what: string): void => {
  pen.warnings.push({ where, what });
};

/** Passthrough of this API format. */
export const { passthroughOf, asPassthrough, ownFields, layOver } = passthroughFor(format);
