import type { Policy } from '../tool/policy.ts';
import type { Toolbox } from '../tool/toolbox.ts';
import type { AssistantPart, TurnResponse } from '../turn/turn.ts';
import type { Before } from './mend-repeated.ts';
import { type JudgedCall, mendCall } from './mended-call.ts';

/** An answer with its calls mended. */
export interface MendedParts {
  readonly response: TurnResponse;
  /** Something in it is other than it came. */
  readonly changed: boolean;
  readonly calls: readonly JudgedCall[];
}

/** How the calls of an answer are judged. */
export interface MendPartsOptions {
  readonly toolbox: Toolbox;
  readonly policy?: Policy | undefined;
  /** Change nothing, and only report. */
  readonly live?: boolean;
  /** The conversation before the answer. */
  readonly before?: Before | undefined;
}

/** Mends the calls of a whole answer. */
export function mendParts(
  response: TurnResponse,
  { toolbox, policy, live = false, before }: MendPartsOptions,
): MendedParts {
  const calls: JudgedCall[] = [];
  const last = response.message.parts.findLastIndex(({ type }) => type === 'call');
  const parts = response.message.parts.map((part, index): AssistantPart => {
    if (part.type !== 'call') return part;
    const judged = mendCall(part, toolbox, policy, index === last ? response.finish : undefined, before);
    calls.push(judged);
    return live ? part : judged.part;
  });
  const changed = !live && calls.some((call) => call.changed);
  return { response: changed ? { ...response, message: { ...response.message, parts } } : response, changed, calls };
}
