import type { JsonObject, JsonValue } from '../../../json/value.ts';
import type { Usage } from '../../../model/index.ts';
import { type Form, present } from '../passthrough.ts';
import { proto } from './fields.ts';

/**
 * `usageMetadata`: what tools of the service put before the model is counted apart from the prompt, and thoughts are
 * counted apart from the answer.
 */
export const usage: Form<Usage> = {
  format: 'gemini',

  read(value) {
    const wire = proto(value, 'usageMetadata');
    const input = sum(wire.promptTokenCount, wire.toolUsePromptTokenCount);
    const output = sum(wire.candidatesTokenCount, wire.thoughtsTokenCount);
    const { cachedContentTokenCount: cached, thoughtsTokenCount: reasoning } = wire;
    return {
      ...(input !== undefined && { input }),
      ...(output !== undefined && { output }),
      ...(typeof cached === 'number' && { cached }),
      ...(typeof reasoning === 'number' && { reasoning }),
    };
  },

  write({ input, output, cached, reasoning }): JsonObject {
    const total = input !== undefined && output !== undefined ? input + output : undefined;
    return present({
      promptTokenCount: input,
      cachedContentTokenCount: cached,
      candidatesTokenCount: output === undefined ? undefined : output - (reasoning ?? 0),
      thoughtsTokenCount: reasoning,
      totalTokenCount: total,
    });
  },
};

function sum(a: JsonValue | undefined, b: JsonValue | undefined): number | undefined {
  const counts = [a, b].filter((count) => typeof count === 'number');
  return counts.length > 0 ? counts.reduce((all, count) => all + count, 0) : undefined;
}
