import { callParts } from '../../dialect/call/call-part.ts';
import { contextOf } from '../../dialect/echo/context.ts';
import { readCalls } from '../../dialect/read-calls.ts';
import { makeId } from '../../mend/make-id.ts';
import type { AssistantPart, ModelRequest, TurnError, TurnResponse } from '../../model/index.ts';
import { toolFromSpec } from '../../tools/tool.ts';
import { Toolbox } from '../../tools/toolbox.ts';
import { rawCallText } from '../wire/unparsed-call.ts';

/**
 * Builds a response from an error in which the server quotes model output that it couldn't parse. The calls are read
 * from that text. If it has none and there is only one tool, the text is read as its arguments unless it starts with a
 * tag.
 *
 * @param allows whether a tool may be called
 * @returns undefined if the text contains no call
 */
export function rescueCall(
  error: TurnError | TurnResponse,
  { tools = [], toolChoice, messages }: ModelRequest,
  allows: (name: string) => boolean = () => true,
): TurnResponse | undefined {
  const text = rawCallText(error);
  if (text === undefined || toolChoice === 'none') return undefined;
  const offered = tools.filter((one) => one.type === 'function');
  const toolbox = new Toolbox(offered.map(toolFromSpec), { validate: false });
  const calls = readCalls(text, toolbox, { prompted: true, context: () => contextOf(messages) }).calls.filter(
    ({ name }) => toolbox.has(name),
  );
  if (!calls.every(({ name }) => allows(name))) return undefined;
  if (calls.length > 0) return answerOf(callParts(calls));
  if (/^\s*</.test(text)) return undefined;
  const name = typeof toolChoice === 'object' ? toolChoice.tool : offered.length === 1 ? offered[0]?.name : undefined;
  return name === undefined ? undefined : answerOf([{ type: 'call', id: makeId(), name, arguments: text }]);
}

const answerOf = (parts: AssistantPart[]): TurnResponse => ({
  message: { role: 'assistant', parts },
  finish: 'tool_calls',
});
