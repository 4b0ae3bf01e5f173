import type { Problem } from '../../json/problem.ts';
import type { JsonSchema } from '../../schema/types.ts';
import { findTool } from '../../tools/find-tool.ts';
import type { Tool } from '../../tools/tool.ts';
import type { Toolbox } from '../../tools/toolbox.ts';
import { closerProblems } from '../call/check-call.ts';
import { beforeResult, callsMade, straySigns } from './calls-made.ts';
import { type CallWords, callWords } from './plain-words.ts';
import { isListing, isProgram } from './program.ts';
import { asksForConfirmation, isQuoted } from './quoted-call.ts';
import { lacking, type PromptedRegion, promptedRegions } from './regions.ts';
import { selectRegions } from './select-regions.ts';
import { type OfferedTools, type PromptedCall, withProblems } from './shapes.ts';
import { isMarker, thoughtEnd } from './shown-place.ts';

export type { PromptedCall } from './shapes.ts';

/** The content of a response. */
interface PromptedReading {
  readonly calls: PromptedCall[];
  /** The remaining text for the user. */
  readonly text: string;
  readonly dialect: string;
  /** Whether the response contains only calls. */
  readonly sure?: boolean;
}

/**
 * Reads the response of a model that was prompted for calls, in all known formats: Python calls or JSON, in lists,
 * wrappers, fences or prose.
 */
export function readPrompted(
  text: string,
  toolbox: Toolbox | undefined,
  truncated = false,
  task: () => string = () => '',
): PromptedReading {
  const reading = readAnswer(text, toolbox, truncated, task);
  // A call that is refused because of the words next to it may follow reasoning without an opening tag.
  const from = reading.calls.every(({ problems }) => problems?.some((one) => doubts.has(one)))
    ? thoughtEnd(text)
    : undefined;
  if (from === undefined) return reading;
  const { sure, ...answer } = readAnswer(text.slice(from), toolbox, truncated, task);
  return sure ? { ...answer, text: text.slice(0, from) + answer.text } : reading;
}

function readAnswer(
  text: string,
  toolbox: Toolbox | undefined,
  truncated: boolean,
  task: () => string,
): PromptedReading {
  const known = knownOf(toolbox);
  const found = promptedRegions(text, known);
  const answered = answer.exec(text);
  // The text after `Final Answer:` is content. After `Answer:`, only labelled lines are.
  const isContent = ({ start, labelled }: PromptedRegion): boolean =>
    answered !== null && start > answered.index && (answered[1] !== undefined || labelled === true);
  const chosen = selectRegions(text, found.some(isContent) ? [] : found);
  const ends = chosen.at(-1)?.end ?? text.length;
  const destroys = chosen.some(({ calls }) => calls.some(({ name }) => known.destroys(name)));
  const spoken =
    chosen.some((one, at) =>
      isQuoted(text, chosen[at - 1]?.end ?? 0, one, chosen[at + 1]?.start ?? text.length, destroys),
    ) || asksForConfirmation(text, ends);
  const reads = chosen.every(({ calls }) => calls.every(({ name }) => known.reads(name)));
  const words = (): CallWords =>
    callWords(
      chosen.flatMap(({ calls }) => calls),
      known.describe,
      task(),
    );
  const made = callsMade(text, chosen, destroys ? 'destructive' : reads ? 'read' : 'write', words);
  const regions =
    spoken || made === 'no' || isListing(text, chosen, known.has, known.schema) ? [] : beforeResult(text, chosen);
  const shown = isProgram(text, regions, found);
  const held = regions.flatMap((region) => region.calls).filter(({ name }) => known.has(name) || !saysNone(name));
  const isOpen = made === 'open' || made === 'cut';
  const calls = held.map((found, at) => {
    const inner = found.read?.includes(lacking) ? closerProblems(found.name, found.arguments, toolbox) : [];
    const read = withProblems(found, inner);
    const call = isOpen ? { ...read, read: [...(read.read ?? []), lacking] } : read;
    const isLast = at === held.length - 1;
    // If only closers are missing in a list, or the message ended by length, more may have followed.
    const lacks = (truncated ? call : found).read?.some(({ kind }) => kind === 'closer');
    const mayGoOn = isLast && (made === 'cut' || (lacks && (truncated || inList(text, regions))));
    const one = !call.whole || mayGoOn ? cutOff(call) : call;
    // Words in any language may retract it.
    const unsure = made === 'doubtful' || (made === 'likely' && call.whole && known.destroys(call.name));
    const doubt = shown ? inProgram : unsure ? besideWords : made === 'unclear' ? behindWords : undefined;
    return doubt ? { ...one, problems: [...(call.problems ?? []), doubt] } : one;
  });
  // A call that is doubtful because of the words next to it is refused, and stays in the text for the user.
  const doubtful = calls.length > 0 && calls.every(({ problems }) => problems?.some((one) => doubts.has(one)));
  const left =
    regions.length === 0 || doubtful
      ? text
      : made === 'likely' || made === 'doubtful' || made === 'unclear'
        ? cutOut(text, regions)
        : straySigns(text, regions);
  const dialect = regions[0]?.dialect ?? 'content-only';
  return { calls, text: left, dialect, ...(regions.length > 0 && made === 'sure' && { sure: true }) };
}

const answer = /^\W{0,6}(?:(final )?answer\W{0,3}[:：]|final answer\W{0,6}$)/im;

const inProgram: Problem = {
  path: [],
  code: 'mentioned',
  message: 'Root object is part of a program, so it was not run; to call the tool, send only the call',
};
const besideWords: Problem = {
  path: [],
  code: 'mentioned',
  message: 'Root object is next to text that may take it back; send only the call',
};

