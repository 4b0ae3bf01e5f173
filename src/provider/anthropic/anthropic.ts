/**
 * The Messages API of Anthropic, and of those who imitate it. The room for this one wire: it imports what all wires
 * share and the layers before.
 */
import { bounded } from '../bounded.ts';
import type { Provider } from '../wire.ts';
import { readError, writeError } from './error.ts';
import { format } from './pen.ts';
import { readRequest } from './read-request.ts';
import { readResponse } from './read-response.ts';
import { readStream } from './read-stream.ts';
import { readTools, writeTools } from './tools.ts';
import { writeRequest } from './write-request.ts';
import { writeResponse } from './write-response.ts';
import { writeStream } from './write-stream.ts';

/**
 * Anthropic's Messages API, both ways.
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
