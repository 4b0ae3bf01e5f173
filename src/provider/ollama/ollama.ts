/**
 * Ollama's `/api/chat`, both ways. May import what stands above `provider/` and the files that all wires share.
 */
import { bounded } from '../bounded.ts';
import type { Provider } from '../wire.ts';
import { readError, writeError } from './errors.ts';
import { readRequest } from './read-request.ts';
import { readResponse } from './read-response.ts';
import { readStream } from './read-stream.ts';
import { readTools, writeTools } from './tools.ts';
import { writeRequest } from './write-request.ts';
import { writeResponse } from './write-response.ts';
import { writeStream } from './write-stream.ts';

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
