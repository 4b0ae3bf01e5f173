import { isObject, type JsonValue, type Path } from '../json/value.ts';
import { soundArguments, soundWords } from '../provider/fit/sound-arguments.ts';
import type { Format } from '../turn/turn.ts';
import { type Splice, spliceJson } from './splice-json.ts';

/** A call in the history of a request: where its arguments stand, and what they are. */
interface PastCall {
  readonly path: Path;
  readonly name: JsonValue | undefined;
  readonly given: JsonValue | undefined;
}

/** A body whose history every server can read, and what was changed for that. */
export interface SoundHistory {
  readonly body: Buffer;
  readonly changes: readonly string[];
}

/**
 * A request's body, with the arguments of past calls that are no JSON object mended or, where that can't be, empty: one bad
 * call in the history would make servers refuse every request from then on. Nothing else in it changes.
 */
export function soundHistory(format: Format, value: JsonValue, body: Buffer): SoundHistory {
  const splices: Splice[] = [];
  const changes: string[] = [];
  const asText = format === 'openai-chat' || format === 'openai-responses';
  for (const { path, name, given } of pastCalls[format](value)) {
    // Some servers take objects where text should stand.
    if (given === undefined || isObject(given)) continue;
    const { arguments: sound, kind } = soundArguments(String(name ?? ''), given);
    if (kind === 'kept' && asText) continue;
    const written = typeof sound === 'string' ? sound : JSON.stringify(sound);
    splices.push({ path, json: asText ? JSON.stringify(written) : written });
    changes.push(`${path.join('.')}: ${soundWords[kind === 'dropped' ? 'dropped' : 'mended']}`);
  }
  return { body: splices.length > 0 ? spliceJson(body, splices) : body, changes };
}

/** Where each wire keeps the calls of its history. */
const pastCalls: Readonly<Record<Format, (value: JsonValue) => PastCall[]>> = {
  'openai-chat': chatCalls,
  'openai-responses': (value) =>
    items(value, ['input']).flatMap(([path, item]) =>
      isObject(item) && item.type === 'function_call'
        ? [{ path: [...path, 'arguments'], name: item.name, given: item.arguments }]
        : [],
    ),
  anthropic: (value) =>
    items(value, ['messages']).flatMap(([path]) =>
      items(value, [...path, 'content']).flatMap(([inner, block]) =>
        isObject(block) && block.type === 'tool_use'
          ? [{ path: [...inner, 'input'], name: block.name, given: block.input }]
          : [],
      ),
    ),
  gemini: (value) =>
    items(value, ['contents']).flatMap(([path]) =>
      items(value, [...path, 'parts']).flatMap(([inner, part]) => {
        const call = isObject(part) ? part.functionCall : undefined;
        return isObject(call) ? [{ path: [...inner, 'functionCall', 'args'], name: call.name, given: call.args }] : [];
      }),
    ),
  ollama: chatCalls,
};

function chatCalls(value: JsonValue): PastCall[] {
  return items(value, ['messages']).flatMap(([path]) =>
    items(value, [...path, 'tool_calls']).flatMap(([inner, call]) => {
      const made = isObject(call) ? call.function : undefined;
      return isObject(made)
        ? [{ path: [...inner, 'function', 'arguments'], name: made.name, given: made.arguments }]
        : [];
    }),
  );
}

/** The items of a list in a value, each with its own path; none where there is no list. */
function items(value: JsonValue, path: Path): [Path, JsonValue][] {
  let at: JsonValue | undefined = value;
  for (const key of path) at = Array.isArray(at) ? at[key as number] : isObject(at) ? at[key as string] : undefined;
  return Array.isArray(at) ? at.map((item, index) => [[...path, index], item]) : [];
}
