import { isObject, type JsonObject } from '../../json/value.ts';
import type { Message, TurnRequest } from '../../turn/turn.ts';
import { present } from '../carry.ts';
import { mustBeObject } from '../must-be.ts';
import { rest } from '../rest.ts';
import type { Address } from '../wire.ts';
import { expectText } from './expect.ts';
import { passthrough } from './format.ts';
import { readOutputForm } from './output-form.ts';
import { readMessages } from './read-messages.ts';
import { readReasoningSetting } from './reasoning-setting.ts';
import { readToolChoice, readTools } from './tools.ts';

/** Reads a request's body. */
export function readRequest(wire: unknown, address: Address = {}): TurnRequest {
  const body = mustBeObject(wire, '');
  const { instructions, text } = body;
  const system: Message[] =
    typeof instructions === 'string' ? [{ role: 'system', parts: [{ type: 'text', text: instructions }] }] : [];
  const said = readMessages(body.input, 'input');
  const settings = present(readSettings(body) as JsonObject);
  const output = isObject(text) ? readOutputForm(text.format) : undefined;
  const reasoning = readReasoningSetting(body.reasoning);
  const read: TurnRequest = {
    model: body.model === undefined ? expectText(address.model ?? '', 'model') : expectText(body.model, 'model'),
    messages: [...system, ...said],
    ...(Array.isArray(body.tools) && { tools: readTools(body.tools) }),
    ...(output && { output }),
    ...(reasoning && { reasoning }),
    ...settings,
  };
  return { ...read, ...leftOver(body, read, said.length > 0 || typeof body.input === 'string') };
}

/** Fields that are the same in the middle shape but for their names. */
const plain = [
  ['parallel_tool_calls', 'parallelCalls', 'boolean'],
  ['max_output_tokens', 'maxTokens', 'number'],
  ['temperature', 'temperature', 'number'],
  ['top_p', 'topP', 'number'],
  ['stream', 'stream', 'boolean'],
] as const;

function readSettings(body: JsonObject): Record<string, unknown> {
  const settings: Record<string, unknown> = {};
  for (const [wire, name, type] of plain) {
    const value = body[wire];
    if (typeof value === type) settings[name] = value;
  }
  settings.toolChoice = readToolChoice(body.tool_choice);
  return settings;
}

/** What no field of the middle shape took. */
function leftOver(body: JsonObject, read: TurnRequest, said: boolean): Pick<TurnRequest, 'extra'> {
  const known = ['model'];
  for (const [wire, name] of plain) if (read[name] !== undefined) known.push(wire);
  if (typeof body.instructions === 'string') known.push('instructions');
  if (said) known.push('input');
  if (read.tools) known.push('tools');
  if (read.toolChoice !== undefined) known.push('tool_choice');
  if (read.reasoning) known.push('reasoning');
  const left = rest(body, known);
  if (read.output && isObject(left.text)) {
    const text = rest(left.text, ['format']);
    if (Object.keys(text).length > 0) left.text = text;
    else delete left.text;
  }
  return Object.keys(left).length > 0 ? passthrough(left) : {};
}
