import { isObject } from '../json/value.ts';
import type { AssistantPart, Format, TurnResponse } from '../turn/turn.ts';
import { isEmpty } from './rest.ts';
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
  const { finish } = end;
  for (const [at, part] of parts.entries())
    assembly.add(finish === 'length' && at === parts.length - 1 ? cutOff(part) : part);
  assembly.finish(end);
  return response;
}

/** Wires that carry values have an empty object for a call that was cut off before its first field: nothing came of it. */
const cutOff = (part: AssistantPart): AssistantPart =>
  part.type === 'call' && isObject(part.arguments) && isEmpty(part.arguments) ? { ...part, arguments: '' } : part;
