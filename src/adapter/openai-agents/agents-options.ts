import type { MendOptions } from '../mend-options.ts';

/** How a wrapped model deals with the calls of its answers. */
export interface AgentsOptions extends MendOptions {
  /** How often the model is asked again, in one turn of a run, when nothing it called can be mended. Default 3. */
  readonly retries?: number;
}
