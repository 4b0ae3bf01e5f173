import { isObject, type JsonObject } from '../../json/value.ts';
import type { TurnRequest } from '../../turn/turn.ts';
import { layOver, present } from '../carry.ts';
import { foreignFieldWarnings } from '../foreign-losses.ts';
import type { Written } from '../wire.ts';
import { format, ownFields } from './format.ts';
import { writeOutputForm } from './output-form.ts';
import { writeReasoningSetting } from './reasoning-setting.ts';
import { writeToolChoice, writeTools } from './tools.ts';
import { writeMessages } from './write-messages.ts';

/** Writes a request's body. */
export function writeRequest(request: TurnRequest): Written {
  const losses = foreignFieldWarnings(format, request);
  const { model, tools, toolChoice, parallelCalls, output, reasoning, maxTokens, temperature, topP, stream } = request;
  if (request.stop) losses.push({ where: 'stop', what: 'This wire has no stop sequences' });
  const said = writeMessages(request.messages, losses);
  const text = ownFields(request)?.text;
  const settings = present({
    model,
    tools: tools && writeTools(tools),
    tool_choice: toolChoice === undefined ? undefined : writeToolChoice(toolChoice),
    parallel_tool_calls: parallelCalls,
    reasoning: reasoning && writeReasoningSetting(reasoning, losses),
    max_output_tokens: maxTokens,
    temperature,
    top_p: topP,
    stream,
  });
  const shape: JsonObject = output
    ? { text: { ...(isObject(text) ? text : {}), format: writeOutputForm(output) } }
    : {};
  return { wire: { ...layOver(format, settings, request), ...shape, ...said }, losses };
}
