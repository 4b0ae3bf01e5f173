import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { scanSpans } from '../../json/spans.ts';
import { isObject, type Path } from '../../json/value.ts';
import type { Format } from '../../model/index.ts';
import { paramsOf } from '../../provider/client/endpoint.ts';
import { WireError } from '../../provider/wire/errors.ts';
import { peek } from '../stream/json-array.ts';
import { jsonOf } from '../upstream/http.ts';
import { spliceBody } from './edit-body.ts';

/** A request that isn't for a turn, such as one for embeddings. */
interface OtherRequest {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}

/**
 * The model that such a request is for, from its path, its query or its body; empty if there is none.
 *
 * @throws WireError if its query and its body, or two fields of a form, name different models
 */
export function requestedModel({ url, headers }: OtherRequest, body: Buffer): string {
  const [path = '', query = ''] = url.split('?');
  const [, name, deployment] = models.exec(path) ?? [];
  const inPath = name ?? deployment ?? '';
  if (inPath !== '') return decodeURIComponent(inPath.replace(verb, ''));
  const isForm = /multipart/i.test(headers['content-type'] ?? '');
  const inBody = isForm
    ? [...body.toString('latin1').matchAll(formFields)].map(([, value = '']) => value)
    : [body.length > 0 ? modelIn(jsonOf(body)) : ''];
  const asked = paramsOf(query).flatMap(({ name, value }) => (name === 'model' ? [value] : []));
  const [first = '', ...others] = new Set([...asked, ...inBody].filter((value) => value !== ''));
  if (others.length > 0) throw twoModels();
  return first;
}

/** `/models/NAME`, `/tunedModels/NAME` and Azure's `/deployments/NAME/…`. */
const models = /\/(?:(?:models|tunedModels)\/(.+)|deployments\/([^/]+).*)$/i;
/** Gemini's verbs, such as `:embedContent`. Tags of Ollama's models are lower case. */
const verb = /:(?:[a-z]+[A-Z]\w*|predict)$/;
/** The fields `model` of a form. */
const formFields = /name="?model"?\r?\n(?:[^\r\n]+\r?\n)*\r?\n([^\r\n]+)/g;

const twoModels = (): WireError => new WireError('model', 'must be given once');

function modelIn(body: unknown): string {
  if (!isObject(body)) return '';
  const [first] = Array.isArray(body.requests) ? body.requests : [];
  const batched = isObject(first) && isObject(first.params) ? first.params.model : undefined;
  const found = body.model ?? body.name ?? batched;
  return typeof found === 'string' ? found : '';
}

/** Whether a body may have the field `model` more than once. */
const mayRepeatModel = /"model"[\s\S]*"model"|\\u00/i;

/**
 * Refuses a body with two models. The upstream could use another one than the proxy, which also chooses the upstream by
 * it: parsers differ in which of two values they keep, and some ignore the case of keys.
 */
export function refuseTwoModels(body: Buffer): void {
  const text = body.toString('latin1');
  if (!mayRepeatModel.test(text)) return;
  const named = new Set<string>();
  scanSpans(text, (path, start, end) => {
    if (path.length === 1 && String(path[0]).toLowerCase() === 'model') named.add(text.slice(start, end));
  });
  if (named.size > 1) throw twoModels();
}

/** A request for another model: its path, its body, and by how many bytes the body of an upload is longer. */
interface RenamedRequest {
  readonly path: string;
  readonly body: Buffer | Readable;
  readonly longer?: number;
}

/** Replaces the model of such a request, wherever the client named it. All other bytes stay the same. */
export function renameModel(
  { url, headers }: OtherRequest,
  { head, stream }: RequestBody,
  model: string,
): RenamedRequest {
  const path = renamePath(url, model);
  if (!stream) return { path, body: models.test(url.split('?', 1)[0] as string) ? head : renameIn(head, model) };
  const fields = /multipart/i.test(headers['content-type'] ?? '') ? head.toString('latin1').matchAll(formFields) : [];
  const pieces: Buffer[] = [];
  let from = 0;
  for (const { 0: field, 1: value = '', index } of fields) {
    const end = index + field.length;
    pieces.push(head.subarray(from, end - value.length), Buffer.from(model));
    from = end;
  }
  if (from === 0) return { path, body: stream };
  const renamed = Buffer.concat([...pieces, head.subarray(from)]);
  return { path, body: Readable.from(withHead(renamed, stream)), longer: renamed.length - head.length };
}

/** The same stream with another first chunk, which is the part that was read before. */
async function* withHead(head: Buffer, stream: Readable): AsyncGenerator<Buffer> {
  let isFirst = true;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    yield isFirst ? head : chunk;
    isFirst = false;
  }
}

/** A path with another model, which the query names if the path doesn't. */
export function renamePath(url: string, model: string): string {
  const [path = '', ...query] = url.split('?');
  const match = models.exec(path);
  const named = match?.[1]?.replace(verb, '') ?? match?.[2];
  if (!match || named === undefined) {
    const params = paramsOf(query.join('?'));
    const isNamed = ({ name, value }: (typeof params)[number]): boolean => name === 'model' && value !== '';
    if (!params.some(isNamed)) return url;
    return `${path}?${params.map((one) => (isNamed(one) ? `model=${encodeURIComponent(model)}` : one.raw)).join('&')}`;
  }
  const start = match.index + match[0].indexOf('/', 1) + 1;
  const name = model.split('/').map(encodeURIComponent).join('/').replaceAll('%3A', ':');
  return [`${path.slice(0, start)}${name}${path.slice(start + named.length)}`, ...query].join('?');
}

/** A JSON body with another model. */
export function renameIn(body: Buffer, model: string): Buffer {
  const value = body.length > 0 ? jsonOf(body) : undefined;
  const from = modelIn(value);
  if (from === '' || !isObject(value)) return body;
  const requests = Array.isArray(value.requests) ? value.requests : [];
  const paths: Path[] = ['model', 'name'].flatMap((key) => (value[key] === from ? [[key]] : []));
  for (const [at, one] of requests.entries())
    if (isObject(one) && isObject(one.params) && one.params.model === from)
      paths.push(['requests', at, 'params', 'model']);
  return spliceBody(
    body,
    paths.map((path) => ({ path, json: JSON.stringify(model) })),
  );
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

/** A form may name its model in the first fields. A later one is passed on as it is, because the rest isn't stored. */
const headSize = 64 * 1024;

/** Reads the start of an upload. Its size isn't limited, because it is never stored. */
export async function openUpload(request: IncomingMessage): Promise<RequestBody> {
  const [head, stream] = await peek(request, ({ length }) => length >= headSize);
  return { head, stream };
}
