import type { JsonObject } from '../../../json/value.ts';
import type { Usage } from '../../../model/index.ts';
import { present } from '../passthrough.ts';

const counts = {
  prompt_eval_count: 'input',
  eval_count: 'output',
  prompt_eval_cached_count: 'cached',
} as const satisfies Record<string, keyof Usage>;

/** The fields that count. */
export const usageFields: readonly string[] = Object.keys(counts);

/** What an answer says it cost. */
export function readUsage(wire: JsonObject): Usage | undefined {
  const usage: { -readonly [K in keyof Usage]: Usage[K] } = {};
  for (const [field, count] of Object.entries(counts)) {
    const given = wire[field];
    if (typeof given === 'number') usage[count] = given;
  }
  return Object.keys(usage).length > 0 ? usage : undefined;
}

/** The same for the wire, which does not count thoughts apart. */
export const writeUsage = ({ input, output, cached }: Usage): JsonObject =>
  present({ prompt_eval_count: input, prompt_eval_cached_count: cached, eval_count: output });
