import type { AIMessage } from '@langchain/core/messages';
import type { ToolCall } from '@langchain/core/messages/tool';
import { equal, isObject } from '../../json/value.ts';
import type { ModelMessage } from './message-fields.ts';

/** Where a block stores a call's arguments: text or a value, whichever it was. */
const argumentKeys = ['args', 'input', 'arguments'];

/** Updates the calls in all copies that a provider package keeps, because some of them are sent back to the model. */
export function rewriteCalls(rest: Rest, calls: readonly ToolCall[], gone: ReadonlySet<string>): Rest {
  const byId = new Map(calls.map((call) => [call.id ?? '', call]));
  const list = <T>(items: T[]): T[] =>
    items.flatMap((item) => {
      const id = isObject(item) ? (item.call_id ?? item.id) : undefined;
      if (typeof id !== 'string' || !isObject(item)) return [item];
      if (gone.has(id)) return [];
      const call = byId.get(id);
      return [call ? (rewritten(item, call) as T) : item];
    });
  const { content, additional_kwargs: more, response_metadata: meta } = rest;
  const { tool_calls: raw, ...others } = more;
  // A removed call must not reach the model, because it has no result.
  const kept = list((raw ?? []).filter(({ id }) => byId.has(id)));
  return {
    content: typeof content === 'string' ? content : list(content),
    additional_kwargs: raw ? { ...others, ...(kept.length > 0 && { tool_calls: kept }) } : more,
    response_metadata: outputOf(meta, calls, list),
  };
}

/**
 * The provider's own copy of the response, which is sent back to the model. It must contain all calls, or is dropped.
 */
function outputOf(
  { output, ...meta }: Rest['response_metadata'],
  calls: readonly ToolCall[],
  list: (items: unknown[]) => unknown[],
): Rest['response_metadata'] {
  if (!Array.isArray(output)) return output === undefined ? meta : { output, ...meta };
  const known = new Set(output.filter(isObject).map((item) => item.call_id ?? item.id));
  return calls.every(({ id }) => known.has(id)) ? { ...meta, output: list(output) } : meta;
}

function rewritten(item: object, { name, args }: ToolCall): object {
  const fields = item as Record<string, unknown>;
  if (isObject(fields.function)) return { ...fields, function: rewritten(fields.function, { name, args }) };
  const out: Record<string, unknown> = { ...fields };
  if (typeof out.name === 'string') out.name = name;
  for (const key of argumentKeys) {
    const held = out[key];
    if (key in out && !equal(typeof held === 'string' ? parsed(held) : held, args))
      out[key] = typeof held === 'string' ? JSON.stringify(args) : args;
  }
  return out;
}

/** Parses JSON; undefined if it is invalid. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The fields of a message except its calls. */
type Rest = Pick<AIMessage, 'content' | 'additional_kwargs' | 'response_metadata'>;

/** The fields of a message without the calls in its text. Reasoning in the text moves to the reasoning field. */
export function rewriteText(
  { content, additional_kwargs, response_metadata }: ModelMessage,
  before: readonly string[],
  words: readonly string[],
  thoughts: readonly string[],
): Rest {
  const kept = thoughts.length === 0 ? {} : { reasoning_content: thoughts.join('\n') };
  const rest = { content, additional_kwargs: { ...kept, ...additional_kwargs }, response_metadata };
  const text = words.join('');
  if (text === before.join('') && thoughts.length === 0) return rest;
  if (typeof content === 'string') return { ...rest, content: text };
  // The remaining text replaces the first text block.
  let left = text;
  const blocks = content.flatMap((block) => {
    if (block.type !== 'text') return [block];
    const said = left;
    left = '';
    return said === '' ? [] : [{ ...block, text: said }];
  });
  return { ...rest, content: blocks };
}
