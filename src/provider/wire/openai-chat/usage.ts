import { isObject, type JsonObject } from '../../../json/value.ts';
import type { Usage } from '../../../model/index.ts';
import { present } from '../passthrough.ts';
import { isNumber, mergeOver, ownFields, passthroughOf, putBack, take } from './fields.ts';

/** Reads `usage`; nothing where it is none. */
export function readUsage(wire: unknown): Usage | undefined {
  if (!isObject(wire)) return undefined;
  const rest = { ...wire };
  const input = take(rest, 'prompt_tokens', isNumber);
  const written = take(rest, 'completion_tokens', isNumber);
  const cached = takeDetail(rest, 'prompt_tokens_details', 'cached_tokens') ?? countOf(rest.prompt_cache_hit_tokens);
  const cacheWritten = takeDetail(rest, 'prompt_tokens_details', 'cache_write_tokens');
  const reasoning = takeDetail(rest, 'completion_tokens_details', 'reasoning_tokens');
  const total = countOf(rest.total_tokens);
  const output = withThoughts(input, written, reasoning, total);
  if (output !== written && written !== undefined) rest.completion_tokens = written;
  else if (input !== undefined && written !== undefined && total === input + written) delete rest.total_tokens;
  return { ...counts({ input, output, cached, cacheWritten, reasoning }), ...passthroughOf(rest) };
}

const countOf = (value: unknown): number | undefined => (isNumber(value) ? value : undefined);

/** Some servers count thoughts beside what was written; their own total shows it. */
function withThoughts(
  input: number | undefined,
  written: number | undefined,
  thought: number | undefined,
  total: number | undefined,
): number | undefined {
  if (input === undefined || written === undefined || !thought) return written;
  return total === input + written + thought ? written + thought : written;
}

const counts = (all: Readonly<Record<keyof Omit<Usage, 'passthrough'>, number | undefined>>): Usage =>
  present(all) as Usage;

function takeDetail(rest: JsonObject, key: string, name: string): number | undefined {
  const details = rest[key];
  if (!isObject(details)) return undefined;
  const left = { ...details };
  const value = take(left, name, isNumber);
  if (value !== undefined) putBack(rest, key, left);
  return value;
}

/** Writes `usage`; the total is the sum of both. */
export function writeUsage(usage: Usage): JsonObject {
  const { input, output, cached, cacheWritten, reasoning } = usage;
  const both = input !== undefined && output !== undefined;
  const ours = isNumber(ownFields(usage)?.prompt_cache_hit_tokens);
  const prompt = present({ cached_tokens: ours ? undefined : cached, cache_write_tokens: cacheWritten });
  const completion = present({ reasoning_tokens: reasoning });
  return mergeOver(
    {
      ...present({ prompt_tokens: input, completion_tokens: output, total_tokens: both ? input + output : undefined }),
      ...(Object.keys(prompt).length > 0 && { prompt_tokens_details: prompt }),
      ...(Object.keys(completion).length > 0 && { completion_tokens_details: completion }),
    },
    usage,
  );
}
