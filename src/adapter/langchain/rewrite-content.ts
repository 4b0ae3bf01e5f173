import type { AIMessage } from '@langchain/core/messages';
import type { ToolCall } from '@langchain/core/messages/tool';
import { equal, isObject } from '../../json/value.ts';
import type { ModelMessage } from './message-fields.ts';

/** Where a block keeps a call's arguments; each is text or a value, and stays what it is. */
const argumentKeys = ['args', 'input', 'arguments'];

/**
 * The rest of a message with the calls as they are now wherever a provider's package wrote them down again, since that is
 * what some of them send back to the model.
 */
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
  // What is no call any more must not reach the model as one either: no result will answer it.
  const kept = list((raw ?? []).filter(({ id }) => byId.has(id)));
  return {
    content: typeof content === 'string' ? content : list(content),
    additional_kwargs: raw ? { ...others, ...(kept.length > 0 && { tool_calls: kept }) } : more,
    response_metadata: outputOf(meta, calls, list),
  };
}

/** The answer as one wire had it, which is what goes back to the model there: it must hold every call, or none counts. */
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

/** What a text of JSON says; text that is none says nothing. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What a message is made of beside its calls. */
type Rest = Pick<AIMessage, 'content' | 'additional_kwargs' | 'response_metadata'>;

/** The rest of a message, without the calls that stood in its words. A thought that stood there too is kept where thoughts are. */
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
  // All that is left of the words stands where the first of them stood.
  let left = text;
  const blocks = content.flatMap((block) => {
    if (block.type !== 'text') return [block];
    const said = left;
    left = '';
    return said === '' ? [] : [{ ...block, text: said }];
  });
  return { ...rest, content: blocks };
}
