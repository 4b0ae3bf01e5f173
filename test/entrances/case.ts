/** The words of the table: what a model wrote with which tools, and what must come of it at every entrance. */
import type { RepairKind } from '../../src/json/repair.ts';
import type { JsonObject } from '../../src/json/value.ts';
import type { FinishReason } from '../../src/model/index.ts';
import type { SchemaObject } from '../../src/schema/types.ts';
import type { Effect } from '../../src/tools/tool.ts';
import type { Need } from './need.ts';

/** What a tool of the table does when it runs; without a word it says its own name. */
export type Behaviour =
  | { readonly type: 'throws'; readonly message: string }
  /** Answers as a tool does that ran and did not succeed. */
  | { readonly type: 'fails'; readonly error: string; readonly recommendations?: readonly string[] }
  /** Never settles. */
  | { readonly type: 'hangs' }
  /** Has its caller stopped, and never settles. */
  | { readonly type: 'stops' }
  /** Gives back what it was given as JSON. */
  | { readonly type: 'echoes' };

/** A tool of the table, as plain data. */
export interface CaseTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: SchemaObject;
  readonly effect?: Effect;
  /** Milliseconds it may run. */
  readonly timeout?: number;
  readonly does?: Behaviour;
}

/** A native call: its name and its arguments, as the model wrote them. */
export interface WrittenCall {
  readonly name: string;
  readonly arguments: string;
}

/** What the model said in one turn: native calls, or words that hold one. */
export type Wrote =
  | { readonly calls: readonly WrittenCall[]; readonly finish?: FinishReason }
  | { readonly text: string; readonly finish?: FinishReason };

/** What must come of a call. */
export type Expected =
  | {
      readonly is: 'ok' | 'mended';
      readonly name: string;
      readonly input: JsonObject;
      /** The kinds of repair, each once. */
      readonly repairs?: readonly RepairKind[];
      /** What the model is told beside the result. */
      readonly note?: string;
    }
  | {
      readonly is: 'invalid';
      readonly errorType: 'validation' | 'unknown_tool' | 'truncated';
      /** A piece of what the model is told; the whole must be what the library says. */
      readonly says: string;
    }
  /** The call was right, and did not succeed. */
  | {
      readonly is: 'failed';
      readonly errorType: 'denied' | 'timeout' | 'aborted' | 'runtime' | 'logical';
      readonly name: string;
      readonly input: JsonObject;
      /** The whole of what the model is told. */
      readonly tells: string;
    };

/** One row of the table. */
export interface Case {
  /** What is tried, in a few words; told apart by it. */
  readonly name: string;
  /** Rows of the lists of known faults and wishes that it stands for. */
  readonly rows?: readonly string[];
  readonly tools: readonly CaseTool[];
  readonly wrote: Wrote;
  /** One for each call, in order. */
  readonly expect: readonly Expected[];
  /** The same is written so many times; what the model is told grows. */
  readonly times?: number;
  /** Rules that forbid calls. */
  readonly deny?: readonly string[];
  /** What it asks of an entrance, where the data above does not show it. */
  readonly needs?: readonly Need[];
}

/** Cases of one class, under its name. */
export interface CaseClass {
  readonly name: string;
  readonly cases: readonly Case[];
}
