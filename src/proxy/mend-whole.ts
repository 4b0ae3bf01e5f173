import type { JsonObject } from '../json/value.ts';
import type { Loss, Provider } from '../provider/wire.ts';
import type { Policy } from '../tool/policy.ts';
import type { Toolbox } from '../tool/toolbox.ts';
import type { AssistantPart, TurnResponse } from '../turn/turn.ts';
import { type JudgedCall, judgeCall } from './mended-call.ts';

/** An answer with its calls mended. */
export interface MendedWhole {
  /** The body to send; absent where nothing was changed. */
  readonly wire?: JsonObject;
  readonly calls: readonly JudgedCall[];
  readonly losses: readonly Loss[];
}

/** Mends the calls of a whole answer and writes it as the client reads it. */
export function mendWhole(
  response: TurnResponse,
  client: Provider,
  { toolbox, policy, live = false }: { toolbox: Toolbox; policy?: Policy | undefined; live?: boolean },
): MendedWhole {
  const calls: JudgedCall[] = [];
  const last = response.message.parts.findLastIndex(({ type }) => type === 'call');
  const parts = response.message.parts.map((part, index): AssistantPart => {
    if (part.type !== 'call') return part;
    const judged = judgeCall(part, toolbox, policy, index === last ? response.finish : undefined);
    calls.push(judged);
    return live ? part : judged.part;
  });
  if (live || !calls.some(({ changed }) => changed)) return { calls, losses: [] };
  return { calls, ...client.writeResponse({ ...response, message: { ...response.message, parts } }) };
}
