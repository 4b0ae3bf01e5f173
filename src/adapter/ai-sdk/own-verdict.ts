import type { JudgedCall } from '../../call/mended-call.ts';
import { isStandard } from '../../schema/standard.ts';
import { isUnread } from '../is-unread.ts';

/**
 * A call that a tool's own schema takes is good, whatever its JSON Schema says: what a schema does before it checks can't be
 * written there. Only arguments that were read without doubt are shown to it.
 */
export function ownVerdict(judged: JudgedCall, schema: unknown): JudgedCall {
  const { part, outcome } = judged;
  if (outcome.status !== 'invalid' || !outcome.tool || !isStandard(schema) || isUnread(judged)) return judged;
  if (!takes(schema, outcome.input)) return judged;
  const { tool, name, input, raw, repairs } = outcome;
  return {
    ...judged,
    part: { ...part, name, arguments: JSON.stringify(input) },
    changed: true,
    outcome: { status: 'mended', raw, tool, name, input, value: input, repairs, problems: [] },
  };
}

function takes(schema: Parameters<typeof isStandard>[0], value: unknown): boolean {
  if (!isStandard(schema)) return false;
  try {
    const result = schema['~standard'].validate(value);
    if (!(result instanceof Promise)) return result.issues === undefined;
    // Nobody waits for it, so its failure must not surface as an unhandled one.
    result.catch(() => undefined);
    return false;
  } catch {
    return false;
  }
}
