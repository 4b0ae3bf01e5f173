import { isObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import type { Message, Part, TurnRequest } from '../../turn/turn.ts';
import { isTexts } from '../is-texts.ts';
import { mustBeObject } from '../must-be.ts';
import type { Address } from '../wire.ts';
import { WireError } from '../wire-error.ts';
import { format, rest } from './pen.ts';
import { readContent } from './read-block.ts';
import { readOutput, readReasoning, readToolChoice } from './settings.ts';
import { readTools } from './tools.ts';

const isNumber = (value: unknown): boolean => typeof value === 'number';

/** Settings that are one value on both sides. */
const plain = [
  ['max_tokens', 'maxTokens', isNumber],
  ['temperature', 'temperature', isNumber],
  ['top_p', 'topP', isNumber],
  ['stop_sequences', 'stop', isTexts],
  ['stream', 'stream', (value: unknown) => typeof value === 'boolean'],
] as const;

/** Reads the body of a request to the Messages API. What no setting took is carried along. */
export function readRequest(wire: unknown, address: Address = {}): TurnRequest {
  const { model = address.model ?? null, messages, ...left } = mustBeObject(wire, '');
  if (typeof model !== 'string') throw new WireError('model', 'must be a string');
  if (!Array.isArray(messages)) throw new WireError('messages', 'must be a list');
  const system = readSystem(left);
  const leading = messages.findIndex((message) => !isObject(message) || message.role !== 'system');
  const said = messages.map((message, index) =>
    readMessage(message, `messages.${index}`, index < leading || leading < 0),
  );
  const settings = { ...readPlain(left), ...readTooling(left), ...readForm(left) };
  return {
    model,
    messages: [...system, ...said],
    ...settings,
    ...(Object.keys(left).length > 0 && { extra: { format, fields: left } }),
  };
}

function readSystem(left: JsonObject): Message[] {
  const { system } = left;
  if (system === undefined || system === null) return [];
  delete left.system;
  return [{ role: 'system', parts: readContent(system, 'system', ['text']) } as Message];
}

const kinds: Readonly<Record<Message['role'], readonly Part['type'][]>> = {
  system: ['text'],
  user: ['text', 'media', 'result'],
  assistant: ['text', 'reasoning', 'call'],
};

/** @param leading no word of a person stands before it, so that it must not be taken for the request's own `system` */
function readMessage(wire: JsonValue, where: string, leading: boolean): Message {
  const body = mustBeObject(wire, where);
  const { role, content } = body;
  if (role !== 'user' && role !== 'assistant' && role !== 'system')
    throw new WireError(`${where}.role`, 'must be user, assistant or system');
  // Content that is empty, or not there where it need not be, is kept as it came.
  const empty = Array.isArray(content) ? content.length === 0 : content === undefined && role === 'system';
  return {
    role,
    parts: empty ? [] : readContent(content, `${where}.content`, kinds[role]),
    ...((leading || empty) && { extra: { format, fields: {} } }),
    ...rest(body, empty ? ['role'] : ['role', 'content']),
  } as Message;
}

function readPlain(left: JsonObject): Partial<TurnRequest> {
  const read: Record<string, JsonValue> = {};
  for (const [key, field, fits] of plain) {
    const value = left[key];
    if (value === undefined || !fits(value)) continue;
    read[field] = value;
    delete left[key];
  }
  return read;
}

function readTooling(left: JsonObject): Partial<TurnRequest> {
  const { tools, tool_choice: choice } = left;
  const read = isObject(choice) ? readToolChoice(choice) : undefined;
  if (read) keepRest(left, 'tool_choice', read.left, Object.keys(read.fields).length > 0);
  if (tools === undefined || tools === null) return { ...read?.fields };
  delete left.tools;
  return { tools: readTools(tools), ...read?.fields };
}

/** Thinking, effort, and the form of the answer: the last two share an object. */
function readForm(left: JsonObject): Partial<TurnRequest> {
  const { thinking, output_config: config, output_format: older } = left;
  const { effort, format: form, ...others } = isObject(config) ? config : {};
  const word = typeof effort === 'string' ? effort : undefined;
  const output = readOutput(form);
  if (isObject(config)) {
    const unread = {
      ...(effort !== undefined && !word && { effort }),
      ...(form !== undefined && !output && { format: form }),
    };
    keepRest(left, 'output_config', { ...others, ...unread }, word !== undefined || output !== undefined);
  }
  const reasoning = readReasoning(isObject(thinking) ? thinking : undefined, word);
  if (isObject(thinking)) delete left.thinking;
  // The older place stays among the extras, which says that the form is to be written there.
  const wanted = output ?? readOutput(older);
  return { ...(reasoning && { reasoning }), ...(wanted && { output: wanted }) };
}

/** What is left of an object of settings stays behind; an object that held nothing stays too. */
function keepRest(left: JsonObject, key: string, others: JsonObject, taken: boolean): void {
  if (taken && Object.keys(others).length === 0) delete left[key];
  else left[key] = others;
}
