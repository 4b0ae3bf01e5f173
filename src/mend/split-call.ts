import { isObject, type JsonObject, parseJson, stringifyJson } from '../json/value.ts';
import type { CallPart } from '../model/index.ts';
import { propertiesOf } from '../schema/lookup.ts';
import { findTool } from '../tools/find-tool.ts';
import type { Policy } from '../tools/tool.ts';
import type { Toolbox } from '../tools/toolbox.ts';
import { makeId } from './make-id.ts';
import { mend } from './mend.ts';

/** More objects than any model calls at once. */
const most = 32;

/**
 * Splits calls that a server merged into one: complete objects side by side, under one name or under their names
 * without a separator, or each with its own name. Every object must be valid as it is and consist of declared fields, and no two may be equal,
 * because a call that is sent twice is one call. The first call keeps its id. Undefined if this isn't such a call.
 *
 * @param part a call whose arguments are text
 */
export function splitCall(part: CallPart, toolbox: Toolbox, policy?: Policy): readonly CallPart[] | undefined {
  const { arguments: text, name } = part;
  const written = objectsIn(text as string);
  if (!written) return undefined;
  const calls = namedCalls(name, written, toolbox);
  const objects = calls?.map(([, one]) => one) ?? written;
  const names = calls?.map(([own]) => own) ?? namesFor(name, objects.length, toolbox);
  if (!names || new Set(objects.map((one) => JSON.stringify(parseJson(one)))).size < objects.length) return undefined;
  // An empty object under the name of another is what a server sends before the arguments.
  if (new Set(names).size === 1 && name === names[0] && objects.some((one) => /^\{\s*\}$/.test(one))) return undefined;
  const parts = objects.map((one, at): CallPart => {
    const read = { path: [], kind: 'split', before: name, after: names[at] as string, certainty: 'inferred' } as const;
    // Its own fields may have ids, which belong to the first call.
    const { passthrough: _, ...other } = { ...part, id: makeId() };
    const call = at === 0 ? part : other;
    return { ...call, name: names[at] as string, arguments: one, read: [...(part.read ?? []), read] };
  });
  return parts.every((one) => isSound(one, toolbox, policy)) ? parts : undefined;
}

/** Whether a part is valid as it is, and its tool accepts that it was part of another call. */
function isSound({ name, arguments: text, read }: CallPart, toolbox: Toolbox, policy: Policy | undefined): boolean {
  const fields = propertiesOf(toolbox.get(name)?.schema.json);
  const isDeclared = Object.keys(parseJson(text as string) as JsonObject).every((key) => Object.hasOwn(fields, key));
  return (
    isDeclared &&
    mend({ name, arguments: text }, toolbox, policy).status === 'ok' &&
    mend({ name, arguments: text, read }, toolbox, policy).status !== 'invalid'
  );
}

/** The objects of which a text consists; undefined if there are fewer than two, or if there is anything else. */
function objectsIn(text: string): readonly string[] | undefined {
  const objects: string[] = [];
  let depth = 0;
  let from = 0;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\[\s\S])*"|[{}]|[^\s{}"]+/g)) {
    // A comma belongs to a list, whose brackets are missing.
    if (depth === 0 && token !== '{') return undefined;
    if (token === '{') {
      if (depth === 0) from = index;
      depth += 1;
    } else if (token === '}') {
      depth -= 1;
      if (depth === 0) objects.push(text.slice(from, index + 1));
    }
    if (objects.length > most) return undefined;
  }
  const isSound = (one: string): boolean => {
    try {
      return isObject(parseJson(one));
    } catch {
      return false;
    }
  };
  return depth === 0 && objects.length > 1 && objects.every(isSound) ? objects : undefined;
}

/** The tool of each object: the names side by side if there are as many, or one name for all. */
function namesFor(name: string, count: number, toolbox: Toolbox): readonly string[] | undefined {
  const ways = waysToSplit(
    name,
    count,
    toolbox.list().map((tool) => tool.name),
  );
  if (ways.length > 1) return undefined;
  const own = findTool(name, toolbox).tool?.name;
  return ways[0] ?? (own === undefined ? undefined : Array.from({ length: count }, () => own));
}

/** The calls in objects that each name a tool: `{"name": …, "arguments": {…}}`. The first names that of the call. */
function namedCalls(
  name: string,
  objects: readonly string[],
  toolbox: Toolbox,
): readonly (readonly [name: string, args: string])[] | undefined {
  const calls = objects.map((one) => {
    const { name: own, arguments: args, ...more } = parseJson(one) as JsonObject;
    const isCall = typeof own === 'string' && toolbox.has(own) && isObject(args) && Object.keys(more).length === 0;
    return isCall ? ([own, stringifyJson(args)] as const) : undefined;
  });
  const isNamed = calls[0]?.[0] === findTool(name, toolbox).tool?.name;
  return isNamed && calls.every((one) => one !== undefined) ? calls : undefined;
}

function waysToSplit(name: string, count: number, names: readonly string[]): string[][] {
  if (count === 0) return name === '' ? [[]] : [];
  return names
    .filter((one) => name.startsWith(one))
    .flatMap((one) => waysToSplit(name.slice(one.length), count - 1, names).map((rest) => [one, ...rest]))
    .slice(0, 2);
}
