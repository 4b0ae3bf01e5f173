/** How far a running tool has come. */
export interface Progress {
  readonly message?: string;
  readonly done?: number;
  readonly total?: number;
}

/** What lives as long as a run and is shared by its calls: a session, a connection, a sandbox. */
export interface ToolScope {
  /** The thing kept under `key`, made by `open` when it is first asked for and closed with the run. */
  use<T>(key: object, open: () => T | Promise<T>, close?: (thing: T) => unknown): Promise<T>;
}

/** What a tool gets beside its input. */
export interface ToolContext {
  /** Aborted when the caller leaves or the deadline passes; pass it on to whatever takes long. */
  readonly signal: AbortSignal;
  /** The id the provider gave the call, where it gave one. */
  readonly callId?: string | undefined;
  /** The same for every run of one call, so that a service can tell a repetition from a second wish. */
  readonly key?: string | undefined;
  readonly scope: ToolScope;
  /** Tells whoever watches how far the work has come; the model does not see it. */
  readonly progress: (progress: Progress) => void;
  /** Adds a sentence to the result's `note`, which the model reads beside the output. */
  readonly note: (text: string) => void;
}

const never = new AbortController().signal;
const nobody = () => {};

/** Nothing is kept: each call opens its own. */
const noScope: ToolScope = { use: async (_, open) => open() };

/** A context for calling `run` by hand: nothing aborts it and nobody listens, unless `given` says so. */
export const toolContext = (given: Partial<ToolContext> = {}): ToolContext => ({
  signal: never,
  scope: noScope,
  progress: nobody,
  note: nobody,
  ...given,
});
