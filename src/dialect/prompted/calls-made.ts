import type { Effect } from '../../tools/tool.ts';
import { inventedResult } from '../placement/candidate.ts';
import { isAnnounced, isRemark, leadsUp } from './announcement.ts';
import { type Fence, fenceAt, fenceFrom, fencesIn, isCode } from './fences.ts';
import { type CallWords, strangeWords } from './plain-words.ts';
import { isGuarded, isRebound, isStatement } from './program.ts';
import { light } from './quoted-call.ts';
import type { PromptedRegion } from './regions.ts';
import { isShownAs, isTakenBack } from './retraction.ts';
import { inShownPlace, tagBefore, untagged } from './shown-place.ts';

/** No more than this is looked through around a call, so that reading stays linear. */
const reach = 400;
const before = (text: string, start: number): string => text.slice(Math.max(0, start - reach), start);

/**
 * Whether the calls of an answer were made: `sure` where it is nothing else, `loose` where brackets, commas or fences stand around
 * them that are no list (a list that nothing closes is `open`, or `cut` behind a comma), `no` where it shows or tells of them, `doubtful` where other words follow,
 * `unclear` where words before the calls of a tool that writes may say something else.
 */
export type Made = 'no' | 'doubtful' | 'unclear' | 'likely' | 'loose' | 'open' | 'cut' | 'sure';

/** Languages of fences that answers in calls stand in. In code they are likely at best, since code is shown too. */
const asked = /^(?:json|(?:tool)*tool_code|tool_call)?$/;
/** In text without a language a list of calls may be all of the answer. */
const plain = /^plaintext$/;

/** What stands around calls that are all of an answer: what is quoted, emphasised or written as code may be shown. */
const bare = /^[\s[\](){},;]*$/;
/** A list that begins an answer, of which the first call follows. */
const opens = /^\s*(?:"""\s*)?(?:return\s+)?[[(\s'"`*]*$/;
const returns = /^\s*(?:"""\s*)?return\s+$/;
/** What a line may begin with before a call: a list's mark, brackets, quotes; or a lead-in that ends in a colon or an arrow. */
const begins = /^\s*(?:(?:[-*•+]|\d{1,3}[.)])\s+)?[[({'"`*]*$|^(?!\s*[>|])[^=]*(?:[:：]|[-=]>|→)[ \t*]*[[({'"`*]*$/u;
/** Nothing but such signs. What words lead in, in one line with it, they may take back, in whatever language they are. */
const unled = /^\s*(?:\d{1,3}[.)]\s)?[^\p{L}\p{N}]*$/u;
/** What it may end with: closers, a comment. */
const closing = /^[\s\])}'"`*;,]*/;
const ends = /^[\s)\]},;'"`*\\]*(?:#.*)?$/;
/** Code that prints what a call gave. */
const printed = /^[ \t]*print\([\w., \t]*\)[ \t\r]*$/gm;
/** A lead-in that has ended: with a sentence, a colon, or its paragraph. */
const leadIn = /(?:[.:!…。：！*_`]\s*|\n[^\S\n]*\n\s*)\[?\s*$/;
/** A tag that is indented as code is, right before a call. */
const tagInCode = /(?:^(?:\s*\n)?|\n[ \t]*\n)(?: {4}| {0,3}\t)[ \t]*<[^<>\n]{1,40}>\s*$/;
const comment = /^\s*\/\//m;
/** A link that a list of one call looks like. */
const link = /^\]?\([^)\s]|^\]?\[\d+\]\s*\n\s*\[\d+\]:|^\]?:[ \t]+\S/;
/** A fence that does not begin its line, unless a colon leads it in. */
const within = /[^\s:：`~][ \t]*(?:`{3,}|~{3,})[ \t]*\w*[ \t\r]*\n[\s[(]*$/;
/** What stands behind a call that is shown with its result, and before one that is typed at a prompt. */
const result =
  /^[\])]*[ \t]*(?:(?:\s*#[ \t]*)?(?:[-=]>|[→⇒])|\r?\n\s*#[ \t]*(?:outputs?|results?|returns?|prints?)[ \t]*:)/i;
const prompt = />>>[ \t]*(?:\w+[ \t]*=[ \t]*)?[\w(]*$/;
const remark = /(?:^|\n)[ \t]*#+([^\n]*)\n[^\n]*$/;
/** Other JSON that ends right before a call. */
const behindData = /[}\]]\s*$|(?:^|\n)[ \t]*(?:null|true|false|-?\d[\d.]*|"[^"\n]*")\s*$/;
/** The calls of an answer, the fences that hold them, and what stands before, between and behind them. */
interface Answer {
  readonly text: string;
  readonly regions: readonly PromptedRegion[];
  readonly first: PromptedRegion;
  readonly effect: Effect;
  readonly fences: readonly Fence[];
  readonly held: readonly (Fence | undefined)[];
  /** Whether a call stands in a fence of Python. */
  readonly inCode: readonly boolean[];
  readonly lead: string;
  readonly gaps: readonly string[];
  readonly rest: string;
  /** Where the last call ends. */
  readonly end: number;
  /** No words before the first call; none behind the last; the calls are a list; their fences are what calls are asked for in. */
  readonly leads: boolean;
  readonly closes: boolean;
  readonly isList: boolean;
  readonly isAsked: boolean;
}

function answerOf(text: string, regions: readonly PromptedRegion[], effect: Effect): Answer | undefined {
  const [first] = regions;
  if (!first) return undefined;
  const end = regions.at(-1)?.end ?? first.end;
  const fences = fencesIn(text);
  const held = regions.map(({ start }) => fenceAt(fences, start));
  const lead = between(text, 0, first.start, fences);
  const rest = between(text, end, text.length, fences).replace(printed, '');
  return {
    ...{ text, regions, first, effect, fences, held, lead, rest, end },
    inCode: held.map((fence) => fence !== undefined && isCode(text, fence)),
    gaps: regions
      .slice(1)
      .map(({ start }, at) => between(text, regions[at]?.end ?? 0, start, fences).replace(printed, '')),
    leads: light.test(lead),
    closes: light.test(rest),
    isList: first.form === 'list' || /\[[\s'"`]*$/.test(lead),
    isAsked: held.every((fence) => !fence || asked.test(fence.language)),
  };
}

