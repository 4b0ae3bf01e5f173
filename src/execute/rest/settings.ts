/** The methods a REST tool may use. */
export const restMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type RestMethod = (typeof restMethods)[number];

/** How a service knows who asks. Secrets are named by their variable and read at each call. */
export type RestAuth =
  | { readonly type: 'bearer'; readonly env: string }
  /** The password's variable, and the user's name or its variable. */
  | { readonly type: 'basic'; readonly env: string; readonly user?: string; readonly userEnv?: string }
  | { readonly type: 'header'; readonly name: string; readonly env: string; readonly prefix?: string };

/** When a request that failed is sent again; only `read` and `idempotent` tools send anything twice. */
export interface RestRetry {
  /** How often at most, after the first time; 2 unless it is said, 0 for never. */
  readonly times?: number;
  /** The first wait, in milliseconds, doubled each time; 500 unless it is said. */
  readonly base?: number;
  /** The longest wait; 20,000 unless it is said. A service that asks for a longer one is not waited for. */
  readonly longest?: number;
}

/** When a service that keeps failing is left alone. */
export interface RestBreaker {
  /** After how many failures in a row; 5 unless it is said. */
  readonly failures?: number;
  /** For how long, in milliseconds; 30,000 unless it is said. Then one request tries whether it is back. */
  readonly cooldown?: number;
}

/** What of an answer is given on. */
export interface RestResponse {
  /** A JSON pointer to the part that matters: `/data/items`. */
  readonly at?: string;
  /** The fields that matter, of an object or of each object of a list. */
  readonly pick?: readonly string[];
  /** How much of an answer is read, in bytes; 5 MB unless it is said. */
  readonly maxBytes?: number;
}

/** How a call becomes a request. `{name}` stands for an argument wherever text is written. */
export interface RestSettings {
  /** `GET` unless it is said. */
  readonly method?: RestMethod;
  /** `https://api.test/users/{id}`; an argument may stand in the path and after `?`, never in the host. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Names of arguments, or templates by parameter. A list repeats its parameter. */
  readonly query?: readonly string[] | Readonly<Record<string, string | number | boolean>>;
  /** Where arguments go that nothing else takes: `json` (`query` for GET), `form`, `query`; or a template of the body. */
  readonly body?: 'json' | 'form' | 'query' | { readonly json: unknown };
  readonly auth?: RestAuth | readonly RestAuth[];
  readonly retry?: RestRetry | false;
  /** How long one request may take, in milliseconds; 30,000 unless it is said. The tool's own `timeout` holds for all. */
  readonly timeout?: number;
  readonly breaker?: RestBreaker | false;
  readonly response?: RestResponse;
  /** What may be reached though it is not public: `localhost:3000`, `*.corp.test`, `10.0.0.0/8`. */
  readonly allow?: readonly string[];
  /** The header that carries a call's key where the tool writes; `Idempotency-Key` unless it is said. */
  readonly keyHeader?: string | false;
}
