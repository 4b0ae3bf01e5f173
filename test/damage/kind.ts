import type { JsonValue } from '../../src/json/value.ts';
import type { FinishReason } from '../../src/model/index.ts';
import type { Sample, Subject } from './definition.ts';
import type { Random } from './random.ts';

/**
 * What has to happen to a damaged call.
 * `ok`: nothing is wrong, it comes out as it went in. `lossless` and `inferred`: recovered exactly, with that certainty
 * (a destructive tool takes the first and refuses the second). `exact`: recovered, and the rules leave the certainty open.
 * `refused`: content is lost or two readings exist. `safe`: recovered or refused, never something else.
 */
export type Expectation = 'ok' | 'lossless' | 'inferred' | 'exact' | 'refused' | 'safe';

export interface Damaged {
  /** The arguments as text or as a value some client parsed. */
  readonly arguments: unknown;
  /** The name as written, where that was damaged. */
  readonly name?: string;
  readonly finishReason?: FinishReason;
  /** What must come out, where it is not the call that went in. */
  readonly expected?: JsonValue;
}

/** One kind of damage: a row of the table. */
export interface Kind {
  readonly name: string;
  readonly expect: Expectation;
  /** Set where strict reading and a check would let it pass, and the rules want it changed or refused all the same. */
  readonly passesStrictly?: true;
  /** What a refusal must say it is. */
  readonly errorType?: 'validation' | 'unknown_tool' | 'truncated';
  /** The tools it is tried on, where they are not those of the whole table. */
  readonly subjects?: readonly Subject[];
  /** The damaged call, or undefined where this call can't be damaged so. */
  apply(sample: Sample, random: Random): Damaged | undefined;
}
