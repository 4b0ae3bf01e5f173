/**
 * The wire of OpenAI's Chat Completions, and of the many servers that imitate it. May import the shared files of
 * `provider/` and what stands before it.
 */
import { bounded } from '../bounded.ts';
import type { Provider } from '../wire.ts';
import { readError, writeError } from './error.ts';
import { readRequest } from './read-request.ts';
import { readResponse } from './read-response.ts';
import { readStream } from './read-stream.ts';
import { format } from './take.ts';
import { readTools, writeTools } from './tools.ts';
import { writeRequest } from './write-request.ts';
import { writeResponse } from './write-response.ts';
import { writeStream } from './write-stream.ts';

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
