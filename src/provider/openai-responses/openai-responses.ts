/**
 * OpenAI's Responses wire, both ways. A conversation is a list of items: messages, calls, results, thoughts, and what the
 * provider's own tools left. May import the shared files of `provider/` and what stands before it.
 */
import { bounded } from '../bounded.ts';
import type { Provider } from '../wire.ts';
import { readError, writeError } from './error.ts';
import { format } from './format.ts';
import { readRequest } from './read-request.ts';
import { readResponse } from './read-response.ts';
import { readStream } from './read-stream.ts';
import { readTools, writeTools } from './tools.ts';
import { writeRequest } from './write-request.ts';
import { writeResponse } from './write-response.ts';
import { writeStream } from './write-stream.ts';

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
