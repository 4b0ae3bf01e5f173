import { ToolmendError } from '../../json/toolmend-error.ts';
import type { Approval, Decision } from '../../log/events.ts';
import type { Message, RequestContext, Wire } from '../rpc.ts';
import type { ServerLink } from '../servers/server-link.ts';

interface Question {
  readonly message: Message;
  readonly resolve: (answer: Wire) => void;
  readonly reject: (error: Error) => void;
}

/**
 * A running call. If requests can't be sent to the client at any time, it gets the server's requests as a response, and
 * the call continues when the client returns with the input.
 */
export class ActiveCall {
  readonly id = crypto.randomUUID();
  /** The client's request that is waiting for the call. */
  asked: RequestContext;
  /** The server that runs the call, once started. */
  behind: ServerLink | undefined;
  /** The result of the call. */
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

  /** Requests something from the client on behalf of the server. */
  wants(message: Message, signal: AbortSignal): Promise<Wire> {
    return new Promise((resolve, reject) => {
      const key = crypto.randomUUID();
      this.#questions.set(key, { message, resolve, reject });
      signal.addEventListener('abort', () => this.#questions.delete(key), { once: true });
      this.#arrived.resolve();
    });
  }

  /** Continues with the client's next request, which may contain input. */
  resume(asked: RequestContext): void {
    this.asked = asked;
    const open = this.#questions;
    this.#questions = new Map();
    this.#arrived = Promise.withResolvers();
    for (const [key, { resolve, reject }] of open) {
      const answer = asked.inputResponses?.[key];
      if (typeof answer === 'object' && answer !== null) resolve(answer as Wire);
      else reject(new ToolmendError('client_unavailable', "The client did not respond to the server's request"));
    }
  }

  /** Resolves with the result, or with requests for the client. Aborts the call if the client disconnects. */
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
    for (const { reject } of this.#questions.values()) reject(new ToolmendError('aborted', 'The client disconnected'));
    this.#questions.clear();
  }
}

/** A call that waits for its client to provide input. */
export interface Round {
  /** The call, if it has started. */
  readonly call?: ActiveCall;
  /** The call to approve, as sent by the client: name and arguments. */
  readonly about?: string | undefined;
  /** The approval that was requested or given. */
  readonly approval?: Approval | undefined;
  readonly decision?: Decision | undefined;
  /** The server's state, sent back with the client's input. */
  readonly state?: string | undefined;
}

const longest = 600_000;
const most = 1000;

/** Stores calls for ten minutes until their clients return with input. */
export class PendingRounds {
  readonly #kept = new Map<string, { readonly round: Round; readonly timer: NodeJS.Timeout }>();

  /** Stores a round, and returns an unguessable token for the client to return. */
  keep(round: Round): string {
    const word = `toolmend.${crypto.randomUUID()}`;
    const timer = setTimeout(() => this.#drop(word), longest).unref();
    this.#kept.set(word, { round, timer });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > most && oldest !== undefined) this.#drop(oldest);
    return word;
  }

  /** The round of a token. Each can be used once. */
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
    this.take(word)?.call?.abort(new ToolmendError('aborted', 'The client did not continue the call in time'));
  }
}
