import { clip } from '../json/clip.ts';
import { didYouMean, type Problem } from '../json/problem.ts';
import type { Certainty, Repair } from '../json/repair.ts';
import { closersAtEnd } from '../json/tolerant/call-markup.ts';
import { editedWords, oneEdit } from '../schema/closest-key.ts';
import { splitCamel } from '../schema/coerce/fold-key.ts';
import { foldName, longestName } from './name-index.ts';
import type { Tool } from './tool.ts';
import type { Toolbox } from './toolbox.ts';

export type ToolMatch =
  | { readonly tool: Tool; readonly repair?: Repair }
  | { readonly tool: undefined; readonly problem: Problem; readonly closest: readonly string[] };

const suggested = 3;
const listed = 20;
const shortest = 5;
const longWord = 6;

/**
 * Finds the tool that a model meant: by exact name; by a name that is equal except for case and separators; the same
 * without known prefixes, special tokens and tags, or written twice; and for read-only tools, by the only name one
 * letter away. Never chooses between two.
 */
export function findTool(name: string, toolbox: Toolbox): ToolMatch {
  const exact = toolbox.get(name);
  if (exact && startsPlain(name)) return { tool: exact };
  if (!/[\p{L}\p{N}]/u.test(name)) return missing(name, [], 'has no letter or digit, so no tool was called');
  if (exact) return { tool: exact };
  if (name.length > longestName) return missing(name, [], 'does not exist', toolbox);

  for (const { candidates, certainty } of written(name, toolbox)) {
    const [one, other] = candidates;
    if (one && !other) return { tool: one, repair: repair(name, one, certainty) };
    if (one) return missing(name, candidates.map(nameOf).slice(0, suggested), 'could be more than one tool');
  }
  const misspelled = oneLetterAway(name, toolbox);
  if (misspelled) return { tool: misspelled, repair: repair(name, misspelled, 'inferred') };
  return missing(name, closest(name, toolbox), 'does not exist', toolbox);
}

/** Most names start with an ASCII letter, which is checked without a pattern. */
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

interface Fitting {
  readonly candidates: readonly Tool[];
  readonly certainty: Certainty;
}

/** The tools that match each reading of the name, most certain first. */
function* written(name: string, toolbox: Toolbox): Generator<Fitting> {
  const { names } = toolbox;
  const all: readonly Spelling[] = [{ name }, ...spellings(name)];
  for (const { name: spelling, server, unsure } of all) {
    const exact = toolbox.get(spelling);
    const fitting = exact ? [exact] : names.folded(spelling);
    const own = server
      ? fitting.filter((tool) => tool.server === undefined || foldName(tool.server) === foldName(server))
      : fitting;
    yield { candidates: own, certainty: unsure ? 'inferred' : 'lossless' };
  }
  for (const { name: spelling, server, unsure } of all) {
    if (!server) yield { candidates: names.withoutPrefix(spelling), certainty: unsure ? 'inferred' : 'lossless' };
  }
}

function oneLetterAway(name: string, { names }: Toolbox): Tool | undefined {
  const found = new Map<Tool, string>();
  for (const { name: spelling, server, unsure } of [{ name } as Spelling, ...spellings(name)]) {
    if (server || unsure) continue;
    for (const tool of names.oneEditAway(spelling)) found.set(tool, spelling);
  }
  if (found.size !== 1) return undefined;
  for (const [tool, spelling] of found) if (tool.effect === 'read' && isSlip(spelling, tool.name)) return tool;
  return undefined;
}

/**
 * A typo inside one long word of the name. A short word, or another first or last letter, is easily a different word.
 */
function isSlip(name: string, meant: string): boolean {
  const [asked, given] = [foldName(name), foldName(meant)];
  const edit = oneEdit(asked, given);
  if (!edit || letters(asked) < shortest || letters(given) < shortest) return false;
  if (asked.codePointAt(0) !== given.codePointAt(0) || digits(asked) !== digits(given)) return false;
  const words = wordsOf(meant);
  for (const [word, at] of editedWords(edit, words)) {
    const atEdge = edit.kind === 'replace' && (at === 0 || at === word.length - 1);
    if (letters(word) < longWord || atEdge) return false;
  }
  return words.join('') === given;
}

/** The normalized words of a name, split at separators and in camelCase. */
const wordsOf = (name: string): string[] =>
  splitCamel(name)
    .split(/[\s_.-]+/u)
    .map(foldName)
    .filter((word) => word !== '');

const letters = (text: string): number => text.match(/\p{L}/gu)?.length ?? 0;
const digits = (text: string): string => text.replace(/[^\p{N}_]/gu, '');

/** Suggestions: similar names, also without everything before the last dot. */
function closest(name: string, { names }: Toolbox): string[] {
  const bare = spellings(name).at(-1)?.name ?? name;
  const asked = [name, bare, bare.slice(bare.lastIndexOf('.') + 1)];
  return [...new Set(asked.flatMap((one) => names.closest(one, suggested)))].slice(0, suggested);
}

