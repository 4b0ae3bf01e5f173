import type { MediaPart, OpaquePart, TextPart } from '../turn/turn.ts';

const mark = Symbol.for('toolmend.ToolOutput');

/** What a tool gives back where plain text or JSON does not do: pictures, several pieces, an error of its own. */
export interface ToolOutput {
  readonly content: readonly (TextPart | MediaPart | OpaquePart)[];
  /** The same as JSON, for programs. */
  readonly structured?: unknown;
  /** The tool itself says that it failed. */
  readonly isError?: boolean;
}

/**
 * Marks what a tool returns as pieces of content rather than as JSON.
 *
 * @example
 * run: async () => toolOutput({ content: [{ type: 'media', mediaType: 'image/png', source: { data } }] })
 */
export const toolOutput = (output: ToolOutput): ToolOutput => ({ ...output, [mark]: true }) as ToolOutput;

/** Whether a tool returned pieces of content. */
export const isToolOutput = (value: unknown): value is ToolOutput =>
  typeof value === 'object' && value !== null && mark in value;
