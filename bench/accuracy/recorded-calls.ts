import type { WrittenCall } from './contestant.ts';

/** A recorded response: native calls, or text. */
export type RecordedResult = string | readonly (string | Readonly<Record<string, unknown>>)[];

/** The API formats allow no dots in a name, so the tools were exposed without them. */
export const shownAs = (name: string): string => name.replaceAll('.', '_');

const written = (name: unknown, given: unknown): WrittenCall => ({
  name: shownAs(String(name)),
  arguments: typeof given === 'string' ? given : JSON.stringify(given),
});

/** Tags and fences that models put around a JSON call. */
const around = /<\/?\w+>|```(?:json)?/;
const nameFirst = /^\{\s*"name":\s*"([^"]*)",\s*"(?:arguments|parameters)":\s*(\{.*\})\s*\}$/s;
const nameLast = /^\{\s*"arguments":\s*(\{.*\}),\s*"name":\s*"([^"]*)"\s*\}$/s;

/**
 * The calls of an answer, each with its arguments as they were written; undefined where it holds none. No reader that takes
 * part finds them: tags and fences are cut off, and an envelope that is no JSON is matched as text.
 */
export function recordedCalls(result: RecordedResult): readonly WrittenCall[] | undefined {
  const calls =
    typeof result === 'string'
      ? result.split(around).map((piece) => inText(piece.trim()))
      : result.map((part) =>
          typeof part === 'string' ? [] : Object.entries(part).map(([name, given]) => written(name, given)),
        );
  // If there is other text next to a call, it is unclear which of them the model meant.
  return calls.some((some) => some === undefined) || calls.flat().length === 0
    ? undefined
    : (calls.flat() as WrittenCall[]);
}

function inText(piece: string): readonly WrittenCall[] | undefined {
  if (piece === '') return [];
  const [, first, itsArguments] = nameFirst.exec(piece) ?? [];
  const [, lastArguments, last] = nameLast.exec(piece) ?? [];
  try {
    const { tool_calls, ...own } = JSON.parse(piece);
    const all = Array.isArray(tool_calls) ? tool_calls : piece.startsWith('[') ? JSON.parse(piece) : [own];
    const calls = all.map((one: Record<string, unknown>) => written(one.name, one.arguments ?? one.parameters ?? {}));
    return all.every((one: Record<string, unknown>) => typeof one.name === 'string') ? calls : undefined;
  } catch {
    if (first !== undefined) return [written(first, itsArguments)];
    return last === undefined ? undefined : [written(last, lastArguments)];
  }
}
