/**
 * Ollama's `/api/chat`, both ways. May import what stands above `provider/` and the files that all wires share.
 */

import type { Provider } from '../types.ts';
import { bounded } from '../validate.ts';
import { readRequest, readTools, writeRequest, writeTools } from './request.ts';
import { readError, readResponse, writeError, writeResponse } from './response.ts';
import { readStream } from './stream-reader.ts';
import { writeStream } from './stream-writer.ts';

/** The wire of Ollama's own chat: a line of JSON for each piece of a stream. */
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
