import type { AssistantPart, Format, TurnResponse } from '../turn/turn.ts';
import { TurnAssembly, type TurnEnd } from './turn-assembly.ts';

/** An answer that came in one piece, by the same rules as one that came in many: ids are made, nameless calls dropped. */
export function wholeTurn(
  format: Format,
  start: { id?: string; model?: string },
  parts: readonly AssistantPart[],
  end: TurnEnd,
): TurnResponse {
  let response: TurnResponse = { message: { role: 'assistant', parts: [] }, finish: 'stop' };
  const assembly = new TurnAssembly(format, (event) => {
    if (event.type === 'turn.finished') response = event.response;
  });
  assembly.start(start);
  for (const part of parts) assembly.add(part);
  assembly.finish(end);
  return response;
}
