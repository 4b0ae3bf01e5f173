import type { Problem } from '../../json/problem.ts';
import type { Repair } from '../../json/repair.ts';
import { hasOwn, isObject, type JsonValue } from '../../json/value.ts';
import { isJsonObject } from '../call/arguments.ts';
import { hasOther, isPlainCall } from '../call/call-shape.ts';
import { type Bracket, readPythonBracket } from '../python/brackets.ts';
import { type PythonCall, readPythonCall } from '../python/parse-call.ts';
import { wordAt } from '../python/tokens.ts';
import {
  argumentNames,
  callsIn,
  isMention,
  type OfferedTools,
  own,
  type PromptedCall,
  promptedCall,
  withProblems,
  withRead,
} from './shapes.ts';
import { usesVariables, type Variables, variablesIn, withVariables } from './variables.ts';

/** A region of the response that consists of calls. */
export interface PromptedRegion {
  readonly start: number;
  readonly end: number;
  readonly calls: PromptedCall[];
  readonly dialect: string;
  /** Whether they are in their own list or object, or alone between prose. */
  readonly form: 'list' | 'object' | 'call' | 'named';
  /** Whether it is strict JSON. */
  readonly strict?: boolean;
  /** Whether it is a list in a list, or a list with a missing item. */
  readonly loose?: boolean;
  /** Whether labels precede its name and its arguments: `Tool: f`, `Input: {…}`. */
  readonly labelled?: boolean;
  /** Whether its name directly follows the full stop of a sentence. */
  readonly glued?: boolean;
  /** Comments in its brackets, outside of the arguments. */
  readonly comments?: readonly string[];
}

