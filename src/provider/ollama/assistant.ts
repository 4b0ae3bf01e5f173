import type { JsonObject, JsonValue } from '../../json/value.ts';
import type { AssistantMessage, AssistantPart } from '../../turn/turn.ts';
import { mustBeList, mustBeText } from '../must-be.ts';
import { rest } from '../rest.ts';
import type { Warning } from '../wire.ts';
import { readCall, writeCall } from './call.ts';
import { carried, own } from './carried.ts';
import { readImages, writeImages } from './images.ts';

const known = ['role', 'content', 'thinking', 'tool_calls', 'images'];

/** What the model said: the wire has one thought, one text and calls, in this order. */
export function readAssistant(wire: JsonObject, where: string): AssistantMessage {
  const thinking = mustBeText(wire.thinking, `${where}.thinking`);
  const text = mustBeText(wire.content, `${where}.content`);
  const calls = mustBeList(wire.tool_calls, `${where}.tool_calls`);
  const parts: AssistantPart[] = [
    ...(thinking === '' ? [] : [{ type: 'reasoning' as const, text: thinking }]),
    ...(text === '' ? [] : [{ type: 'text' as const, text }]),
    ...readImages(wire.images, where),
    ...calls.map((call, index) => readCall(call, `${where}.tool_calls.${index}`)),
  ];
  return { role: 'assistant', parts, ...carried({ ...rest(wire, known), ...emptied(wire) }) };
}

/** Fields that are there and say nothing, and the one that should be there and is not. */
export function emptied(wire: JsonObject): JsonObject {
  const fields: JsonObject = {};
  if (wire.content === undefined || wire.content === null) fields.content = null;
  if (wire.thinking === '') fields.thinking = '';
  for (const key of ['tool_calls', 'images']) {
    const list = wire[key];
    if (Array.isArray(list) && list.length === 0) fields[key] = list;
  }
  return fields;
}

/** The same for the wire; thoughts and texts that stood apart are put together. */
export function writeAssistant(message: AssistantMessage, where: string, losses: Warning[]): JsonObject {
  const thoughts: string[] = [];
  const texts: string[] = [];
  const calls: JsonValue[] = [];
  for (const [index, part] of message.parts.entries()) {
    const at = `${where}.parts.${index}`;
    if (part.type === 'reasoning' && !part.hidden) thoughts.push(part.text);
    if (part.type === 'refusal') losses.push({ where: at, what: 'A refusal was written as plain text' });
    if (part.type === 'text' || part.type === 'refusal') texts.push(part.text);
    if (part.type !== 'call') continue;
    const { wire, what } = writeCall(part);
    if (what !== undefined) losses.push({ where: `${at}.arguments`, what });
    calls.push(wire);
  }
  const { content, ...left } = own(message) ?? {};
  return {
    role: 'assistant',
    ...((content !== null || texts.length > 0) && { content: texts.join('\n') }),
    ...left,
    ...(thoughts.length > 0 && { thinking: thoughts.join('\n') }),
    ...writeImages(message.parts, `${where}.parts`, losses),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
}
