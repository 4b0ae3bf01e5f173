/** Mends the arguments of one call against one schema, and tells briefly what came of it. */
import { JsonReader } from '../../src/json/reader.ts';
import { mend } from '../../src/mend/mend.ts';
import type { Outcome } from '../../src/mend/outcome.ts';
import type { FinishReason } from '../../src/model/index.ts';
import type { JsonSchema } from '../../src/schema/types.ts';
import { type Effect, type Policy, tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';

export interface With {
  readonly finishReason?: FinishReason;
  readonly effect?: Effect;
  readonly minCertainty?: 'lossless' | 'inferred';
  readonly policy?: Policy;
}

export const named = 'act';

export function mendWith(input: unknown, args: unknown, { finishReason, policy, ...more }: With = {}): Outcome {
  const toolbox = new Toolbox([tool({ name: named, description: 'Acts', inputSchema: input, ...more })]);
  return mend({ name: named, arguments: args, finishReason }, toolbox, policy);
}

/** The status of a call with each effect. */
export const statusByEffect = (input: unknown, args: unknown): Outcome['status'][] =>
  (['read', 'write', 'destructive'] as const).map((effect) => mendWith(input, args, { effect }).status);

/** The codes of the problems in a text that is read at once, or character by character. */
export function problemCodes(text: string, chunks: Iterable<string> = [text]): string[] {
  const reader = new JsonReader({ want: 'object' });
  for (const chunk of chunks) reader.push(chunk);
  return reader.end().problems.map(({ code }) => code);
}

/** A good outcome as status, input and repairs (`kind certainty`); a bad one as error type and problems (`code path`). */
export type Told =
  | { readonly status: 'ok' | 'mended'; readonly input: unknown; readonly repairs: readonly string[] }
  | { readonly status: 'invalid'; readonly errorType: string; readonly problems: readonly string[] };

export const told = (outcome: Outcome): Told =>
  outcome.status === 'invalid'
    ? {
        status: 'invalid',
        errorType: outcome.errorType,
        problems: outcome.problems.map(({ code, path }) => [code, path.join('.')].filter(Boolean).join(' ')),
      }
    : {
        status: outcome.status,
        input: outcome.input,
        repairs: outcome.repairs.map(({ kind, certainty }) => `${kind} ${certainty}`),
      };

/** An object that allows no key but these. */
export const closed = (properties: Record<string, JsonSchema>, required: string[] = []): JsonSchema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

/** An object that allows any key beside these. */
export const open = (properties: Record<string, JsonSchema>, required: string[] = []): JsonSchema => ({
  type: 'object',
  properties,
  required,
});

export const string: JsonSchema = { type: 'string' };
export const integer: JsonSchema = { type: 'integer' };
export const boolean: JsonSchema = { type: 'boolean' };
export const strings: JsonSchema = { type: 'array', items: string };