type Look = (answer: Answer) => boolean;

/** What shows calls even where no words stand around them: each of these makes all of them text. */
const shown: readonly Look[] = [
  // A quotation, a comment, a log or a document shows what it holds, as it does where a dialect is named.
  (answer) =>
    inShownPlace(
      answer.text,
      answer.regions,
      answer.held,
      answer.closes && answer.gaps.every((gap) => light.test(gap)),
    ),
  // Python that gives the name of the tool to something else calls that.
  ({ text, regions }) => isRebound(text, regions),
  // What code reaches under a condition only is no call of a tool that writes.
  ({ text, regions, inCode, effect }) =>
    effect !== 'read' && regions.some(({ start }, at) => inCode[at] === true && isGuarded(text, start)),
  // A fence of another language holds code of that language.
  ({ text, held, isList, leads, closes, effect }) =>
    held.some(
      (fence) =>
        fence &&
        !asked.test(fence.language) &&
        !isCode(text, fence) &&
        !(plain.test(fence.language) && isList && leads && closes && effect !== 'destructive'),
    ),
  // One of Python holds calls in Python alone, and shows labelled lines.
  ({ regions, inCode }) => regions.some(({ form }, at) => form === 'named' && inCode[at]),
  // It shows JSON that it holds; what words follow is refused in any case.
  ({ regions, inCode, closes }) => closes && regions.some(({ strict }, at) => strict && inCode[at]),
  // A comment above a call in its fence says what it is shown for.
  ({ text, held: [fence], first }) => fence !== undefined && comment.test(text.slice(fence.body, first.start)),
  // A fence with anything beside the calls is a listing.
  ({ text, regions, held }) => held.some((fence, at) => fence && !isFilled(text, regions, at, fence)),
  // A marker in code is spoken of.
  ({ text, regions, held, inCode }) =>
    regions.some(
      ({ start }, at) => (!held[at] || inCode[at]) && (held[at] ? tagBefore : tagInCode).test(before(text, start)),
    ),
  // A fence that opens within a sentence is quoted by it; what is typed at a prompt, or stands with its result, is a session.
  ({ text, regions, held }) =>
    regions.some(({ start, end }, at) => {
      const near = before(text, start);
      return (!held[at] && within.test(near)) || prompt.test(near) || result.test(text.slice(end, end + reach));
    }),
  // JSON beside other JSON is a record.
  ({ first, lead, gaps, rest }) =>
    first.strict === true &&
    ([lead, ...gaps].some((one) => behindData.test(one)) ||
      [...gaps, rest].some((one) => /[[{]/.test(one[one.search(/\S/)] ?? ''))),
];

/** Nothing but calls, in what they were asked for in: neither quoted nor labelled, which may show them. */
const isAll: Look = ({ text, regions, first, lead, gaps, rest, isAsked }) =>
  isAsked &&
  [lead, rest, ...gaps].every((one) => bare.test(one)) &&
  !regions.some(({ form }) => form === 'named') &&
  !/^\[\s*["'`]/.test(text.slice(first.start, first.start + reach));

/** What stands before a call: words, the comments above it in its fence, and the one right above it. */
interface Lead {
  readonly lead: string;
  readonly comments: readonly string[];
  readonly comment: string;
}

const leadsOf = ({ text, regions, held }: Answer): readonly Lead[] =>
  regions.map(({ start }, at) => {
    const fence = held[at];
    const other = held[at - 1] === fence ? undefined : held[at - 1]?.end;
    const from = other ?? regions[at - 1]?.end ?? 0;
    const [, comment = ''] = (fence && remark.exec(text.slice(Math.max(fence.body, start - reach), start))) || [];
    const inside = fence ? text.slice(Math.max(fence.body, regions[at - 1]?.end ?? 0), start) : '';
    const comments = [...inside.matchAll(/#+([^\n]*)/g)].map(([, one = '']) => one);
    return { lead: untagged(text.slice(from, fence ? Math.max(from, fence.open) : start)), comments, comment };
  });

const isSeveral = ({ regions }: Answer): boolean => regions.reduce((sum, { calls }) => sum + calls.length, 0) > 1;

/** Whether each word before the calls of a tool that writes is harmless, or one of the calls' own. */
function isPlainlyLed(answer: Answer, words: () => CallWords): boolean {
  if (answer.effect === 'read') return true;
  const several = isSeveral(answer);
  const own = words();
  return leadsOf(answer).every(({ lead, comments }, at) =>
    [lead, ...comments].every((said) => strangeWords(said, own, { several, follows: at > 0 }).length === 0),
  );
}

/** What takes back calls that words stand around, or gives them to something else: each of these makes all of them text. */
const disowned: readonly Look[] = [
  // Words behind the calls say that nothing is done.
  ({ text, end }) => isTakenBack(text, end),
  // A list that begins the answer, and words that say what it is shown for.
  ({ text, regions, held, leads, isList }) =>
    leads && isList && regions.some(({ end }, at) => !held[at] && isShownAs(text, end)),
  // Words before a call do not announce it; for tools that read, what leads up to a call that ends the answer does too.
  (answer) => {
    const { regions, inCode, effect, closes } = answer;
    const several = isSeveral(answer);
    const names = [...new Set(regions.flatMap(({ calls }) => calls.map(({ name }) => name)))];
    return leadsOf(answer).some(({ lead, comment }, at) => {
      const announced =
        isAnnounced(lead, names, {
          follows: at > 0,
          inCode: inCode[at] === true,
          several,
          glued: regions[at]?.glued === true,
        }) ||
        (effect === 'read' && closes && leadsUp(lead, names, true));
      return !announced || !isRemark(comment, names);
    });
  },
  // A remark in brackets is none of the answer.
  ({ text, regions, held }) => held.some((fence, at) => !fence && inRemark(text, regions, at)),
  // Statements around a call make a program of it, which is shown where no fence holds it.
  ({ text, regions, held, first }) =>
    first.form !== 'list' && regions.some((_, at) => !held[at] && isStatement(text, regions, at)),
  // A list of one call with an address behind it is a link.
  ({ text, end }) => link.test(text.slice(end, end + 200)),
];

/** A call that destroys ends the answer, behind a lead-in that is over, on a line of its own or in a fence. */
const mayDestroy: Look = ({ text, first, held, lead, gaps, closes, isAsked }) => {
  const line = text.slice(text.lastIndexOf('\n', first.start - 1) + 1, first.start);
  return (
    closes &&
    isAsked &&
    gaps.every((gap) => light.test(gap)) &&
    leadIn.test(lead) &&
    (held[0] !== undefined || /^ {0,3}\[?$/.test(line))
  );
};

/** Every call has its line to itself, or the list that begins the answer. */
const inLines: Look = ({ text, regions, lead, inCode, isList, effect }) => {
  const starts = isList && opens.test(lead);
  return regions.every(
    (_, at) => (starts && (at === 0 || !inCode[at])) || isLine(text, regions, at, inCode[at] === true, effect),
  );
};

/** Prose behind calls explains them where they begin the answer, or stand in a list or in code; else it speaks of them. */
const isExplained: Look = ({ regions, first, held, inCode, lead, rest, leads }) => {
  if (inCode.includes(true) || (first.form === 'list' && returns.test(lead))) return true;
  const said = rest.replace(closing, '').trimEnd();
  const gap = rest.slice(0, rest.indexOf(said));
  if (!leads && !held[0] && !/\n[ \t]*\n/.test(gap)) return false;
  return !leads || !regions.some(({ strict }) => strict);
};

/** Tells whether the calls of an answer were made, by where they stand in it, and by the worst that their tools do. */
export function callsMade(
  text: string,
  regions: readonly PromptedRegion[],
  effect: Effect,
  words: () => CallWords,
): Made {
  const answer = answerOf(text, regions, effect);
  const holds = (look: Look): boolean => answer !== undefined && look(answer);
  if (!answer || shown.some(holds)) return 'no';
  if (isAll(answer)) return writingOf(answer);
  if (disowned.some(holds)) return 'no';
  const isLikely =
    effect === 'destructive' ? mayDestroy(answer) : inLines(answer) && (answer.closes || isExplained(answer));
  if (!isLikely) return 'no';
  if (isEnd(answer)) return isPlainlyLed(answer, words) ? 'likely' : 'unclear';
  const { rest, isList, held } = answer;
  // One short line alone asks for leave or takes it back.
  return effect !== 'read' && !isList && !held[0] && /^[^\n]{1,60}$/.test(rest.replace(closing, '').trimEnd())
    ? 'no'
    : 'doubtful';
}

/** Calls, with or without `print(…)`, commas or semicolons between them, as they are or in one list; a list that nothing closes. */
const call = '(?:C|PC\\))';
const several = `${call}(?:[,;]?${call})*`;
const wellFormed = new RegExp(`^(?:${several}|\\[${several},?\\])$`);
const unclosed = new RegExp(`^\\[${several}(,?)$`);
/** Other brackets and commas around calls. What braces hold is a block or a template. */
const loosely = /^[[(,;P]*C(?:[,;)\][(P]*C)*(?:\[\]|[\])},;])*$/;
const openers: Readonly<Record<string, string>> = { ']': '[', ')': '(', '}': '{' };
const prints = /\bprint\(\s*$/;

/** What signs that are all that stands around calls make of them. */
function writingOf({ text, regions, lead, gaps, rest, fences, held }: Answer): Made {
  const before = [lead, ...gaps].map((gap, at) => {
    const start = regions[at]?.start ?? 0;
    return gap + (prints.test(text.slice(Math.max(0, start - 40), start)) ? 'PC' : 'C');
  });
  const signs = (before.join('') + rest).replace(/\s/g, '');
  const [fence] = held;
  const isOne =
    !regions.some(({ loose }) => loose) &&
    held.every((one) => one === fence) &&
    fences.every((one) => one === fence && one.close < one.end);
  if (wellFormed.test(signs)) return isOne ? 'sure' : 'loose';
  const [open, comma] = unclosed.exec(signs) ?? [];
  if (open) return comma ? 'cut' : 'open';
  return loosely.test(signs) && unmatched(signs) !== undefined ? 'loose' : 'no';
}

/** The closers that nothing opened, if everything else pairs up. */
function unmatched(signs: string): string | undefined {
  const open: string[] = [];
  let extra = '';
  for (const sign of signs) {
    const opener = openers[sign];
    if (sign === '[' || sign === '(' || sign === 'P') open.push(sign === 'P' ? '(' : sign);
    else if (opener && open.length === 0) extra += sign;
    else if (opener && open.pop() !== opener) return undefined;
  }
  return open.length === 0 ? extra : undefined;
}

/** What is left of an answer of calls and signs: fences that hold none, and closers too many. */
export function straySigns(text: string, regions: readonly PromptedRegion[]): string {
  const answer = answerOf(text, regions, 'read');
  if (!answer) return text;
  const { lead, gaps, rest, end, held, fences } = answer;
  const stray = fences.filter((fence) => !held.includes(fence)).map(({ open, end }) => text.slice(open, end).trim());
  const printed = regions.filter(({ start }) => prints.test(text.slice(Math.max(0, start - 40), start))).map(() => 'P');
  // Behind the tag of a marked call nothing belongs to it.
  const closers = /<\//.test(text.slice(end))
    ? rest.trim()
    : unmatched([...printed, lead, ...gaps, rest].join('').replace(/\s/g, ''));
  return [closers, ...stray].filter(Boolean).join('\n');
}

/** Nothing but calls follows the first: words behind a call may take it back. One that reads may have a result that the model made up. */
function isEnd({ text, regions, effect, gaps, closes }: Answer): boolean {
  const kept = beforeResult(text, regions);
  const isOver =
    effect === 'read' &&
    (kept.length < regions.length || inventedResult.test(text.slice(kept.at(-1)?.end).slice(0, reach)));
  return (isOver || closes) && gaps.slice(0, isOver ? kept.length - 1 : undefined).every(isLabel);
}

/** What a line between calls begins with: a list's mark, or the name that code gives a result. */
const mark = /^\s*(?:(?:[-*•+]|\d{1,3}[.)])\s|\w+\s*=\s*$)/;

/** Between two calls: no words, or one line that leads in the next. */
function isLabel(gap: string): boolean {
  const [said, ...more] = gap.split('\n').filter((line) => !light.test(line.replace(mark, '')));
  return more.length === 0 && (said === undefined || /[:：]["'`*\s]{0,9}$/.test(said));
}

/** The calls before the first result that the model made up: what it continued from there is none. */
export function beforeResult(text: string, regions: readonly PromptedRegion[]): readonly PromptedRegion[] {
  const at = regions.findIndex(({ end }, index) =>
    inventedResult.test(text.slice(end, Math.min(end + reach, regions[index + 1]?.start ?? text.length))),
  );
  return at < 0 ? regions : regions.slice(0, at + 1);
}

/** Whether a fence holds nothing but calls beside this one; in code, statements may stand there. */
function isFilled(text: string, regions: readonly PromptedRegion[], at: number, fence: Fence): boolean {
  if (isCode(text, fence)) return true;
  const { start, end } = regions[at] as PromptedRegion;
  const before = text.slice(Math.max(fence.body, regions[at - 1]?.end ?? 0), start);
  const behind = text.slice(end, Math.min(fence.close, regions[at + 1]?.start ?? text.length));
  return light.test(before.replace(/\bprint\(\s*$/, '')) && light.test(behind);
}

/** Whether a bracket is open before a call on its line, with words in it: `(Next: f())`. */
function inRemark(text: string, regions: readonly PromptedRegion[], at: number): boolean {
  const { start } = regions[at] as PromptedRegion;
  const line =
    text
      .slice(Math.max(regions[at - 1]?.end ?? 0, start - reach), start)
      .split(/[\n\])）]/)
      .at(-1) ?? '';
  const open = line.search(/[[(（]/);
  return open >= 0 && /[\p{L}\p{N}]/u.test(line.slice(open));
}

/** Whether a call has its line to itself, with others or alone; in code a statement may stand around it. */
function isLine(
  text: string,
  regions: readonly PromptedRegion[],
  at: number,
  inCode: boolean,
  effect: Effect,
): boolean {
  const { start, end, glued } = regions[at] as PromptedRegion;
  // Only up to the calls around it: one line may hold thousands.
  const before = text.slice(regions[at - 1]?.end ?? 0, start);
  const line = before.lastIndexOf('\n') + 1;
  const head = untagged(before.slice(line));
  const next = regions[at + 1]?.start ?? text.length;
  const behind = text.slice(end, next);
  const stop = behind.indexOf('\n');
  const rest = next === text.length || stop >= 0 ? untagged(stop < 0 ? behind : behind.slice(0, stop)) : '';
  if (inCode) return ends.test(rest.replace(/^\]?\(\)|^(?:\[[\w'"]{1,60}\])+/, ''));
  const fits = glued === true || (begins.test(head) && (effect === 'read' || unled.test(head)));
  return (line === 0 && at > 0 ? light.test(head) : fits) && ends.test(rest);
}

/** What stands between two places, but for the lines of fences and tokens of the template. */
function between(text: string, start: number, end: number, fences: readonly Fence[]): string {
  let left = '';
  let at = start;
  for (let next = fenceFrom(fences, start); next < fences.length; next++) {
    const { open, body, close, end: over } = fences[next] as Fence;
    if (open >= end) break;
    for (const [from, to] of [
      [open, body],
      [close, over],
    ] as const) {
      if (to <= at || from >= end) continue;
      left += text.slice(at, Math.max(at, from));
      at = Math.min(end, to);
    }
  }
  return untagged(left + text.slice(at, end));
}
