import type { Problem } from '../json/problem.ts';
import type { JsonSchema } from './json-schema.ts';

/** What a check says: the validator's own output (defaults, transforms applied), or every problem. */
export type Checked<Out = unknown> =
  | { readonly ok: true; readonly value: Out }
  | {
      readonly ok: false;
      readonly problems: readonly Problem[];
      /** Every place that failed, where there are more than are told. */
      readonly failing?: readonly Pick<Problem, 'path' | 'code'>[];
    };

/** One face of every kind of schema. */
export interface Schema<Out = unknown> {
  readonly kind: 'zod' | 'standard' | 'json' | 'none';
  /** The JSON Schema of what goes in; absent where it can't be had, and then nothing is coerced. */
  readonly json: JsonSchema | undefined;
  check(value: unknown): Checked<Out>;
  /** The yes or no alone, where that is cheaper. */
  passes?(value: unknown): boolean;
  /** True where a value passes and surely holds no key that is not declared; false says nothing. */
  exact?(value: unknown): boolean;
}
