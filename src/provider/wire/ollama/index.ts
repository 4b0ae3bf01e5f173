/** Ollama's `/api/chat`. */

import type { Provider } from '../types.ts';
import { bounded } from '../validate.ts';
import { readRequest, readTools, writeRequest, writeTools } from './request.ts';
import { readError, readResponse, writeError, writeResponse } from './response.ts';
import { readStream } from './stream-reader.ts';
import { writeStream } from './stream-writer.ts';

/** Ollama's chat API, which streams JSON lines. */
export const ollamaChat: Provider = bounded({
  format: 'ollama',
  framing: 'ndjson',
  readRequest,
  writeRequest,
  pathOf: () => '/api/chat',
  readTools,
  writeTools,
  readResponse,
  writeResponse,
  readStream,
  writeStream,
  readError,
  writeError,
});
