import type { Definition } from '../../test/damage/definition.ts';
import { valid } from '../../test/damage/valid.ts';
import type { Answer } from './contestant.ts';

/** Reads the arguments of one tool. Throws if they are refused. */
export type Read = (text: string, tool: Definition) => unknown;

/**
 * What a careful user writes around a parser: a tool is called by its exact name, what was read is checked by ajv, and
 * where the message ended by length nothing is mended, because the end may be missing.
 */
export const careful =
  (read: Read): Answer =>
  (tools, { name, arguments: text, finishReason }) => {
    const tool = tools.find((one) => one.name === name);
    if (!tool) return [];
    try {
      const input = finishReason === 'length' ? (JSON.parse(text) as unknown) : read(text, tool);
      return valid(input, tool.inputSchema) ? [{ name, input }] : [];
    } catch {
      return [];
    }
  };
