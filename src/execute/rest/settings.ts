/** HTTP methods of a REST tool. */
export const restMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type RestMethod = (typeof restMethods)[number];

/** How to authenticate. Secrets are read from environment variables at each call. */
export type RestAuth =
  | { readonly type: 'bearer'; readonly env: string }
  /** Variable of the password, and the user name or its variable. */
  | { readonly type: 'basic'; readonly env: string; readonly user?: string; readonly userEnv?: string }
  | { readonly type: 'header'; readonly name: string; readonly env: string; readonly prefix?: string };

/** When a failed request is retried. Only `read` and `idempotent` tools retry. */
export interface RestRetry {
  /**
   * Maximum number of retries; 0 disables them.
   * @default 2
   */
  readonly times?: number;
  /**
   * First delay in milliseconds. It doubles with each retry.
   * @default 500
   */
  readonly base?: number;
  /**
   * Longest delay. If the service requests a longer one, the call fails.
   * @default 20_000
   */
  readonly longest?: number;
}

/** When a failing service is skipped for a while. */
export interface RestBreaker {
  /**
   * Number of failures in a row.
   * @default 5
   */
  readonly failures?: number;
  /**
   * Milliseconds until one request tries again.
   * @default 30_000
   */
  readonly cooldown?: number;
}

/** Which part of a response to return. */
export interface RestResponse {
  /** JSON pointer: `/data/items`. */
  readonly at?: string;
  /** Fields to keep, of an object or of each object in a list. */
  readonly pick?: readonly string[];
  /**
   * Maximum number of bytes to read.
   * @default 5 MB
   */
  readonly maxBytes?: number;
}

/** How a call becomes a request. `{name}` in any string is replaced by an argument. */
export interface RestSettings {
  /** @default 'GET' */
  readonly method?: RestMethod;
  /** `https://api.test/users/{id}`. Arguments can be in the path and the query, but not in the host. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Names of arguments, or templates by parameter. A list repeats its parameter. */
  readonly query?: readonly string[] | Readonly<Record<string, string | number | boolean>>;
  /**
   * Where the remaining arguments go, or a template of the body.
   * @default 'json' ('query' for GET)
   */
  readonly body?: 'json' | 'form' | 'query' | { readonly json: unknown };
  readonly auth?: RestAuth | readonly RestAuth[];
  readonly retry?: RestRetry | false;
  /**
   * Timeout of one request in milliseconds. The tool's own `timeout` covers all attempts.
   * @default 30_000
   */
  readonly timeout?: number;
  readonly breaker?: RestBreaker | false;
  readonly response?: RestResponse;
  /** Hosts that may be reached although they aren't public: `localhost:3000`, `*.corp.test`, `10.0.0.0/8`. */
  readonly allow?: readonly string[];
  /**
   * Header for the idempotency key of tools that write.
   * @default 'Idempotency-Key'
   */
  readonly keyHeader?: string | false;
}
