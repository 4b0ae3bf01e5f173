import { isObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import type { Format } from '../../model/index.ts';
import { estimateTokens } from '../../provider/translation/estimate-tokens.ts';
import { portableRequest } from '../../provider/translation/portable-request.ts';
import { wires } from '../../provider/wire/route.ts';
import { jsonOf } from '../upstream/http.ts';

/** A request for the number of input tokens, which the proxy answers if the upstream can't. */
export interface TokenCount {
  readonly format: Format;
  readonly model: string;
  /** The response with an estimate. */
  readonly estimate: (tokenRatio?: number) => JsonObject;
}

interface Route {
  readonly path: RegExp;
  readonly format: Format;
  /** The request whose tokens are counted. */
  readonly asked: (body: JsonObject) => JsonValue;
  readonly answer: (tokens: number) => JsonObject;
}

const routes: readonly Route[] = [
  {
    path: /\/messages\/count_tokens$/,
    format: 'anthropic',
    asked: (body) => body,
    answer: (tokens) => ({ input_tokens: tokens }),
  },
  {
    path: /\/responses\/input_tokens$/,
    format: 'openai-responses',
    asked: (body) => body,
    answer: (tokens) => ({ object: 'response.input_tokens', input_tokens: tokens }),
  },
  {
    path: /\/models\/([^/:]+):countTokens$/,
    format: 'gemini',
    asked: (body) => (isObject(body.generateContentRequest) ? body.generateContentRequest : body),
    answer: (tokens) => ({ totalTokens: tokens }),
  },
];

/** Reads a request for the number of input tokens; undefined if it is another one. */
export function readTokenCount(path: string, body: Buffer): TokenCount | undefined {
  const route = routes.find((one) => one.path.test(path));
  const value = route && jsonOf(body);
  if (!route || !isObject(value)) return undefined;
  const named = decodeURIComponent(route.path.exec(path)?.[1] ?? '');
  const model = named || (typeof value.model === 'string' ? value.model : '');
  return {
    format: route.format,
    model,
    estimate: (tokenRatio = 1) => {
      const { request } = portableRequest(wires[route.format].readRequest(route.asked(value), { model }));
      return route.answer(Math.ceil(estimateTokens(request) * tokenRatio));
    },
  };
}
