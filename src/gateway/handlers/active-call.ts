import type { Approval, Decision } from '../../log/events.ts';
import type { RequestContext } from '../request-context.ts';
import type { Message, Wire } from '../rpc.ts';
import type { ServerLink } from '../servers/server-link.ts';

interface Question {
  readonly message: Message;
  readonly resolve: (answer: Wire) => void;
  readonly reject: (error: Error) => void;
}

/**
 * A call that runs. A client that can't be asked at any time is answered with the questions of the server, and the call goes
 * on when the client comes back with the answers.
 */
export class ActiveCall {
  readonly id = crypto.randomUUID();
  /** The request of the client's that waits for it now. */
  asked: RequestContext;
  /** The server it runs at, once it does. */
  behind: ServerLink | undefined;
  /** What becomes of it; settled once. */
  done: Promise<Wire> = Promise.resolve({});
  readonly #control = new AbortController();
  #questions = new Map<string, Question>();
  #arrived = Promise.withResolvers<void>();

  constructor(asked: RequestContext) {
    this.asked = asked;
  }

  get signal(): AbortSignal {
    return this.#control.signal;
  }

  /** The server wants something of the client. */
  wants(message: Message, signal: AbortSignal): Promise<Wire> {
    return new Promise((resolve, reject) => {
      const key = crypto.randomUUID();
      this.#questions.set(key, { message, resolve, reject });
      signal.addEventListener('abort', () => this.#questions.delete(key), { once: true });
      this.#arrived.resolve();
    });
  }

  /** Goes on for a request of the client's, which may bring answers. */
  resume(asked: RequestContext): void {
    this.asked = asked;
    const open = this.#questions;
    this.#questions = new Map();
    this.#arrived = Promise.withResolvers();
    for (const [key, { resolve, reject }] of open) {
      const answer = asked.inputResponses?.[key];
      if (typeof answer === 'object' && answer !== null) resolve(answer as Wire);
      else reject(new Error('The client gave no answer'));
    }
  }

  /** Settles with the result, or with the questions that came before it. A client that leaves ends the call. */
  async next(): Promise<{ readonly result: Wire } | { readonly questions: Readonly<Record<string, Message>> }> {
    const leave = (): void => this.abort(this.asked.signal.reason);
    this.asked.signal.addEventListener('abort', leave, { once: true });
    if (this.asked.signal.aborted) leave();
    try {
      const result = await Promise.race([this.done, this.#arrived.promise]);
      if (result) return { result };
      return { questions: Object.fromEntries([...this.#questions].map(([key, { message }]) => [key, message])) };
    } finally {
      this.asked.signal.removeEventListener('abort', leave);
    }
  }

  abort(reason: unknown): void {
    this.#control.abort(reason);
    for (const { reject } of this.#questions.values()) reject(new Error('The client has left'));
    this.#questions.clear();
  }
}

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
