/** A way into the pipeline, driven by the cases of the table. */
import type { JsonValue } from '../../src/json/value.ts';
import type { Case } from './case.ts';
import type { Need } from './need.ts';

/** A call by its name and its arguments. */
export interface SeenCall {
  readonly name: string;
  readonly input: unknown;
}

/** What was seen of one call. */
export interface Seen {
  /** `ok`, `mended`, or the type of the error. */
  readonly verdict?: string;
  /** The kinds of repair, each once. */
  readonly repairs?: readonly string[];
  /** The call as it goes on: mended, or as it was written. */
  readonly call?: SeenCall | 'as written';
  /** What the tool received. */
  readonly run?: SeenCall | 'nothing';
  /** What the model is told of a call that must not run. */
  readonly feedback?: string;
  /** What the model is told of one that ran, or might have. */
  readonly result?: string;
}

/** Something that can be seen of a call. */
export type Aspect = keyof Seen;

/** One entrance. */
export interface Entrance {
  readonly name: string;
  /** The column of the table it belongs to. */
  readonly column: string;
  /** What can't be seen there, with the reason. */
  readonly hides: Readonly<Partial<Record<Aspect, string>>>;
  /** What a case may need and this entrance can't do, with the reason. */
  readonly cannot: Readonly<Partial<Record<Need, string>>>;
  /** Cases that come out otherwise, by their name, with the reason. A fault of ours, until it is mended. */
  readonly differs?: Readonly<Record<string, string>>;
  /** Starts what it needs. */
  open(): Promise<OpenEntrance>;
}

/** An entrance that was started. */
export interface OpenEntrance {
  /** What came of each call of a case, in order. */
  run(one: Case): Promise<readonly Seen[]>;
  close(): Promise<void>;
}

/** An entrance that has nothing to start. */
export const always =
  (run: OpenEntrance['run']): Entrance['open'] =>
  async () => ({ run, close: async () => {} });

/** Arguments as a client of a wire reads them: parsed where they are text. */
export function inputOf(given: unknown): unknown {
  if (typeof given !== 'string') return given;
  try {
    return JSON.parse(given) as JsonValue;
  } catch {
    return given;
  }
}
