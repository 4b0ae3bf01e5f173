import { isObject, type JsonObject, type JsonValue } from '../../src/json/value.ts';
import type { Format } from '../../src/model/index.ts';

/** What a service answers 400 to in the order and the content of a conversation, by its documentation; empty where it takes it. */
export const refusals: Partial<Record<Format, (wire: JsonObject) => string[]>> = {
  'openai-chat': chat,
  'openai-responses': responses,
  anthropic,
  gemini,
};

const list = (value: JsonValue | undefined): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);
const of = (blocks: readonly JsonObject[], type: string): JsonObject[] => blocks.filter((block) => block.type === type);
const ids = (blocks: readonly JsonObject[], key: string): string[] => blocks.map((block) => String(block[key]));
const sameIds = (one: readonly string[], other: readonly string[]): boolean =>
  [...one].sort().join('|') === [...other].sort().join('|');

function chat({ messages, tools, tool_choice: choice }: JsonObject): string[] {
  const found: string[] = choice !== undefined && list(tools).length === 0 ? ['a choice without tools'] : [];
  let open: string[] = [];
  for (const message of list(messages)) {
    if (message.role === 'tool') {
      if (!open.includes(String(message.tool_call_id))) found.push(`tool ${message.tool_call_id} without its call`);
      open = open.filter((id) => id !== message.tool_call_id);
      continue;
    }
    if (open.length > 0) found.push(`calls ${open} without results`);
    open = ids(list(message.tool_calls), 'id');
    const said = message.content ?? message.refusal ?? message.reasoning_content ?? message.function_call;
    if (message.role === 'assistant' && open.length === 0 && said === undefined) found.push('an answer of null');
    if (Array.isArray(message.content) && message.content.length === 0) found.push('an empty list');
  }
  return open.length > 0 ? [...found, `calls ${open} without results`] : found;
}

function responses({ input, tools, tool_choice: choice }: JsonObject): string[] {
  const calls = ids(of(list(input), 'function_call'), 'call_id');
  const outputs = of(list(input), 'function_call_output');
  const empty = list(input).some(({ content, output }) => [content, output].some((one) => isEmptyList(one)));
  return [
    ...(choice !== undefined && list(tools).length === 0 ? ['a choice without tools'] : []),
    ...(sameIds(calls, ids(outputs, 'call_id')) ? [] : [`calls ${calls}, results ${ids(outputs, 'call_id')}`]),
    ...(empty ? ['an empty list'] : []),
  ];
}

const isEmptyList = (value: JsonValue | undefined): boolean => Array.isArray(value) && value.length === 0;

function anthropic(wire: JsonObject): string[] {
  const found: string[] = [];
  const turns = combined(list(wire.messages), 'content');
  const texts = [...turns.flatMap(({ parts }) => parts), ...list(wire.system)].filter(({ type }) => type === 'text');
  if (texts.some(({ text }) => String(text).trim() === '')) found.push('a text that says nothing');
  for (const [at, { role, parts }] of turns.entries()) {
    if (parts.length === 0) found.push('a message of nothing');
    const results = of(parts, 'tool_result');
    const calls = at > 0 ? of(turns[at - 1]?.parts ?? [], 'tool_use') : [];
    if (role === 'user' && !sameIds(ids(calls, 'id'), ids(results, 'tool_use_id')))
      found.push('calls and results differ');
    if (role === 'user' && parts.slice(0, results.length).some(({ type }) => type !== 'tool_result'))
      found.push('words before results');
    if (role === 'assistant' && at === turns.length - 1 && of(parts, 'tool_use').length > 0)
      found.push('calls at the end');
  }
  const thinking = isObject(wire.thinking) && wire.thinking.type !== 'disabled';
  const choice = isObject(wire.tool_choice) ? wire.tool_choice.type : undefined;
  if (thinking && (choice === 'any' || choice === 'tool')) found.push('thinking before a call that must be');
  if (thinking && (wire.temperature ?? 1) !== 1) found.push('a temperature for one that thinks');
  if (choice !== undefined && list(wire.tools).length === 0) found.push('a choice without tools');
  return found;
}

/** Messages of one role that follow each other are one turn; instructions in between are nobody's. */
function combined(messages: readonly JsonObject[], field: string): { role: unknown; parts: JsonObject[] }[] {
  const turns: { role: unknown; parts: JsonObject[] }[] = [];
  for (const message of messages) {
    const content = message[field];
    const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : list(content);
    const last = turns.at(-1);
    if (message.role === 'system') continue;
    if (last && last.role === message.role) last.parts.push(...parts);
    else turns.push({ role: message.role, parts: [...parts] });
  }
  return turns;
}

function gemini({ contents }: JsonObject): string[] {
  const found: string[] = [];
  const all = list(contents);
  for (const [at, { parts }] of all.entries()) {
    const here = list(parts);
    if (here.length === 0) found.push('a message of nothing');
    if (here.some((part) => part.text === '' && part.thoughtSignature === undefined))
      found.push('a text that says nothing');
    const calls = here.filter(({ functionCall }) => functionCall);
    if (calls.length === 0) continue;
    const answers = list(all[at + 1]?.parts).filter(({ functionResponse }) => functionResponse);
    if (answers.length !== calls.length) found.push(`${calls.length} calls, ${answers.length} results`);
    if (all[at - 1]?.role === 'model') found.push('a call that follows no user');
  }
  return found;
}
