import type { AgentOutputItem } from '@openai/agents-core';
import { wholeTurn } from '../../provider/whole-turn.ts';
import type { AssistantPart, FinishReason, TurnResponse } from '../../turn/turn.ts';
import { asValue } from '../as-value.ts';
import { isCall, isMessage } from './items.ts';

const format = 'openai-responses';

/** An answer of the SDK in the middle shape. Each part knows the item it stands for; what has no word there is only its place. */
export function turnOfOutput(output: readonly AgentOutputItem[], finish: FinishReason | undefined): TurnResponse {
  return wholeTurn(format, {}, output.flatMap(partsOf), { finish });
}

function partsOf(item: AgentOutputItem, at: number): AssistantPart[] {
  const extra = { format, fields: { at } } as const;
  if (isCall(item)) {
    const { callId, name, arguments: given } = item;
    // What servers that imitate others leave out, the SDK passes on as nothing.
    const value = item.status === 'incomplete' ? asValue(given ?? '') : (given ?? '');
    return [{ type: 'call', id: callId ?? '', name: name ?? '', arguments: value, extra }];
  }
  if (!isMessage(item)) return [{ type: 'opaque', format, value: at }];
  return item.content.flatMap((piece) =>
    piece.type === 'output_text' ? [{ type: 'text', text: piece.text, extra }] : [],
  );
}

/** The place of the item that a part stands for; nothing where the part was found in words. */
export function placeOf(part: AssistantPart): number | undefined {
  const at = 'extra' in part ? part.extra?.fields.at : undefined;
  return typeof at === 'number' ? at : undefined;
}
