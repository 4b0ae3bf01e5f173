/** Anthropic's Messages API, also used by compatible servers. */

import type { Provider } from '../types.ts';
import { bounded } from '../validate.ts';
import { format } from './fields.ts';
import { readRequest, readTools, writeRequest, writeTools } from './request.ts';
import { readError, readResponse, writeError, writeResponse } from './response.ts';
import { readStream } from './stream-reader.ts';
import { writeStream } from './stream-writer.ts';

/**
 * Anthropic's Messages API.
 *
 * @example
 * const { wire } = anthropicMessages.writeRequest({ model: 'some-model', messages });
 */
export const anthropicMessages: Provider = bounded({
  format,
  framing: 'sse',
  pathOf: () => '/v1/messages',
  readRequest,
  writeRequest,
  readTools: (wire) => readTools(wire),
  writeTools: (tools) => writeTools(tools),
  readResponse,
  writeResponse,
  readStream,
  writeStream,
  readError,
  writeError,
});
