/**
 * OpenAI's Responses API. A conversation is a list of items: messages, calls, results, reasoning, and items of the
 * provider's own tools.
 */

import type { Provider } from '../types.ts';
import { bounded } from '../validate.ts';
import { format } from './fields.ts';
import { readRequest, readTools, writeRequest, writeTools } from './request.ts';
import { readError, readResponse, writeError, writeResponse } from './response.ts';
import { readStream } from './stream-reader.ts';
import { writeStream } from './stream-writer.ts';

/** OpenAI Responses (`/v1/responses`) and compatible servers. */
export const openaiResponses: Provider = bounded({
  format,
  framing: 'sse',
  readRequest,
  writeRequest,
  pathOf: () => '/responses',
  readTools: (wire) => readTools(wire),
  writeTools: (tools) => writeTools(tools),
  readResponse,
  writeResponse,
  readStream,
  writeStream,
  readError,
  writeError,
});
