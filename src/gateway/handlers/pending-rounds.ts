import type { Approval, Decision } from '../../log/events.ts';
import type { ActiveCall } from './active-call.ts';

/** What is known of a call whose client must answer something before it goes on. */
export interface Round {
  /** The call, where it has begun and waits. */
  readonly call?: ActiveCall;
  /** The call a person is asked about, as the client sent it: the name and the arguments. */
  readonly about?: string | undefined;
  /** What a person is asked to allow, or has. */
  readonly approval?: Approval | undefined;
  readonly decision?: Decision | undefined;
  /** What the server wants to be told when the client comes back. */
  readonly state?: string | undefined;
}

const longest = 600_000;
const most = 1000;

/** Keeps calls until their clients come back with answers, for ten minutes. */
export class PendingRounds {
  readonly #kept = new Map<string, { readonly round: Round; readonly timer: NodeJS.Timeout }>();

  /** Keeps a round; gives the word the client brings back with its answer, which nobody can guess. */
  keep(round: Round): string {
    const word = `toolmend.${crypto.randomUUID()}`;
    const timer = setTimeout(() => this.#drop(word), longest).unref();
    this.#kept.set(word, { round, timer });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > most && oldest !== undefined) this.#drop(oldest);
    return word;
  }

  /** The round a client comes back to; each is come back to once. */
  take(word: string | undefined): Round | undefined {
    const kept = word === undefined ? undefined : this.#kept.get(word);
    if (!kept || word === undefined) return undefined;
    clearTimeout(kept.timer);
    this.#kept.delete(word);
    return kept.round;
  }

  close(): void {
    for (const word of [...this.#kept.keys()]) this.#drop(word);
  }

  #drop(word: string): void {
    this.take(word)?.call?.abort(new Error('The client did not come back'));
  }
}
