/** Gemini's `generateContent` and `streamGenerateContent`. */

import type { TurnRequest } from '../../../model/index.ts';
import { WireError } from '../errors.ts';
import type { Provider } from '../types.ts';
import { bounded } from '../validate.ts';
import { readRequest, writeRequest } from './request.ts';
import { readError, readResponse, writeError, writeResponse } from './response.ts';
import { readStream } from './stream-reader.ts';
import { writeStream } from './stream-writer.ts';
import { readTools, writeTools } from './tools.ts';

/** Gemini's `generateContent` API. */
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

/** The path of a request, relative to the base URL. */
function pathOf({ model, stream }: TurnRequest): string {
  // URLs resolve such segments, even if they are encoded.
  if (/(?:^|\/)\.{1,2}(?:\/|$)/.test(model)) throw new WireError('model', "must not contain '.' or '..' segments");
  const name = model.includes('/') ? model : `models/${model}`;
  const path = name.split('/').map(encodeURIComponent).join('/');
  return `/v1beta/${path}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`;
}
