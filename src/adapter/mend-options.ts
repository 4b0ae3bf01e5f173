import type { JudgedCall } from '../call/mended-call.ts';
import type { Policy } from '../tool/policy.ts';

/** How an adapter deals with the calls of a model's answers. */
export interface MendOptions {
  /** The dialect in which calls are looked for in text; `auto` unless it is said, `native`: text is left alone. */
  readonly dialect?: string;
  readonly policy?: Policy;
  /** Hears of every call that was judged. */
  readonly onCall?: (call: JudgedCall) => void;
}

/** The dialect in which text is read; nothing where it is not. */
export const readsOf = ({ dialect = 'auto' }: MendOptions): string | undefined =>
  dialect === 'native' ? undefined : dialect;
