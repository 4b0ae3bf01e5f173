/** The `toolmend/output` entry: typed values from model output, requested, mended, streamed or salvaged. */

export type { DeepPartial, InferInput, InferOutput } from '../../schema/infer.ts';
export { type Feedback, type FeedbackOptions, feedback } from '../feedback/feedback.ts';
export { type MendValueOptions, mendValue, type PartialOf, type StreamValueOptions } from '../mend-value.ts';
export type { BadValue, GoodValue, MendedValue } from '../outcome.ts';
export type { ValueSoFar, ValueStream } from '../streaming/value-stream.ts';
export { type MendedSchema, withMending } from '../with-mending.ts';
export { type AskBudgets, type AskOptions, type AskResult, ask } from './ask.ts';
export { type Guess, type GuessKind, type SalvagedValue, type SalvageOptions, salvageValue } from './salvage-value.ts';
