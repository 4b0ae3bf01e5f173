/**
 * The wire of OpenAI's Chat Completions, and of the many servers that imitate it. May import the shared files of
 * `provider/` and what stands before it.
 */

import type { Provider } from '../types.ts';
import { bounded } from '../validate.ts';
import { format } from './fields.ts';
import { readRequest, readTools, writeRequest, writeTools } from './request.ts';
import { readError, readResponse, writeError, writeResponse } from './response.ts';
import { readStream } from './stream-reader.ts';
import { writeStream } from './stream-writer.ts';

/** OpenAI's Chat Completions, both ways. */
export const openaiChat: Provider = bounded({
  format,
  framing: 'sse',
  readRequest,
  writeRequest,
  pathOf: () => '/chat/completions',
  readTools,
  writeTools,
  readResponse,
  writeResponse,
  readStream,
  writeStream,
  readError,
  writeError,
});