const behindWords: Problem = {
  path: [],
  code: 'mentioned',
  message: 'Root object follows text that may not announce it, so it was not run; to call the tool, send only the call',
};

const doubts = new Set([inProgram, besideWords, behindWords]);

const cutOff = ({ source: _, ...call }: PromptedCall): PromptedCall => ({
  ...call,
  arguments: leftOpen(call.arguments),
});

/** The arguments of a truncated call as truncated text, so that they can't run as complete ones. */
function leftOpen(given: unknown): string {
  const text = typeof given === 'string' ? given : JSON.stringify(given ?? {});
  const open = text.replace(/\}\s*$/, '');
  return open === '{' ? open : `${open},`;
}

function knownOf(
  toolbox: Toolbox | undefined,
): Omit<OfferedTools, 'fill'> &
  Record<'destroys' | 'reads', (name: string) => boolean> &
  Record<'describe', (name: string) => string> {
  const found = new Map<string, Tool | undefined>();
  const tool = (name: string): Tool | undefined => {
    if (!toolbox) return undefined;
    if (!found.has(name)) found.set(name, findTool(name, toolbox).tool);
    return found.get(name);
  };
  return {
    any: toolbox === undefined || toolbox.size === 0,
    has: (name) => tool(name) !== undefined,
    reads: (name) => tool(name)?.effect === 'read',
    destroys: (name) => tool(name)?.effect === 'destructive',
    describe: (name) => tool(name)?.description ?? '',
    schema: (name): JsonSchema | undefined => tool(name)?.schema.json,
  };
}

/** Whether an unclosed list is open around the last call, which other calls may precede. */
function inList(text: string, regions: readonly PromptedRegion[]): boolean {
  const before = regions.map(({ start }, at) => text.slice(Math.max(regions[at - 1]?.end ?? 0, start - 100), start));
  return /\[[\s,;'"]*$/.test(before.join(''));
}

/** The text around the calls, without the punctuation of their list and the markers, fences and emphasis around them alone. */
function cutOut(text: string, regions: readonly PromptedRegion[]): string {
  const pieces: string[] = [];
  const names = new Set<string>();
  let at = 0;
  for (const { start: from, end } of [...regions, { start: text.length, end: text.length }]) {
    // The variable for a result belongs to the call, and so do the lines that print it.
    const [statement = '', name = ''] = (from < end && assigned.exec(text.slice(Math.max(at, from - 200), from))) || [];
    const start = from - statement.length;
    const piece = text.slice(at, start).replace(printed, (line, one) => (names.has(one.trim()) ? '' : line));
    if (name) names.add(name);
    const after = at === 0 ? piece : piece.replace(/^['"]?[\s,]*\]/, '');
    const around = end === text.length && start === end ? after : after.replace(/\[[\s'"]{0,8}$/, '');
    if (!/^[\s,;'"()[\]]*$/.test(around)) {
      let [kept, rest] = at === 0 ? [around, ''] : withoutHolders(pieces.pop() ?? '', around);
      // Only white space is left between two calls, so the wrapper before it may contain both.
      while (!/\S/.test(kept) && pieces.length > 0)
        [kept, rest] = withoutHolders(pieces.pop() ?? '', (kept + rest).replace(longGap, '$1'));
      pieces.push(kept, rest);
    }
    at = end;
  }
  const left = pieces.join('').trim();
  return onlyMarks.test(left) ? '' : left;
}

/** Blank lines where calls were, which would grow with their number. */
const longGap = /^(\s{40})\s+/;
const assigned = /(?<![^\n])[ \t]{0,40}(\w{1,64})[ \t]{0,9}=[ \t]{0,9}$/;
const printed = /^[ \t]*print\(([\w \t]*)\)[ \t\r]*$/gm;
/** Markers of list items that contained calls. */
const onlyMarks = /^(?:(?:[-*•+]|\d{1,3}[.)])(?:\s+|$))+$/;

const opening = /(\bprint\(|<[\w:]+>|<\|[^<>\n]{1,40}\|>|(?<![\w`*])(?:`{1,2}|\*{1,3}|_{1,3})|`{3,}\w*)\s{0,20}$/;
const ending = /^\s{0,20}(\)|<\/[\w:]+>|<\|[^<>\n]{1,40}\|>|`+|\*{1,3}|_{1,3})/;
const mostHolders = 9;

/** The text before and after calls, without markers and without paired fences and emphasis. */
function withoutHolders(before: string, behind: string): [before: string, behind: string] {
  let [kept, rest] = [before, behind];
  for (let turns = 0; turns < mostHolders; turns++) {
    const [opened = '', first = ''] = opening.exec(kept.slice(-100)) ?? [];
    const [closed = '', last = ''] = ending.exec(rest) ?? [];
    const [opens, closes] = [isMarker(first), isMarker(last)];
    const isPair = !opens && !closes && first !== '' && first.replace(/(?<=`)\w+$/, '').replace('print(', ')') === last;
    if (!opens && !closes && !isPair) break;
    if (!closes || opens) kept = kept.slice(0, kept.length - opened.length);
    if (!opens || closes) rest = rest.slice(closed.length);
  }
  return [kept, rest];
}

const none = /^(?:no|none|null|nil)(?:[_ ]?(?:function|tool|call|action|op|match))*$/i;

/** Whether an unknown name means that no tool is called: some models respond with it if no tool helps. */
export const saysNone = (name: string): boolean => none.test(name);
