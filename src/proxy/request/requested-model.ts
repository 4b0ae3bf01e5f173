import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { isObject } from '../../json/value.ts';
import type { Format } from '../../model/index.ts';
import { paramsOf } from '../../provider/client/endpoint.ts';
import { peek } from '../stream/json-array.ts';
import { jsonOf } from '../upstream/http.ts';

/** A request that isn't for a turn, such as one for embeddings. */
interface OtherRequest {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}

/** The model that such a request is for, from its path, its query or its body; empty if there is none. */
export function requestedModel({ url, headers }: OtherRequest, body: Buffer): string {
  const [path = '', query = ''] = url.split('?');
  const [, name, deployment] = models.exec(path) ?? [];
  const inPath = name ?? deployment ?? '';
  if (inPath !== '') return decodeURIComponent(inPath.replace(verb, ''));
  const asked = paramsOf(query).find(({ name }) => name === 'model')?.value;
  if (asked) return asked;
  const type = headers['content-type'] ?? '';
  if (/multipart/i.test(type)) return formField.exec(body.toString('latin1'))?.[1] ?? '';
  return body.length > 0 ? modelIn(jsonOf(body)) : '';
}

/** `/models/NAME`, `/tunedModels/NAME` and Azure's `/deployments/NAME/…`. */
const models = /\/(?:(?:models|tunedModels)\/(.+)|deployments\/([^/]+).*)$/;
/** Gemini's verbs, such as `:embedContent`. Tags of Ollama's models are lower case. */
const verb = /:(?:[a-z]+[A-Z]\w*|predict)$/;
/** The field `model` of a form. */
const formField = /name="?model"?\r?\n(?:[^\r\n]+\r?\n)*\r?\n([^\r\n]+)/;

function modelIn(body: unknown): string {
  if (!isObject(body)) return '';
  const [first] = Array.isArray(body.requests) ? body.requests : [];
  const batched = isObject(first) && isObject(first.params) ? first.params.model : undefined;
  const found = body.model ?? body.name ?? batched;
  return typeof found === 'string' ? found : '';
}

/** The API format that a request without a model belongs to. */
export function requestedFormat({ url, headers }: OtherRequest): Format {
  if (headers['anthropic-version'] !== undefined) return 'anthropic';
  if (/^\/v1(?:beta|alpha)\//.test(url)) return 'gemini';
  return url.startsWith('/api/') ? 'ollama' : 'openai-chat';
}

/** The body of a request: all of it, or its start and a stream of all of it. */
export interface RequestBody {
  readonly head: Buffer;
  readonly stream?: Readable;
}

/** A form may name its model in the first fields. */
const headSize = 64 * 1024;

/** Reads the start of an upload. Its size isn't limited, because it is never stored. */
export async function openUpload(request: IncomingMessage): Promise<RequestBody> {
  const [head, stream] = await peek(request, ({ length }) => length >= headSize);
  return { head, stream };
}
