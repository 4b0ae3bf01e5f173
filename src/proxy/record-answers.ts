import type { RunEvent } from '../log/event.ts';
import type { Store } from '../log/store.ts';
import { factsOf } from './facts-of.ts';
import type { RequestRecord } from './seen-request.ts';

/** How answers are kept. */
export interface RecordOptions {
  /** Whether what was said and called with is kept, not only the names. */
  readonly content: boolean;
  /** Takes secrets out of what is kept. */
  readonly redact: (event: RunEvent) => RunEvent;
  /** How many of the last answers are kept; all unless it is said. */
  readonly last?: number;
  readonly onError?: ((message: string) => void) | undefined;
}

/** Makes a listener that keeps each answer as a run of its own. A store that fails is told of, and stops no answer. */
export function recordAnswers(store: Store, options: RecordOptions): (seen: RequestRecord) => void {
  const { content, redact, last = Number.POSITIVE_INFINITY, onError } = options;
  const kept: string[] = [];
  const write = async (seen: RequestRecord): Promise<void> => {
    const facts = factsOf(seen, { content });
    if (facts.length === 0) return;
    const at = Math.round(seen.at + seen.ms);
    await store.append(
      facts.map((fact, index) => redact({ ...fact, run: seen.id, seq: index + 1, at: index < 2 ? seen.at : at })),
    );
    if (last === Number.POSITIVE_INFINITY) return;
    kept.push(seen.id);
    if (kept.length > last) await store.remove(kept.shift() as string);
  };
  return (seen) => {
    write(seen).catch((error: unknown) => onError?.(`An answer was not recorded: ${String(error)}`));
  };
}
