import { isObject } from '../../json/value.ts';
import type { ModelRequest } from '../../model/index.ts';

/**
 * Whether an answer's words may hold calls at all: not without tools, where none may be called, or where the words are to be
 * JSON or have another form.
 */
export const mayContainCalls = ({ tools = [], toolChoice, output, passthrough: extra }: ModelRequest): boolean =>
  tools.some(({ type }) => type === 'function') &&
  toolChoice !== 'none' &&
  output === undefined &&
  !hasOtherForm(extra?.fields.generationConfig);

/** Gemini has forms that are no JSON: one word of an enum. */
const hasOtherForm = (config: unknown): boolean =>
  isObject(config) && typeof config.responseMimeType === 'string' && config.responseMimeType !== 'text/plain';
