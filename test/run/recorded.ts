import type { Message, ResultPart } from '../../src/model/index.ts';
import type { Run } from '../../src/run/run.ts';
import { type Tool, type ToolDefinition, tool } from '../../src/tools/tool.ts';

/** A tool that keeps what it received, and what it was given to run with. */
export function recording(definition: Omit<ToolDefinition, 'description'>): Tool & { readonly received: unknown[] } {
  const received: unknown[] = [];
  const made = tool({
    description: definition.name,
    ...definition,
    execute: (input: unknown, context) => {
      received.push(input);
      return definition.execute ? definition.execute(input as never, context) : 'done';
    },
  });
  return Object.assign(made, { received }) as Tool & { readonly received: unknown[] };
}

/** What the model was told of its calls, in order. */
export const told = (messages: readonly Message[]): ResultPart[] =>
  messages.flatMap(({ parts }) => parts.filter((part): part is ResultPart => part.type === 'result'));

/** The words of each. */
export const wordsOf = (run: Run): string[] =>
  told(run.messages()).map(({ content }) => content.map((part) => (part.type === 'text' ? part.text : '')).join(''));

/** How each call ended: its error type, or its state. */
export const endsOf = (run: Run): string[] => run.calls().map(({ errorType, state }) => errorType ?? state);