function missing(name: string, closest: readonly string[], why: string, toolbox?: Toolbox): ToolMatch {
  const shown = clip(name, 80);
  const meant = didYouMean(closest);
  const all = toolbox && toolbox.size <= listed ? toolbox.list().map(nameOf) : [];
  const expected = all.join(', ');
  const list = expected && `${meant ? '' : '.'} Available tools: ${expected}`;
  const none = toolbox?.size === 0 ? ': there are no tools' : '';
  const message = `Tool '${shown}' ${why}${meant}${list}${none}`;
  const data = { ...(expected && { expected }), ...(meant && { meant: closest }) };
  return { tool: undefined, problem: { path: [], code: 'unknown_tool', ...data, received: name, message }, closest };
}

/** The name with something around it removed. */
interface Spelling {
  readonly name: string;
  /** The server of a removed prefix. The tool must not be searched on another server. */
  readonly server?: string;
  /** Whether the name was written twice, which two merged calls would look like too, or its end may be a number. */
  readonly unsure?: true;
}

/**
 * Special tokens of chat templates, and tags and words in brackets around calls. Other angle brackets, and tokens inside, may belong to a
 * name.
 */
const token =
  /<[|｜][^<>]*>|<\/?(?:s|bos|eos|end_of_turn|name|(?:antml:)?(?:tool|function|tool_call|function_call|tool_use|invoke)(?:s|_name)?)>|\[\/?(?:TOOL_CALLS?|ARGS)\]/iu;
const tokensAround = new RegExp(`^(?:\\s*(?:${token.source}))+|(?:(?:${token.source})\\s*)+$`, 'giu');
/** Half a token at either end: `<|"|read_file`, `read_file<|"|`. */
const halfToken = /^<[|｜]"[|｜]|<[|｜]"[|｜]$/gu;
/** The opening tag of a call that only contains the name. */
const tag =
  /^<?(?:(?:antml:)?(?:tool|function|invoke|tool_call|function_call)(?:\s+name)?|name)\s*=\s*["']?([^\s"'<>=]+)["']?\s*\/?>?$/iu;
/** What follows a token isn't part of the name, unless it may be the arguments. */
const fromToken =
  /(?<![_.\s-])<[|｜](?:channel|constrain|message|recipient|start|end|call|im_\w+|eo[tm]_id)[|｜]>[^{=]*$/su;
/** A header of Harmony that ends with the name: `assistant<|channel|>commentary to=functions.read_file`. */
const header =
  /^(?:<[|｜]start[|｜]>)?(?:assistant)?\s*<[|｜]channel[|｜]>\s*\w{1,20}\s+to=([^\s<>]+)\s*(?:<[|｜][^<>]{1,40}>\w{0,9})*$/u;
const wrapping = /^[\s'"`]+|[\s'"`>/,;:]+$|\s*\(\s*\)\s*$/gu;
const hostPrefix = /^\s*(?:functions|tools|default_api)\s*(?:::|[.:/])\s*/i;
/** Kimi numbers its calls: `functions.read_file:0`. Without the prefix, the number may be an argument. */
const numbered = /^functions\..+:\d+$/i;
/** The same in a conversation whose client replaced all signs of its ids. */
const replacedSigns = /^functions_(.+)_\d+$/i;
const serverPrefix = /^mcp__(.+?)__(?=.)/iu;
const doubled = /^(.{2,}?)[\s,;.:|/_-]*\1$/su;

/**
 * Possible readings of a written name, without special tokens, tags, quotes and known prefixes, each with more removed.
 * Excludes the name as written.
 */
function spellings(written: string): Spelling[] {
  const found = new Map<string, Spelling>();
  const put = (name: string, more: Omit<Spelling, 'name'>) => {
    if (name !== written && name !== '' && !found.has(name)) found.set(name, { name, ...more });
  };
  const take = (start: string, more: Omit<Spelling, 'name'>) => {
    let name = start.replace(wrapping, '');
    const isNumbered = numbered.test(name);
    put(name, more);
    for (let bare = name.replace(hostPrefix, ''); bare !== name; bare = name.replace(hostPrefix, '')) {
      name = bare;
      put(name, more);
    }
    if (isNumbered) name = name.replace(/:\d+$/, '');
    put(name, more);
    const server = serverPrefix.exec(name)?.[1];
    if (server) put(name.replace(serverPrefix, ''), { ...more, server });
  };
  const bare = written.replace(tokensAround, '').replace(halfToken, '').trim();
  const tagged = tag.exec(bare)?.[1];
  // Harmony writes `name<|channel|>commentary`, where the text after the token isn't part of the name either.
  const addressed = header.exec(written)?.[1];
  const starts = [written, bare, written.replace(fromToken, ''), written.replace(closersAtEnd, '')];
  for (const start of [...starts, ...(tagged ? [tagged] : []), ...(addressed ? [addressed] : [])]) {
    take(start, {});
    const half = doubled.exec(start.trim())?.[1];
    if (half) take(half, { unsure: true });
    const listed = replacedSigns.exec(start.trim())?.[1];
    if (listed) put(listed, { unsure: true });
  }
  return [...found.values()];
}
