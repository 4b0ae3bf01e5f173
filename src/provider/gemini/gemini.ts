/**
 * Gemini's generateContent and streamGenerateContent, both ways. May import what stands above `provider/` and the files
 * that all wires share.
 */
import { bounded } from '../bounded.ts';
import type { Provider } from '../wire.ts';
import { readError, writeError } from './errors.ts';
import { pathOf } from './path-of.ts';
import { readRequest } from './read-request.ts';
import { readResponse } from './read-response.ts';
import { readStream } from './read-stream.ts';
import { readTools, writeTools } from './tools.ts';
import { writeRequest } from './write-request.ts';
import { writeResponse } from './write-response.ts';
import { writeStream } from './write-stream.ts';

/** The wire of Gemini's `generateContent`. */
export const geminiContent: Provider = bounded({
  format: 'gemini',
  framing: 'sse',
  readRequest,
  writeRequest,
  pathOf,
  readTools: (wire) => readTools(wire),
  writeTools,
  readResponse,
  writeResponse,
  readStream,
  writeStream,
  readError,
  writeError,
});
