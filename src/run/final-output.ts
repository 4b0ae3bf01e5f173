import { checkArgument } from '../json/value.ts';
import { feedback } from '../mend/feedback/feedback.ts';
import { mendText, valueSchemaOf } from '../mend/mend-value.ts';
import type { BadValue, GoodValue, MendedValue } from '../mend/outcome.ts';
import type { InferOutput } from '../schema/infer.ts';
import { checkIsSchema } from '../schema/schema.ts';
import type { RunResult } from './loop.ts';
import { Run } from './run.ts';

/** Options of `finalOutput`. */
export interface FinalOutputOptions {
  /**
   * Replies to read. After an invalid one, the run continues with feedback.
   * @default 3
   */
  readonly attempts?: number;
  /**
   * The lowest certainty of repairs to apply.
   * @default 'inferred'
   */
  readonly minCertainty?: 'lossless' | 'inferred';
}

/** What every final output has. */
interface Ended {
  /** The result of the run, with its usage. */
  readonly result: RunResult;
  /** Number of replies that were read. */
  readonly attempts: number;
}

/** The last reply of a run as a value. `ended` if the run ended without a reply, as `result.end` says. */
export type FinalOutput<Out = unknown> =
  | (GoodValue<Out> & Ended)
  | (BadValue & Ended)
  | ({ readonly status: 'ended' } & Ended);

/**
 * Waits for the end of a run and reads its last reply as a value. A reply that can't be mended is sent back with feedback,
 * and the run continues.
 *
 * @example
 * const out = await finalOutput(helper.run('Plan a trip. Reply with JSON: city, days.'), z.object({ city: z.string() }));
 * if (out.status === 'ok' || out.status === 'mended') out.value.city;
 */
export async function finalOutput<const S>(
  run: Run,
  schema: S,
  { attempts = 3, minCertainty = 'inferred' }: FinalOutputOptions = {},
): Promise<FinalOutput<InferOutput<S>>> {
  checkArgument(run instanceof Run, 'run', 'a run, such as agent().run() returns', run);
  checkIsSchema(schema !== undefined && schema !== null, schema);
  checkArgument(attempts >= 1, 'attempts', 'a positive number', attempts);
  const checker = valueSchemaOf(schema);
  let previous: string | undefined;
  for (let attempt = 1; ; attempt += 1) {
    const result = await run.result;
    const { end, text } = result;
    if (end !== 'done') return { status: 'ended', result, attempts: attempt - 1 };
    const mending = { minCertainty, repeated: text === previous };
    const out = mendText(text, checker, mending) as MendedValue<InferOutput<S>>;
    if (out.status !== 'invalid' || attempt >= attempts) return { ...out, result, attempts: attempt };
    previous = text;
    run.send(feedback(out, { attempt }).text);
  }
}
