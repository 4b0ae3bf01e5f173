import type { Warning } from '../wire/types.ts';
import type { LoweringChange } from './schema/state.ts';

/** Something in a request that the provider would reject, and how it was changed. */
export interface Fitting extends Warning {
  readonly kind: LoweringChange['kind'];
}
