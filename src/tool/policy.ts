import type { Limits } from '../json/limits.ts';
import type { Certainty } from '../json/repair.ts';

/** What may be done with a call. Of the policies of the toolbox, the tool and the call, the stricter always wins. */
export interface Policy {
  /** False leaves the arguments unchecked and uncoerced; they are still read. */
  readonly check?: boolean;
  /** The least certain repair that is applied. Default `inferred`; `lossless` for destructive tools. */
  readonly accept?: Exclude<Certainty, 'guess'>;
  /** How much the arguments may hold; of several limits the lowest counts, of none the default. */
  readonly limits?: Partial<Limits>;
}

/** A toolbox's policy, with exceptions by name; `*` stands for any text (`mcp__*`). */
export interface ToolboxPolicy extends Policy {
  /** Policies by name or pattern; a full name goes before every pattern. */
  readonly tools?: Readonly<Record<string, Policy>>;
}
