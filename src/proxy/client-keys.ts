import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { cached } from '../json/text-cache.ts';
import { isObject } from '../json/value.ts';
import type { TurnError, TurnRequest, Usage } from '../model/index.ts';
import { estimateTokens } from '../provider/translation/estimate-tokens.ts';
import type { ClientKey, RequestLimits } from './listen-options.ts';
import type { RequestProgress } from './observe/request-record.ts';
import { clientKeys } from './request/headers.ts';

/** A slot with a function to release it, or the milliseconds to wait. */
export type Admitted = { readonly done: () => void } | { readonly wait: number };

/** The tokens that a key used on a day. */
interface DailyTokens {
  day: number;
  used: number;
}

const dayLength = 86_400_000;

interface ClientKeysOptions {
  /** Limits for keys that have none. */
  readonly limits: RequestLimits;
  /** Counts the requests of accounts. */
  readonly limit: (limits: RequestLimits) => (account: string) => Admitted;
  /** The keys before a reload, whose tokens still count. */
  readonly before: ClientKeys | undefined;
  readonly token: string | undefined;
}

/** The keys of clients, with what each has used. */
export class ClientKeys {
  readonly #owners: ReadonlyMap<string, ClientKey>;
  readonly #limits: RequestLimits;
  readonly #limit: (limits: RequestLimits) => (account: string) => Admitted;
  readonly #rooms = new Map<string, (account: string) => Admitted>();
  readonly #tokens: Map<string, DailyTokens>;

  /** All keys, and the token, which must not reach an upstream. */
  readonly secrets: ReadonlySet<string>;

  constructor(keys: readonly ClientKey[], { limits, limit, before, token }: ClientKeysOptions) {
    this.secrets = new Set([...keys.map(({ key }) => key), ...(token === undefined ? [] : [token])]);
    this.#owners = new Map(keys.map((one) => [digest(one.key), one]));
    this.#limits = limits;
    this.#limit = limit;
    this.#tokens = before ? before.#tokens : new Map();
  }

  /** The key that a request has. Digests are compared, so that the time doesn't depend on the key. */
  ownerOf(request: Pick<IncomingMessage, 'headers' | 'url'>): ClientKey | undefined {
    for (const key of clientKeys(request)) {
      const owner = this.#owners.get(digest(key));
      if (owner) return owner;
    }
    return undefined;
  }

  /** Admits a request of a key, or returns the error of the limit that it exceeds. */
  admit({ name, perMinute, concurrency, tokensPerDay }: ClientKey): { readonly done: () => void } | TurnError {
    const { day, used } = this.#today(name);
    if (tokensPerDay !== undefined && used >= tokensPerDay) {
      const message = `The key '${name}' has used its ${tokensPerDay} tokens for today. The limit resets at 00:00 UTC`;
      return { ...limited, message, retryAfter: (day + 1) * dayLength - Date.now() };
    }
    const room = cached(this.#rooms, name, () =>
      this.#limit({
        ...this.#limits,
        ...(perMinute !== undefined && { perMinute }),
        ...(concurrency !== undefined && { concurrency }),
      }),
    );
    const place = room(name);
    if (!('wait' in place)) return place;
    return { ...limited, message: `Too many requests with the key '${name}'`, retryAfter: place.wait };
  }

  /** Counts the tokens of a request that the upstream accepted. */
  count({ name }: ClientKey, seen: RequestProgress, status: number): void {
    if (status >= 400) return;
    const { input = 0, output = 0 } = usageOf(seen);
    this.#today(name).used += input + output;
  }

  #today(name: string): DailyTokens {
    const day = Math.floor(Date.now() / dayLength);
    const tokens = cached(this.#tokens, name, () => ({ day, used: 0 }));
    if (tokens.day !== day) Object.assign(tokens, { day, used: 0 });
    return tokens;
  }
}

const limited = { kind: 'rate_limit', retryable: true, status: 429 } as const;

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The tokens of a request. If the upstream doesn't report them, they are estimated, so that no client can avoid the limit. */
function usageOf({ response, asked, unread, size = 0 }: RequestProgress): Usage {
  // Counting tokens uses none.
  if (asked?.count) return {};
  const { usage, message } = response ?? {};
  if (usage?.input !== undefined && usage.output !== undefined) return usage;
  const question = readQuestion(asked?.turn?.question);
  const input = usage?.input ?? unread?.input ?? (question ? estimateTokens(question) : tokensIn(size));
  const written = message ? estimateTokens({ messages: [message] }) * choicesOf(asked?.turn, question) : undefined;
  return { input, output: usage?.output ?? unread?.output ?? written ?? tokensIn(unread?.textBytes) };
}

const tokensIn = (bytes = 0): number => Math.ceil(bytes / 4);

/** The request; undefined if it isn't for a turn or can't be read. */
function readQuestion(question: (() => TurnRequest) | undefined): TurnRequest | undefined {
  try {
    return question?.();
  } catch {
    return undefined;
  }
}

type AskedTurn = NonNullable<NonNullable<RequestProgress['asked']>['turn']>;

/** How many responses the upstream was asked for. A translated request asks for one. */
function choicesOf(turn: AskedTurn | undefined, question: TurnRequest | undefined): number {
  if (turn?.client.format !== turn?.wire.format) return 1;
  const { n, generationConfig: config } = question?.passthrough?.fields ?? {};
  return Math.max(1, Number(n ?? (isObject(config) ? config.candidateCount : 1)) || 1);
}
