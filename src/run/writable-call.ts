import { preview } from '../call/feedback-preview.ts';
import { defaultLimits } from '../json/limits.ts';
import { unsound } from '../json/sound.ts';
import type { CallPart } from '../turn/turn.ts';

const longest = 2000;
const limits = { ...defaultLimits, keys: Number.POSITIVE_INFINITY };

/**
 * The call as a log can hold it. Arguments that are a value and no JSON (a cycle, a BigInt, a nesting without end) become
 * what can be shown of them, and the call never runs.
 */
export function writableCall(part: CallPart): CallPart {
  if (typeof part.arguments === 'string' || isWritable(part.arguments)) return part;
  const message = 'Root object is nested too deep or holds what JSON cannot hold';
  const found = [...(part.found ?? []), { path: [], code: 'depth', message } as const];
  return { ...part, arguments: preview(part.arguments, longest), found };
}

function isWritable(value: unknown): boolean {
  const fault = value === undefined ? undefined : unsound(value, limits);
  // Other limits are judged with the call: what breaks them can still be written down.
  return !fault || fault.what === 'a undefined' || (fault.what === 'limit' && fault.path.length < limits.depth);
}
