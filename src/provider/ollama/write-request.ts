import { isObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import type { TurnRequest } from '../../turn/turn.ts';
import { foreignFieldWarnings } from '../foreign-losses.ts';
import { isEmpty } from '../rest.ts';
import { unsayable } from '../unsayable.ts';
import type { Warning, Written } from '../wire.ts';
import { own } from './carried.ts';
import { writeOptions } from './options.ts';
import { writeTools } from './tools.ts';
import { writeMessages } from './write-messages.ts';

/** A request for the wire. */
export function writeRequest(request: TurnRequest): Written {
  const losses: Warning[] = [...foreignFieldWarnings('ollama', request), ...unsayable(request), ...unknown(request)];
  const { options: before, stream: unsaid, ...left } = own(request) ?? {};
  const options = { ...writeOptions(request), ...(isObject(before) && before) };
  const { output, reasoning, tools, stream = false } = request;
  const wire: JsonObject = {
    model: request.model,
    messages: writeMessages(request.messages, losses),
    ...(tools && { tools: writeTools(tools) }),
    ...(output && { format: output.type === 'json' ? 'json' : (output.schema as JsonValue) }),
    ...((!isEmpty(options) || before !== undefined) && { options }),
    ...(reasoning && { think: reasoning.enabled ? (reasoning.effort ?? true) : false }),
    ...(!(stream && unsaid === null) && { stream }),
    ...left,
  };
  return { wire, losses };
}

function unknown({ toolChoice, reasoning }: TurnRequest): Warning[] {
  const losses: Warning[] = [];
  if (toolChoice !== undefined && toolChoice !== 'auto') {
    losses.push({ where: 'toolChoice', what: 'The model can neither be made nor forbidden to call' });
  }
  if (reasoning?.budget !== undefined) {
    losses.push({ where: 'reasoning.budget', what: 'Thinking is not counted in tokens here' });
  }
  return losses;
}
