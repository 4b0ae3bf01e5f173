import type { JsonObject } from '../../../json/value.ts';
import type { Format, Passthrough, WithPassthrough } from '../../../model/index.ts';
import { layOver, passthroughFields } from '../passthrough.ts';
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

/** What a block says beyond the fields that were read. */
export const passthroughOf = (wire: JsonObject, known: readonly string[]): { passthrough?: Passthrough } =>
  passthroughFields(format, wire, known);

/** Whether this came from this wire, and so has fields of it, be it none. */
export const ours = ({ passthrough }: WithPassthrough): boolean => passthrough?.format === format;

/** Lays what came from this wire over what is written. */
export const lay = <W extends JsonObject>(written: W, part: WithPassthrough): W => layOver(format, written, part);
