/** Recorded responses of the leaderboard, and the calls that our code reads from them. */

import { saysNone } from '../src/dialect/prompted/index.ts';
import { readCalls } from '../src/dialect/read-calls.ts';
import { mend } from '../src/mend/mend.ts';
import type { Outcome } from '../src/mend/outcome.ts';
import { tool } from '../src/tools/tool.ts';
import { Toolbox } from '../src/tools/toolbox.ts';

/** A prompt with the tools that were offered. */
export interface Case {
  readonly id: string;
  readonly category: string;
  readonly tools: readonly { readonly name: string; readonly description?: string; readonly inputSchema: unknown }[];
}

/** A model's response: text, or native calls (`{name: arguments as text}`) with text between them. */
export interface Answer {
  readonly id: string;
  readonly result: string | readonly (string | Readonly<Record<string, string>>)[];
}

export interface Decoded {
  readonly id: string;
  readonly calls: readonly { readonly name: string; readonly arguments: unknown }[];
  /** Whether a call would not run, for its schema or the text around it. */
  readonly refused: boolean;
}

/** The tools of a case, with unchanged names: many contain dots. */
export const toolboxOf = ({ tools }: Case): Toolbox =>
  new Toolbox(
    tools.map(({ name, description = '', inputSchema }) => tool({ name, description, inputSchema })),
    { validate: false },
  );

/**
 * The calls of an answer. Each is checked by `mend()`; what is invalid by its schema is written as it was read, since
 * the leaderboard's rules know neither enums nor bounds and judge it themselves. A name that no tool has and that says
 * `no function` is no call.
 */
export function decode({ id, result }: Answer, toolbox: Toolbox): Decoded {
  const called = outcomes(result, toolbox).filter((outcome) => outcome.tool || !saysNone(outcome.name));
  const calls = called.map(({ name, input }) => ({ name, arguments: input }));
  return { id, calls, refused: called.some(({ status }) => status === 'invalid') };
}

function outcomes(result: Answer['result'], toolbox: Toolbox): readonly Outcome[] {
  if (typeof result === 'string') return inText(result, toolbox);
  const native = result.flatMap((part) => (typeof part === 'string' ? [] : Object.entries(part)));
  // A model with native calls that wrote its calls as text still made them.
  if (native.length === 0) return inText(result.filter((part) => typeof part === 'string').join('\n'), toolbox);
  return native.map(([name, given]) => mend({ name, arguments: given }, toolbox));
}

/** Text, as `toolmend decode --prompted` reads it. */
const inText = (text: string, toolbox: Toolbox): readonly Outcome[] =>
  readCalls(text, toolbox, { dialect: 'auto', prompted: true }).calls;
