import type { Warning } from '../wire/types.ts';
import type { LoweringChange } from './schema/state.ts';

/**
 * What a request is adapted to: a provider, its strict mode, Gemini's older schema fields (`parameters`,
 * `responseSchema`), or `plain` for local servers that convert schemas to grammars.
 */
export type LoweringTarget =
  | 'openai'
  | 'openai-strict'
  | 'anthropic'
  | 'anthropic-strict'
  | 'gemini'
  | 'gemini-openapi'
  | 'plain';

/** Something in a request that the provider would reject, and how it was changed. */
export interface Fitting extends Warning {
  readonly kind: LoweringChange['kind'];
}
