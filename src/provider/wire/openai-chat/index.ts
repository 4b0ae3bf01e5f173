/** OpenAI's Chat Completions API, also used by many compatible servers. */

import type { Provider } from '../types.ts';
import { bounded } from '../validate.ts';
import { format } from './fields.ts';
import { readRequest, readTools, writeRequest, writeTools } from './request.ts';
import { readError, readResponse, writeError, writeResponse } from './response.ts';
import { readStream } from './stream-reader.ts';
import { writeStream } from './stream-writer.ts';

/** OpenAI Chat Completions (`/v1/chat/completions`) and compatible servers. */
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
