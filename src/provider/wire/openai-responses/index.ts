/**
 * OpenAI's Responses wire, both ways. A conversation is a list of items: messages, calls, results, thoughts, and what the
 * provider's own tools left. May import the shared files of `provider/` and what stands before it.
 */

import type { Provider } from '../types.ts';
import { bounded } from '../validate.ts';
import { format } from './fields.ts';
import { readRequest, readTools, writeRequest, writeTools } from './request.ts';
import { readError, readResponse, writeError, writeResponse } from './response.ts';
import { readStream } from './stream-reader.ts';
import { writeStream } from './stream-writer.ts';

/** OpenAI Responses (`/v1/responses`), and the servers that imitate it. */
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