/** Where calls can start: a bracket, or a word before the bracket of its arguments, with or without a label between them. */
const candidate =
  /[[{]|(?<![\p{L}\p{N}_.\\])(?:[\p{L}_]|\\_)(?:[\p{L}\p{N}_.]|\\_|-(?=\p{L})){0,200}(?=["'`*]{0,3}\s{0,8}\(|["'`*:]{0,4}\s{0,8}(?:\n\W{0,8}(?:[Aa]rg(?:ument)?s|[Pp]aram(?:eter)?s|(?:[Aa]ction |[Tt]ool )?[Ii]nput)[^\w[(]{0,4})?(?:```(?:json)?\s{0,4})?\{)/gu;

/** Finds all regions of a text that consist of calls, in order. */
export function promptedRegions(text: string, tools: Omit<OfferedTools, 'fill'>): PromptedRegion[] {
  let at = 0;
  let variables: Variables | undefined;
  const fill = (call: PythonCall): PythonCall => {
    if (!usesVariables(call)) return call;
    variables ??= variablesIn(text);
    return withVariables(call, variables, at);
  };
  const known: OfferedTools = { ...tools, fill };
  const all = known.any ? wholeAnswer(text, known) : undefined;
  if (all) return [all];
  const regions: PromptedRegion[] = [];
  // If a bracket contains no call, its content is read again, up to a limit that keeps reading linear.
  let budget = 8 * text.length + 65_536;
  const quoted = quotedIn(text);
  let next = 0;
  candidate.lastIndex = 0;
  for (let found = candidate.exec(text); found; found = candidate.exec(text)) {
    const start = found.index;
    at = start;
    while ((quoted[next]?.end ?? text.length) <= start) next += 1;
    if ((quoted[next]?.start ?? text.length) < start || isIdle(text, start)) continue;
    const [first] = found[0];
    const { region, end, data, lacks } =
      first === '[' || first === '{' ? bracketAt(text, start, known, budget > 0) : wordRegion(text, start, known);
    if (lacks) budget -= text.length - start;
    const code = region && codeEnd(text, start);
    if (code && code < region.end && /[[({]/.test(text.slice(start, code))) {
      candidate.lastIndex = code;
      continue;
    }
    if (region) {
      regions.push(region);
      candidate.lastIndex = Math.max(region.end, start + 1);
      continue;
    }
    budget -= end - start;
    if (budget < 0 || data) candidate.lastIndex = Math.max(end, candidate.lastIndex);
  }
  return withPrints(text, regions);
}

const printOpens = /(?<![\w.])print[ \t]?\(\s{0,40}(?:[rRfF]?(?:"[^"\n]{0,80}"|'[^'\n]{0,80}')\s{0,9},\s{0,9}){0,3}$/;
const printCloses = /^\s{0,40},?\s{0,40}\)/;

/** Regions including the `print(…)` around them, which is part of the call and not text for the user. */
function withPrints(text: string, regions: readonly PromptedRegion[]): PromptedRegion[] {
  const all = [...regions];
  for (let first = 0; first < all.length; first++) {
    const { start } = all[first] as PromptedRegion;
    const opened = printOpens.exec(text.slice(Math.max(all[first - 1]?.end ?? 0, start - 300), start));
    if (!opened) continue;
    let last = first;
    while (/^\s{0,40},\s{0,40}$/.test(text.slice(all[last]?.end, all[last + 1]?.start ?? 0))) last += 1;
    const { end } = all[last] as PromptedRegion;
    const closed = printCloses.exec(text.slice(end, end + 90));
    const isCut = !closed && /^[\s`]*$/.test(text.slice(end));
    if (!closed && !isCut) continue;
    // Several calls in one `print` aren't a known form.
    const loose = last > first && { loose: true };
    const begins = all[first] as PromptedRegion;
    all[first] = { ...begins, start: start - opened[0].length, ...loose };
    const ends = all[last] as PromptedRegion;
    const calls = isCut ? ends.calls.map((call) => ({ ...call, whole: false })) : ends.calls;
    all[last] = { ...ends, calls, end: end + (closed?.[0].length ?? 0), ...loose };
    first = last;
  }
  return all;
}

/** The end of the inline code around an offset, within its paragraph. A bracket that continues after it isn't a call. */
function codeEnd(text: string, at: number): number | undefined {
  const near = text.slice(Math.max(0, at - reach), at);
  let open = '';
  for (const [run] of near.slice(near.lastIndexOf('\n') + 1).matchAll(/`+/g)) {
    if (open === '') open = run;
    else if (open === run) open = '';
  }
  if (open === '') return undefined;
  const [rest = ''] = text.slice(at, at + reach).split(/\n[ \t]*\n/, 1);
  const close = [...rest.matchAll(/`+/g)].find(([run]) => run === open);
  return close && at + close.index;
}

/** Strings in triple quotes, including docstrings. One around the complete response doesn't count. */
function quotedIn(text: string): readonly { readonly start: number; readonly end: number }[] {
  const found: { start: number; end: number }[] = [];
  const quotes = /"""|'''/g;
  for (let open = quotes.exec(text); open; open = quotes.exec(text)) {
    const end = text.indexOf(open[0], quotes.lastIndex);
    if (end < 0) break;
    if (/[^\s`]/.test(text.slice(0, open.index))) found.push({ start: open.index, end: end + 3 });
    quotes.lastIndex = end + 3;
  }
  return found;
}

interface Found {
  /** Whether the rest of the text was read for a bracket that never closes. */
  readonly lacks?: true;
  readonly region?: PromptedRegion;
  /** How far was read. */
  readonly end: number;
  /** Whether it is complete and not a call, so that its content is part of it. */
  readonly data?: boolean;
}

/** Only Python calls of any name. A call with an unknown name is then refused by the check. */
function wholeAnswer(text: string, known: OfferedTools): PromptedRegion | undefined {
  const start = /^(?:\s{0,200}(?:```\w{0,20}\s)?\s{0,200})/.exec(text)?.[0].length ?? 0;
  const first = readPythonCall(text, start);
  if (!first || known.has(first.name) || isStatement(text.slice(start, first.end))) return undefined;
  const end = text.endsWith('```') ? text.length - 3 : text.length;
  const calls = callsIn(text.slice(start, end), known);
  return calls.length > 0 ? { start, end, calls, dialect: 'pythonic', form: 'list' } : undefined;
}

/** The end of a program, or text that is printed. */
const isStatement = (call: string): boolean =>
  /^(?:(?:sys\.|os\._)?exit|quit)\b|^print\s?\(\s*[rRbBuUfF]{0,2}["']/.test(call);

const nothingBefore = /^(?:\s|```\w*|<[^<>\n]{0,40}>)*$/;
const fenceBefore = /```\w*\s*$/;

/** Where the brackets of a response must have ended: a fence, a marker, the next paragraph of prose. */
const edge = /\n[ \t]*```|<\/?[a-z_|｜][^<>\n]{0,40}>|\n\s*\n(?=[A-Z])/g;

/**
 * Reads a bracket. An unclosed bracket is read up to the next edge, if only closers are missing there.
 *
 * @param room whether the complete text may be read for it
 */
function readBracket(text: string, start: number, room: boolean): Bracket & { readonly lacks?: true } {
  edge.lastIndex = start + 1;
  const near = room ? null : edge.exec(text);
  const bracket = readPythonBracket(near ? text.slice(0, near.index) : text, start);
  edge.lastIndex = start + 1;
  const found = bracket.closed ? null : edge.exec(text);
  if (!found) return bracket;
  const cut = readPythonBracket(text.slice(0, found.index), start);
  return cut.closable ? { ...cut, closed: true, lacks: true } : bracket;
}

function bracketAt(text: string, start: number, known: OfferedTools, room = true): Found {
  const bracket = readBracket(text, start, room);
  const { end, value, closed, closable, forced, lacks, marks, problems, sources, computed } = bracket;
  const cost = lacks ? { lacks } : {};
  const strict = isJson(text.slice(start, end));
  const head = text.slice(Math.max(0, start - 100), start);
  const language = /```(\w*)\s*(?:\w+\s*=\s*)?$/.exec(head)?.[1];
  const isCode = (language !== undefined && /^py/i.test(language)) || /\breturn\s+$/.test(head);
  const listed = language !== undefined && text[start] === '[' ? 'list' : true;
  const found = callsIn(value, {
    ...known,
    marks,
    text,
    sources,
    computed,
    ...(strict && !isCode && { strict: listed }),
  });
  if (found.length === 0)
    return {
      end,
      ...cost,
      data: hasOther(value) || (closed && (isData(value) || strict || isMixed(value, known))),
    };
  const list = text[start] === '[';
  // Calls in braces are a block of code, a set or a template.
  if (!list && !isObject(value)) return { end, ...cost, data: closed };
  const python = list && Array.isArray(value) && value.some((item) => typeof item === 'string');
  // Unknown names are only calls at the start of the response. Later, they are examples.
  const before = text.slice(Math.max(0, start - 100), start);
  const asked = closed && ((known.any && !python) || (start <= 100 && nothingBefore.test(before)));
  if (known.any ? !asked : !found.every(({ name }) => known.has(name)))
    return { end, ...cost, data: closed && found.some(({ name }) => known.has(name)) };
  // An open list of Python calls is read call by call, to detect the truncated one.
  if (python && !closed) return { end, ...cost };
  const dialect = python ? 'pythonic' : fenceBefore.test(before) ? 'json-fence' : 'json-array';
  const whole = closed || closable;
  // The bracket that closes it may be inside a text whose quotes weren't escaped.
  const isDoubtful = forced && python && /^[^\n]*["']/.test(text.slice(end, end + 512));
  const all = isDoubtful ? [...problems, quotesBehind] : problems;
  const comments = bracket.comments.flatMap(({ text, within }) =>
    within.some((key) => argumentNames.includes(key as string)) ? [] : [text],
  );
  const noted = comments.slice(0, 1).map((before): Repair => ({ ...lacking, kind: 'comment', before }));
  const calls = found.map((call, index) => ({
    ...withProblems(
      withRead(call, noted),
      all.filter(({ path, code }) =>
        code === 'ambiguous'
          ? !strict
          : own.has(String(path[0])) || (call.source === undefined && !call.problems && holds(call.arguments, path[0])),
      ),
    ),
    ...((lacks || !closed || (forced && !python)) && { read: [...(call.read ?? []), ...noted, lacking] }),
    ...(index === found.length - 1 && { whole }),
  }));
  const loose = Array.isArray(value) && (value.some(Array.isArray) || hasHole(text.slice(start, end)));
  return {
    end,
    ...cost,
    region: { start, end, calls, dialect, form: list ? 'list' : 'object', strict, loose, comments },
  };
}

const quotesBehind: Problem = {
  path: [],
  code: 'ambiguous',
  message: 'Root object lacks a closing bracket, and quotes follow it; escape every quote in its strings',
};

const strings = /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'/gs;
/** Whether an item of a list is missing: two commas, or one at its start. */
const hasHole = (list: string): boolean => /[[,]\s*,/.test(list.replace(strings, '""'));

/** Whether it is strict JSON and isn't empty. */
function isJson(text: string): boolean {
  try {
    return Object.keys(JSON.parse(text) as object).length > 0;
  } catch {
    return false;
  }
}

/** An object with fields, possibly in a string, or a list of such objects. */
const isData = (value: JsonValue): boolean =>
  Array.isArray(value)
    ? value.length > 0 && value.every((item) => isData(item) || (typeof item === 'string' && /^\s*[[{]/.test(item)))
    : isObject(value) && Object.keys(value).length > 0;

/** A list with calls and at least one expression or value, unless its quotes aren't paired. */
function isMixed(value: JsonValue, known: OfferedTools): boolean {
  if (!Array.isArray(value) || value.length < 2) return false;
  let [calls, others] = [0, 0];
  for (const item of value) {
    const call = typeof item === 'string' ? readPythonCall(item, 0) : undefined;
    if (call?.openString) return false;
    if (callsIn(item, known).length > 0) calls += 1;
    else if (typeof item !== 'string' || item === '...') others += 1;
    else if (call?.closed && !/^[\s,]*["'`]/.test(item.slice(call.end))) others += 1;
  }
  return calls > 0 && others > 0;
}

/** Whether only closers are missing. */
export const lacking: Repair = { path: [], kind: 'closer', before: undefined, certainty: 'inferred' };

const holds = (given: unknown, key: string | number | undefined): boolean =>
  isObject(given) && key !== undefined && (hasOwn(given, key) || key === '__proto__');

function wordRegion(text: string, start: number, known: OfferedTools): Found {
  const word = wordAt(text, start);
  if (!word) return { end: start + 1 };
  if (!known.has(word.word)) return gluedCall(text, start, word.word, word.end, known) ?? otherCall(text, start, word);
  const written = readPythonCall(text, start);
  if (!written) return namedObject(text, start, word.word, word.end);
  const { end } = written;
  const call = known.fill(written);
  if (isMention(call, known.schema(call.name))) return { end };
  return { end, region: { start, end, calls: [promptedCall(call, known)], dialect: 'pythonic', form: 'call' } };
}

/** The call of another function. Its content is its arguments, unless it prints them. */
function otherCall(text: string, start: number, { word, end }: { word: string; end: number }): Found {
  const call = text[end] === '(' && word !== 'print' ? readPythonCall(text, start) : undefined;
  return call?.closed ? { end: call.end, data: true } : { end };
}

/** Some models continue after a sentence with the name of the tool, and write its arguments in the last lines: `Let me look.find` */
function gluedCall(text: string, start: number, word: string, from: number, known: OfferedTools): Found | undefined {
  const stop = word.indexOf('.');
  const name = word.slice(stop + 1);
  const head = text.slice(Math.max(0, start - 60), start);
  if (stop < 0 || !known.has(name) || !/\p{L}[^\n]* $/u.test(head) || !/^\r?\n\{/.test(text.slice(from)))
    return undefined;
  const { region, end } = namedObject(text, start + stop + 1, name, from, true);
  return region && !/\S/.test(text.slice(end)) ? { end, region: { ...region, glued: true } } : undefined;
}

function namedObject(text: string, start: number, name: string, from: number, glued = false): Found {
  const at = text.indexOf('{', from);
  const bracket = readPythonBracket(text, at);
  // If it doesn't end before a token of a chat template, it has a form that isn't supported here.
  if (!isObject(bracket.value) || (!bracket.closed && /<\||\|>/.test(text.slice(at, bracket.end))))
    return { end: bracket.end };
  if (isPlainCall(bracket.value)) {
    if (text[start - 1] === '"') return { end: bracket.end, data: true };
    // A sentence ends with the name of the tool, and the call follows.
    if (bracket.value.name === name) return { end: from };
  }
  const labelled = glued ? start : labelAt(text, start, from, at, bracket.end);
  const between = text.slice(from, at);
  const isEntry = /^:[ \t]+$/.test(between) && entryBefore.test(text.slice(Math.max(0, start - 100), start));
  const isOther =
    labelled === start && (isEntry || !isJsonObject(text.slice(at, bracket.end), /^[ \t\n]+$/.test(between)));
  if (labelled === undefined || isOther) return { end: bracket.end, data: true };
  const calls = [
    {
      name,
      arguments: bracket.value,
      source: text.slice(at, bracket.end),
      whole: bracket.closed || bracket.closable,
      ...(!bracket.closed && { read: [lacking] }),
      ...(!isJson(text.slice(at, bracket.end)) && bracket.problems.length > 0 && { problems: bracket.problems }),
    },
  ];
  const begins = { start: labelled, ...(labelled < start && { labelled: true }) };
  return { end: bracket.end, region: { ...begins, end: bracket.end, calls, dialect: 'json-array', form: 'named' } };
}

/** The start of a line in which a name is a key of YAML. */
const entryBefore = /(?:^|\n)[ \t]*(?:- +)?$/;
/** A key that a call has for its tool, at the start of its line. */
const callKey = /^\W*(?:(?:tool|function|func|action|api|call)(?:[ _](?:name|call))?|name)\W*$/i;
/** Signs at the start of a line of a quotation, a comment, a list, a table or a diff. */
const quotes = /^[^\p{L}\p{N}]*[>＞"'`“”„«»‘’‚‹›「『|│+/;%<([{-]/u;
/** A key with its value in a line of a log or of YAML. A thought before a call doesn't count. */
const keyed = /^\s*(?:- )?(?!(?:thought|reasoning|plan|observation)\b)[\w .-]{1,40}:[ \t]+\S/i;

/**
 * The start of the label before a name, as in `Tool: f` before `Input: {…}`, or of the name itself if there is no label. Undefined
 * if calls don't have its key, or its lines are next to or below other keys: it is a log or a file, not a call.
 */
function labelAt(text: string, start: number, name: number, at: number, end: number): number | undefined {
  const line = text.lastIndexOf('\n', start - 1) + 1;
  const head = text.slice(Math.max(line, start - 80), start);
  if (!text.slice(name, at).includes('\n') || !/\p{L}/u.test(head)) return start;
  const [, below = ''] = text.slice(name, at).split('\n', 2);
  if (!callKey.test(head) || [head, below].some((one) => quotes.test(one))) return undefined;
  if (!head.includes(':')) return start;
  const above = text.slice(Math.max(0, line - 200), Math.max(0, line - 1));
  const [behind = ''] = text
    .slice(end, end + 200)
    .trimStart()
    .split('\n', 1);
  const isRecord =
    /^(?:\s|- )/.test(head) ||
    /\n[ \t]/.test(text.slice(name, at)) ||
    keyed.test(above.slice(above.lastIndexOf('\n') + 1)) ||
    keyed.test(behind);
  return isRecord ? undefined : line;
}

const comment = /(?:^|\s)#(?!#)/;
const never = /^\s*(?:(?:el)?if|while)\s*\(?\s*(?:False|0|None|not\s+True)\s*\)?\s*:/;
const definition = /^\s*(?:(?:async\s+)?def|class)\s[^\n]*:/;
/** Code that ends here, so that nothing after it in its block is reached. */
const stops =
  /^\s*(?:return(?:\s+[\w.()'"[\]{}]{1,80})?|raise\s+\w[^\n]{0,200}|(?:sys\.|os\._)?exit\([^\n]{0,80}\)|quit\(\)|assert\s+False\b[^\n]{0,200})\s*;?\s*$/;
const always = /^\s*(?:el)?if\s*\(?\s*(?:True|1|not\s+False)\s*\)?\s*:/;
const otherwise = /^\s*(?:else\s*:|elif\s)/;
/** Text in code: assigned to a name, passed to a function, or returned. */
const held = /(?:[\w\])]\s{0,4}=\s{0,4}|[\w.]\(\s{0,4}|\breturn\s{1,4})[rRbBuUfF]{0,2}(["'])(?:\\.|(?!\1)[^\\])*$/;
/** The end of a line that ends in a bracket, as a call or a statement does. */
const callEnd = /[\])}]["'`]{0,3}[ \t,;]*\n/;
const furthest = 40;
/** The maximum number of characters to look back, so that reading stays linear. */
const reach = 2000;

/** Whether the text at an offset is a comment or unreachable code, and therefore never a call. */
function isIdle(text: string, at: number): boolean {
  const near = text.slice(Math.max(0, at - reach), at);
  const line = near.lastIndexOf('\n') + 1;
  const before = near.slice(Math.max(line, near.length - 400));
  if (comment.test(before.replace(/"[^"]*"|'[^']*'/g, '')) || never.test(before) || definition.test(before))
    return true;
  // A string may have started on a line before it, after the last call.
  if (held.test(near.slice(-400).split(callEnd).at(-1) as string)) return true;
  let indent = /^[ \t]*/.exec(before)?.[0].length ?? 0;
  let end = line - 1;
  let other = otherwise.test(before);
  for (let lines = 0; end > 0 && lines < furthest; lines++) {
    const start = near.lastIndexOf('\n', end - 1) + 1;
    const above = near.slice(start, Math.min(end, start + 400));
    end = start - 1;
    const size = /^[ \t]*/.exec(above)?.[0].length ?? 0;
    if (size > indent || !/\S/.test(above)) continue;
    if (stops.test(above) || (other && always.test(above))) return true;
    if (size === indent) continue;
    if (never.test(above) || definition.test(above)) return true;
    other = otherwise.test(above);
    indent = size;
  }
  return false;
}
