/** A text in a dialect and what it must be read as; written by hand, never taken from what the reader gave. */
export interface Example {
  readonly text: string;
  readonly calls: readonly { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> }[];
  /** The text that is left for the user; empty where it is not said. */
  readonly left?: string;
  readonly reasoning?: string;
  /** The prompt opened the reasoning. */
  readonly reasoningOpen?: boolean;
  /** Only where the dialect is named: prose stands around what nothing else tells from it. */
  readonly named?: boolean;
  /** A marker is missing, so that the calls are inferred. */
  readonly faulty?: boolean;
  /** The calls that must be refused, by their places: what they hold is not all that was written. */
  readonly refused?: readonly number[];
}
