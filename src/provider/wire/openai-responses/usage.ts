import { isObject, type JsonObject, type JsonValue } from '../../../json/value.ts';
import type { Usage } from '../../../model/index.ts';
import { present, unreadFields } from '../passthrough.ts';
import { asPassthrough, ownFields } from './fields.ts';

/** Where each count stands. A count of nothing is what the wire says where it knows none, so it is carried along. */
const counts = [
  ['cached', 'input_tokens_details', 'cached_tokens'],
  ['cacheWritten', 'input_tokens_details', 'cache_write_tokens'],
  ['reasoning', 'output_tokens_details', 'reasoning_tokens'],
] as const;

/** Reads what a turn cost; the wire counts as we do. */
export function readUsage(wire: JsonValue | undefined): Usage | undefined {
  if (!isObject(wire)) return undefined;
  const { input_tokens: input, output_tokens: output, total_tokens: total } = wire;
  const left = unreadFields(wire, ['input_tokens', 'output_tokens']);
  if (total === Number(input) + Number(output)) delete left.total_tokens;
  const found: Record<string, number> = {};
  for (const [name, group, key] of counts) {
    const details = left[group];
    const count = isObject(details) ? details[key] : undefined;
    if (typeof count !== 'number' || count === 0 || !isObject(details)) continue;
    found[name] = count;
    left[group] = unreadFields(details, [key]);
  }
  return {
    ...present({ input: numberOr(input), output: numberOr(output) }),
    ...found,
    // A passthrough, though empty, tells that what is not there was not there.
    ...asPassthrough(left),
  };
}

const numberOr = (value: JsonValue | undefined): number | undefined => (typeof value === 'number' ? value : undefined);

/** Writes what a turn cost, with the details that strict clients want to be there. */
export function writeUsage(usage: Usage): JsonObject {
  const { input = 0, output = 0, cached = 0, cacheWritten, reasoning = 0 } = usage;
  const own = ownFields(usage);
  const written: JsonObject = {
    input_tokens: input,
    input_tokens_details: present({ cached_tokens: own ? usage.cached : cached, cache_write_tokens: cacheWritten }),
    output_tokens: output,
    output_tokens_details: present({ reasoning_tokens: own ? usage.reasoning : reasoning }),
    total_tokens: input + output,
  };
  if (!own) return written;
  const merged: JsonObject = { ...written, ...own };
  for (const [, group] of counts) {
    const [ours, theirs] = [written[group], own[group]];
    const both = { ...(isObject(ours) ? ours : {}), ...(isObject(theirs) ? theirs : {}) };
    if (isObject(theirs) || Object.keys(both).length > 0) merged[group] = both;
    else delete merged[group];
  }
  return merged;
}
