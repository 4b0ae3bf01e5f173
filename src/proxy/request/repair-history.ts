import { type ContextMessage, contextOf } from '../../dialect/echo/context.ts';
import type { Splice } from '../../json/spans.ts';
import { isObject, type JsonValue, type Path } from '../../json/value.ts';
import type { Format } from '../../model/index.ts';
import { repairArguments, repairNote } from '../../provider/compat/repair-arguments.ts';
import { spliceBody } from './edit-body.ts';
import type { TurnExchange } from './exchange.ts';

/** A call in the history, with the path of its arguments. */
interface PastCall {
  readonly path: Path;
  readonly name: JsonValue | undefined;
  readonly given: JsonValue | undefined;
}

/** The repaired body, and the changes. */
interface SoundHistory {
  readonly body: Buffer;
  readonly changes: readonly string[];
}

/**
 * Mends the arguments of past calls that aren't a JSON object, or replaces them with `{}`. Otherwise servers would
 * reject every further request of the conversation. The rest of the body stays unchanged.
 */
export function repairHistory(format: Format, value: JsonValue, body: Buffer): SoundHistory {
  const splices: Splice[] = [];
  const changes: string[] = [];
  const asText = format === 'openai-chat' || format === 'openai-responses';
  for (const { path, name, given } of pastCalls[format](value)) {
    // Some servers accept objects instead of text.
    if (given === undefined || isObject(given)) continue;
    const { arguments: sound, kind } = repairArguments(String(name ?? ''), given);
    if (kind === 'kept' && asText) continue;
    const written = typeof sound === 'string' ? sound : JSON.stringify(sound);
    splices.push({ path, json: asText ? JSON.stringify(written) : written });
    changes.push(`${path.join('.')}: ${repairNote[kind === 'dropped' ? 'dropped' : 'mended']}`);
  }
  return { body: splices.length > 0 ? spliceBody(body, splices) : body, changes };
}

/** Where each API format has the calls of its history. */
const pastCalls: Readonly<Record<Format, (value: JsonValue) => PastCall[]>> = {
  'openai-chat': chatCalls,
  'openai-responses': (value) =>
    listIn(value, 'input').flatMap((item, at) =>
      isObject(item) && item.type === 'function_call'
        ? [{ path: ['input', at, 'arguments'], name: item.name, given: item.arguments }]
        : [],
    ),
  anthropic: (value) =>
    listIn(value, 'messages').flatMap((message, at) =>
      listIn(message, 'content').flatMap((block, place) =>
        isObject(block) && block.type === 'tool_use'
          ? [{ path: ['messages', at, 'content', place, 'input'], name: block.name, given: block.input }]
          : [],
      ),
    ),
  gemini: (value) =>
    listIn(value, 'contents').flatMap((content, at) =>
      listIn(content, 'parts').flatMap((part, place) => {
        const call = isObject(part) ? part.functionCall : undefined;
        const path = ['contents', at, 'parts', place, 'functionCall', 'args'];
        return isObject(call) ? [{ path, name: call.name, given: call.args }] : [];
      }),
    ),
  ollama: chatCalls,
};

function chatCalls(value: JsonValue): PastCall[] {
  return listIn(value, 'messages').flatMap((message, at) =>
    listIn(message, 'tool_calls').flatMap((call, place) => {
      const made = isObject(call) ? call.function : undefined;
      const path = ['messages', at, 'tool_calls', place, 'function', 'arguments'];
      return isObject(made) ? [{ path, name: made.name, given: made.arguments }] : [];
    }),
  );
}

const none: readonly JsonValue[] = [];

/** A list in an object; empty if there is none. */
function listIn(value: JsonValue, key: string): readonly JsonValue[] {
  const list = isObject(value) ? value[key] : undefined;
  return Array.isArray(list) ? list : none;
}

/** The conversation of a request, read on first use. */
export const beforeOf =
  ({ question }: TurnExchange): (() => readonly ContextMessage[]) =>
  () =>
    contextOf(question().messages);
