import { isObject, type JsonObject } from '../../../json/value.ts';
import type { Usage } from '../../../model/index.ts';
import { present } from '../passthrough.ts';
import { layOver, passthroughOf } from './fields.ts';

const count = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

/** The wire counts what came from a cache, or went into one, beside `input_tokens`; the middle shape counts it in. */
export function readUsage(wire: JsonObject): Usage {
  const fresh = count(wire.input_tokens);
  const cached = count(wire.cache_read_input_tokens);
  const cacheWritten = count(wire.cache_creation_input_tokens);
  const output = count(wire.output_tokens);
  const details = wire.output_tokens_details;
  const reasoning = isObject(details) ? count(details.thinking_tokens) : undefined;
  const known = [
    ...(fresh === undefined ? [] : ['input_tokens']),
    ...(cached === undefined ? [] : ['cache_read_input_tokens']),
    ...(cacheWritten === undefined ? [] : ['cache_creation_input_tokens']),
    ...(output === undefined ? [] : ['output_tokens']),
    ...(reasoning !== undefined && Object.keys(details as JsonObject).length === 1 ? ['output_tokens_details'] : []),
  ];
  return {
    ...(fresh !== undefined && { input: fresh + (cached ?? 0) + (cacheWritten ?? 0) }),
    ...(output !== undefined && { output }),
    ...(cached !== undefined && { cached }),
    ...(cacheWritten !== undefined && { cacheWritten }),
    ...(reasoning !== undefined && { reasoning }),
    ...passthroughOf(wire, known),
  };
}

/** Without what was not counted; `input_tokens` is what neither cache had. */
export function writeUsage(usage: Usage): JsonObject {
  const { input, output, cached, cacheWritten, reasoning } = usage;
  const fresh = input === undefined ? undefined : Math.max(0, input - (cached ?? 0) - (cacheWritten ?? 0));
  const written = present({
    input_tokens: fresh,
    cache_read_input_tokens: cached,
    cache_creation_input_tokens: cacheWritten,
    output_tokens: output,
    output_tokens_details: reasoning === undefined ? undefined : { thinking_tokens: reasoning },
  });
  return layOver(written, usage);
}
