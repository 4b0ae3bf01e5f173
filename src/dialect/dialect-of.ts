import { dialects } from './table.ts';

/**
 * The dialect that a chat template teaches its model; undefined where none is known. Of several that fit, the one with
 * the longest telling words.
 *
 * @example
 * dialectOf('… <|tool_call_argument_begin|> …') // 'kimi-k2'
 */
export function dialectOf(template: string): string | undefined {
  let best: { name: string; weight: number } | undefined;
  for (const { name, hints = [] } of dialects) {
    const weight = Math.max(0, ...hints.filter((hint) => template.includes(hint)).map((hint) => hint.length));
    if (weight > (best?.weight ?? 0)) best = { name, weight };
  }
  return best?.name;
}
