import type { Loss } from '../wire.ts';
import type { LoweringChange } from './lowering.ts';

/** One thing a provider would have refused in a request, and what became of it. */
export interface Fitting extends Loss {
  readonly kind: LoweringChange['kind'];
}
