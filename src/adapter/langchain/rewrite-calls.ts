import type { ToolCall } from '@langchain/core/messages/tool';
import { isObject } from '../../json/value.ts';
import type { Rest } from './rewrite-words.ts';

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
    response_metadata: Array.isArray(meta.output) ? { ...meta, output: list(meta.output) } : meta,
  };
}

function rewritten(item: object, { name, args }: ToolCall): object {
  const fields = item as Record<string, unknown>;
  if (isObject(fields.function)) return { ...fields, function: rewritten(fields.function, { name, args }) };
  const out: Record<string, unknown> = { ...fields };
  if (typeof out.name === 'string') out.name = name;
  for (const key of argumentKeys) {
    if (key in out) out[key] = typeof out[key] === 'string' ? JSON.stringify(args) : args;
  }
  return out;
}
