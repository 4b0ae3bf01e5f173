import { isObject } from '../json/value.ts';
import type { Decision } from '../log/decision.ts';

/** The request a page answers, by its number; nothing where it does not say. */
export const readRequestNumber = (value: unknown): number | undefined =>
  isObject(value) && typeof value.asked === 'number' ? value.asked : undefined;

/** What a page says about a call, as a decision; nothing where it says none. */
export function readApproval(value: unknown): Decision | undefined {
  if (!isObject(value)) return undefined;
  const by = 'inspector';
  if (value.type === 'allow') return { type: 'allow', by };
  if (value.type === 'edit' && 'input' in value) return { type: 'edit', input: value.input, by };
  if (value.type !== 'deny') return undefined;
  return { type: 'deny', by, ...(typeof value.reason === 'string' && { reason: value.reason }) };
}
