import type { Format } from '../../../model/index.ts';
import { passthroughFor } from '../passthrough.ts';
import type { Warning } from '../types.ts';

/** The name of this wire. */
export const format: Format = 'anthropic';

/** What writing keeps in mind: what was lost so far, and whether an answer is written or a question. */
export interface Pen {
  readonly losses: Warning[];
  /** Answers may show thoughts that nobody signed; questions may not, because the provider refuses them. */
  readonly answer: boolean;
  /** The model's own words are written, and it has no pictures to show. */
  readonly assistant: boolean;
}

/** For questions; an answer is the model's own. */
export const newPen = (answer = false): Pen => ({ losses: [], answer, assistant: answer });

/** Records that something could not be said. */
export const warn = (pen: Pen, where: string, what: string): void => {
  pen.losses.push({ where, what });
};

/** How this wire passes unknown fields through. */
export const { passthroughOf, asPassthrough, ownFields, layOver } = passthroughFor(format);
