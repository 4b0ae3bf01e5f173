import type { JudgedCall } from '../call/mended-call.ts';
import { readArguments } from '../call/read-arguments.ts';
import { defaultLimits } from '../json/limits.ts';

/** Whether a call's arguments could not be read: then nobody can say what was called, and no check of a tool's own finds it. */
export function isUnread({ outcome: { status, raw, tool } }: JudgedCall): boolean {
  if (status !== 'invalid') return false;
  return (raw.found ?? []).length > 0 || readArguments(raw, tool?.schema.json, defaultLimits).problems.length > 0;
}
