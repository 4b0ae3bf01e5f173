import type { Problem } from '../json/problem.ts';
import type { Certainty, Repair } from '../json/repair.ts';
import { foldName, longestName } from './fold-name.ts';
import { spellings } from './spellings.ts';
import type { Tool } from './tool.ts';
import type { Toolbox } from './toolbox.ts';

export type FoundTool =
  | { readonly tool: Tool; readonly repair?: Repair }
  | { readonly tool: undefined; readonly problem: Problem; readonly closest: readonly string[] };

const suggested = 3;
const listed = 20;
const shortest = 5;

/**
 * Finds the tool a model meant: by its exact name, then the one equal but for case and separators, then the same
 * without known prefixes and stray tokens, then, for reading tools alone, the one name a single letter away. It never
 * chooses between two.
 */
export function findTool(name: string, toolbox: Toolbox): FoundTool {
  const exact = toolbox.get(name);
  if (exact && startsPlain(name)) return { tool: exact };
  if (!/[\p{L}\p{N}]/u.test(name)) return missing(name, [], 'has no letter or digit, so no tool was called');
  if (exact) return { tool: exact };
  if (name.length > longestName) return missing(name, [], 'does not exist', toolbox);

  for (const candidates of written(name, toolbox)) {
    const [one, other] = candidates;
    if (one && !other) return { tool: one, repair: repair(name, one, 'lossless') };
    if (one) return missing(name, candidates.map(nameOf).slice(0, suggested), 'could be more than one tool');
  }
  const misspelled = oneLetterAway(name, toolbox);
  if (misspelled) return { tool: misspelled, repair: repair(name, misspelled, 'inferred') };
  return missing(name, closest(name, toolbox), 'does not exist', toolbox);
}

/** Most names begin with a letter of ASCII, which is told without a pattern. */
function startsPlain(name: string): boolean {
  const code = name.charCodeAt(0) | 32;
  return code >= 97 && code <= 122;
}

const nameOf = (tool: Tool): string => tool.name;

const repair = (before: string, tool: Tool, certainty: Certainty): Repair => ({
  path: [],
  kind: 'name',
  before,
  after: tool.name,
  certainty,
});

/** The tools each reading of the name fits, surest reading first. */
function* written(name: string, toolbox: Toolbox): Generator<Tool[]> {
  const { names } = toolbox;
  yield names.folded(name);
  const bare = spellings(name);
  for (const spelling of bare) {
    const exact = toolbox.get(spelling.name);
    const fitting = exact ? [exact] : names.folded(spelling.name);
    // Beside `user.delete` and `delete`, `users.delete` may be a misspelling of the one or a server's name for the other.
    const alike = spelling.ofServer && fitting.length > 0 ? names.near(name, 1).map(({ tool }) => tool) : [];
    yield [...new Set([...fitting, ...alike])];
  }
  for (const spelling of [{ name, ofServer: false }, ...bare]) {
    if (!spelling.ofServer) yield names.withoutPrefix(spelling.name);
  }
}

function oneLetterAway(name: string, { names }: Toolbox): Tool | undefined {
  const found = new Map<Tool, string>();
  for (const spelling of [name, ...spellings(name).map((spelling) => spelling.name)]) {
    for (const { tool } of names.near(spelling, 1)) found.set(tool, spelling);
  }
  if (found.size !== 1) return undefined;
  for (const [tool, spelling] of found) {
    const [asked, given] = [foldName(spelling), foldName(tool.name)];
    const safe =
      tool.effect === 'read' &&
      letters(asked) >= shortest &&
      letters(given) >= shortest &&
      asked.codePointAt(0) === given.codePointAt(0) &&
      digits(asked) === digits(given);
    if (safe) return tool;
  }
  return undefined;
}

const letters = (text: string): number => text.match(/\p{L}/gu)?.length ?? 0;
const digits = (text: string): string => text.replace(/[^\p{N}_]/gu, '');

function closest(name: string, { names }: Toolbox): string[] {
  const bare = spellings(name).at(-1)?.name ?? name;
  return [...new Set([...names.closest(name, suggested), ...names.closest(bare, suggested)])].slice(0, suggested);
}

function missing(name: string, closest: readonly string[], why: string, toolbox?: Toolbox): FoundTool {
  const shown = name.length > 80 ? `${name.slice(0, 80)}…` : name;
  const meant = closest.length > 0 ? `; did you mean ${closest.map((one) => `'${one}'`).join(' or ')}?` : '';
  const all = toolbox && toolbox.size <= listed ? toolbox.list().map(nameOf) : [];
  const list = all.length > 0 ? `${meant ? '' : '.'} Available tools: ${all.join(', ')}` : '';
  const none = toolbox?.size === 0 ? ': there are no tools' : '';
  const message = `Tool '${shown}' ${why}${meant}${list}${none}`;
  return { tool: undefined, problem: { path: [], code: 'unknown_tool', received: name, message }, closest };
}
