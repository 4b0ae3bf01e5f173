import type { Warning } from '../wire/types.ts';
import type { LoweringChange } from './schema/state.ts';

/** One thing a provider would have refused in a request, and what became of it. */
export interface Fitting extends Warning {
  readonly kind: LoweringChange['kind'];
}
