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

/** The maximum number of characters to check around a call, so that reading stays linear. */
const reach = 400;
const before = (text: string, start: number): string => text.slice(Math.max(0, start - reach), start);

/**
 * Whether the calls of a response were made: `sure` if there is nothing else; `loose` if brackets, commas or fences around them
 * aren't a list (`open` for an unclosed list, `cut` for one that ends in a comma); `no` if the response only shows or describes
 * them; `doubtful` if other words follow; `unclear` if words before the calls of a tool that writes may have another meaning.
 */
export type Made = 'no' | 'doubtful' | 'unclear' | 'likely' | 'loose' | 'open' | 'cut' | 'sure';

/** Languages of fences in which models write calls. Calls in code are inferred, because code is also shown. */
const asked = /^(?:json|(?:tool)*tool_code|tool_call)?$/;
/** Languages for plain text, in which a list of calls may be the complete response. */
const plain = /^plaintext$/;

/** Characters around calls that are the complete response. Quotes, emphasis and code may show them instead. */
const bare = /^[\s[\](){},;]*$/;
/** The start of a list at the start of a response, before its first call. */
const opens = /^\s*(?:"""\s*)?(?:return\s+)?[[(\s'"`*]*$/;
const returns = /^\s*(?:"""\s*)?return\s+$/;
/** What can precede a call on its line: a list marker, brackets, quotes, or an introduction that ends in a colon or an arrow. */
const begins = /^\s*(?:(?:[-*•+]|\d{1,3}[.)])\s+)?[[({'"`*]*$|^(?!\s*[>|])[^=]*(?:[:：]|[-=]>|→)[ \t*]*[[({'"`*]*$/u;
/** Only such signs. Words on the same line may retract the call, in any language. */
const unled = /^\s*(?:\d{1,3}[.)]\s)?[^\p{L}\p{N}]*$/u;
/** What can follow a call on its line: closers, a comment. */
const closing = /^[\s\])}'"`*;,]*/;
const ends = /^[\s)\]},;'"`*\\]*(?:#.*)?$/;
/** Code that prints the result of a call. */
const printed = /^[ \t]*print\([\w., \t]*\)[ \t\r]*$/gm;
/** An introduction that has ended: with a sentence, a colon, or its paragraph. */
const leadIn = /(?:[.:!…。：！*_`]\s*|\n[^\S\n]*\n\s*)\[?\s*$/;
/** A tag right before a call that is indented like code. */
const tagInCode = /(?:^(?:\s*\n)?|\n[ \t]*\n)(?: {4}| {0,3}\t)[ \t]*<[^<>\n]{1,40}>\s*$/;
const comment = /^\s*\/\//m;
/** A link, which looks like a list with one call. */
const link = /^\]?\([^)\s]|^\]?\[\d+\]\s*\n\s*\[\d+\]:|^\]?:[ \t]+\S/;
/** A fence that doesn't start its line, unless it follows a colon. */
const within = /[^\s:：`~][ \t]*(?:`{3,}|~{3,})[ \t]*\w*[ \t\r]*\n[\s[(]*$/;
/** The text after a call that is shown with its result, and before a call that is typed at a prompt. */
const result =
  /^[\])]*[ \t]*(?:(?:\s*#[ \t]*)?(?:[-=]>|[→⇒])|\r?\n\s*#[ \t]*(?:outputs?|results?|returns?|prints?)[ \t]*:)/i;
const prompt = />>>[ \t]*(?:\w+[ \t]*=[ \t]*)?[\w(]*$/;
const remark = /(?:^|\n)[ \t]*#+([^\n]*)\n[^\n]*$/;
/** Other JSON that ends right before a call. */
const behindData = /[}\]]\s*$|(?:^|\n)[ \t]*(?:null|true|false|-?\d[\d.]*|"[^"\n]*")\s*$/;
/** The calls of a response, the fences around them, and the text before, between and after them. */
interface Answer {
  readonly text: string;
  readonly regions: readonly PromptedRegion[];
  readonly first: PromptedRegion;
  readonly effect: Effect;
  readonly fences: readonly Fence[];
  readonly held: readonly (Fence | undefined)[];
  /** Whether a call is in a Python fence. */
  readonly inCode: readonly boolean[];
  readonly lead: string;
  readonly gaps: readonly string[];
  readonly rest: string;
  /** Where the last call ends. */
  readonly end: number;
  /** No words before the first call; none after the last; the calls are a list; their fences are usual for calls. */
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
    text,
    regions,
    first,
    effect,
    fences,
    held,
    lead,
    rest,
    end,
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

/** Reasons why calls are only shown, even without words around them. Each of them turns all calls into text. */
const shown: readonly Look[] = [
  // A quotation, a comment, a log or a document shows its content, as with a named dialect.
  (answer) =>
    inShownPlace(
      answer.text,
      answer.regions,
      answer.held,
      answer.closes && answer.gaps.every((gap) => light.test(gap)),
    ),
  // Python code that assigns the tool's name calls something else.
  ({ text, regions }) => isRebound(text, regions),
  // Conditional code doesn't call a tool that writes.
  ({ text, regions, inCode, effect }) =>
    effect !== 'read' && regions.some(({ start }, at) => inCode[at] === true && isGuarded(text, start)),
  // A fence of another language contains code of that language.
  ({ text, held, isList, leads, closes, effect }) =>
    held.some(
      (fence) =>
        fence &&
        !asked.test(fence.language) &&
        !isCode(text, fence) &&
        !(plain.test(fence.language) && isList && leads && closes && effect !== 'destructive'),
    ),
  // A Python fence only contains Python calls. It shows labelled lines.
  ({ regions, inCode }) => regions.some(({ form }, at) => form === 'named' && inCode[at]),
  // It shows JSON. If words follow, the calls are refused anyway.
  ({ regions, inCode, closes }) => closes && regions.some(({ strict }, at) => strict && inCode[at]),
  // A comment above a call in its fence explains why it is shown.
  ({ text, held: [fence], first }) => fence !== undefined && comment.test(text.slice(fence.body, first.start)),
  // A fence with other content next to the calls is a listing.
  ({ text, regions, held }) => held.some((fence, at) => fence && !isFilled(text, regions, at, fence)),
  // A marker in code is only mentioned.
  ({ text, regions, held, inCode }) =>
    regions.some(
      ({ start }, at) => (!held[at] || inCode[at]) && (held[at] ? tagBefore : tagInCode).test(before(text, start)),
    ),
  // A fence within a sentence is a quotation. Calls at a prompt or with their results are a session.
  ({ text, regions, held }) =>
    regions.some(({ start, end }, at) => {
      const near = before(text, start);
      return (!held[at] && within.test(near)) || prompt.test(near) || result.test(text.slice(end, end + reach));
    }),
  // JSON next to other JSON is a record.
  ({ first, lead, gaps, rest }) =>
    first.strict === true &&
    ([lead, ...gaps].some((one) => behindData.test(one)) ||
      [...gaps, rest].some((one) => /[[{]/.test(one[one.search(/\S/)] ?? ''))),
];

/** Only calls, in a usual form: neither quoted nor labelled, which could show them. */
const isAll: Look = ({ text, regions, first, lead, gaps, rest, isAsked }) =>
  isAsked &&
  [lead, rest, ...gaps].every((one) => bare.test(one)) &&
  !regions.some(({ form }) => form === 'named') &&
  !/^\[\s*["'`]/.test(text.slice(first.start, first.start + reach));

/** The text before a call: words, the comments above it in its fence, and the one directly above it. */
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
    const comments = [...[...inside.matchAll(/#+([^\n]*)/g)].map(([, one = '']) => one), ...remarksIn(regions[at])];
    return { lead: untagged(text.slice(from, fence ? Math.max(from, fence.open) : start)), comments, comment };
  });

/** The comments inside the brackets of calls. */
const remarksIn = (region: PromptedRegion | undefined): readonly string[] =>
  region?.comments?.map((comment) => comment.replace(/^(?:#+|\/{2,})/, '')) ?? [];

/** Whether these comments say what the calls do. */
function isRemarked({ regions }: Answer): boolean {
  const names = namesOf(regions);
  return regions.every((region) => remarksIn(region).every((comment) => isRemark(comment, names)));
}

const namesOf = (regions: readonly PromptedRegion[]): readonly string[] => [
  ...new Set(regions.flatMap(({ calls }) => calls.map(({ name }) => name))),
];

const isSeveral = ({ regions }: Answer): boolean => regions.reduce((sum, { calls }) => sum + calls.length, 0) > 1;

/** Whether every word before the calls of a tool that writes is harmless, or belongs to the calls. */
function isPlainlyLed(answer: Answer, words: () => CallWords): boolean {
  if (answer.effect === 'read') return true;
  const several = isSeveral(answer);
  const own = words();
  return leadsOf(answer).every(({ lead, comments }, at) =>
    [lead, ...comments].every((said) => strangeWords(said, own, { several, follows: at > 0 }).length === 0),
  );
}

/** Reasons why words around calls retract them or use them for something else. Each of them turns all calls into text. */
const disowned: readonly Look[] = [
  // Words after the calls say that nothing is done.
  ({ text, end }) => isTakenBack(text, end),
  // A list at the start of the response, and words that explain why it is shown.
  ({ text, regions, held, leads, isList }) =>
    leads && isList && regions.some(({ end }, at) => !held[at] && isShownAs(text, end)),
  // Words before a call don't announce it. For read-only tools, a sentence that leads up to a call at the end is enough.
  (answer) => {
    const { regions, inCode, effect, closes } = answer;
    const several = isSeveral(answer);
    const names = namesOf(regions);
    if (!isRemarked(answer)) return true;
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
  // A remark in brackets isn't part of the response.
  ({ text, regions, held }) => held.some((fence, at) => !fence && inRemark(text, regions, at)),
  // Statements around a call make it a program, which is only shown if it isn't in a fence.
  ({ text, regions, held, first }) =>
    first.form !== 'list' && regions.some((_, at) => !held[at] && isStatement(text, regions, at)),
  // A list with one call, followed by a URL, is a link.
  ({ text, end }) => link.test(text.slice(end, end + 200)),
];

/** A destructive call ends the response, after a complete introduction, on its own line or in a fence. */
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

/** Whether every call is on its own line, or in the list at the start of the response. */
const inLines: Look = ({ text, regions, lead, inCode, isList, effect }) => {
  const starts = isList && opens.test(lead);
  return regions.every(
    (_, at) => (starts && (at === 0 || !inCode[at])) || isLine(text, regions, at, inCode[at] === true, effect),
  );
};

/** Prose after calls explains them if they start the response, or are in a list or in code. Otherwise, it describes them. */
const isExplained: Look = ({ regions, first, held, inCode, lead, rest, leads }) => {
  if (inCode.includes(true) || (first.form === 'list' && returns.test(lead))) return true;
  const said = rest.replace(closing, '').trimEnd();
  const gap = rest.slice(0, rest.indexOf(said));
  if (!leads && !held[0] && !/\n[ \t]*\n/.test(gap)) return false;
  return !leads || !regions.some(({ strict }) => strict);
};

/** Determines whether the calls of a response were made, from their positions and the most dangerous effect of their tools. */
export function callsMade(
  text: string,
  regions: readonly PromptedRegion[],
  effect: Effect,
  words: () => CallWords,
): Made {
  const answer = answerOf(text, regions, effect);
  const holds = (look: Look): boolean => answer !== undefined && look(answer);
  if (!answer || shown.some(holds)) return 'no';
  if (isAll(answer)) {
    const written = writingOf(answer);
    if (!regions.some(({ comments }) => comments?.length)) return written;
    if (!isRemarked(answer)) return 'no';
    return !isPlainlyLed(answer, words) ? 'unclear' : written === 'sure' ? 'loose' : written;
  }
  if (disowned.some(holds)) return 'no';
  const isLikely =
    effect === 'destructive' ? mayDestroy(answer) : inLines(answer) && (answer.closes || isExplained(answer));
  if (!isLikely) return 'no';
  if (isEnd(answer)) return isPlainlyLed(answer, words) ? 'likely' : 'unclear';
  const { rest, isList, held } = answer;
  // A single short line may ask for permission, or retract the call.
  return effect !== 'read' && !isList && !held[0] && /^[^\n]{1,60}$/.test(rest.replace(closing, '').trimEnd())
    ? 'no'
    : 'doubtful';
}

/** Calls with or without `print(…)`, commas or semicolons between them, in one list or without; an unclosed list. */
const call = '(?:C|PC\\))';
const several = `${call}(?:[,;]?${call})*`;
const wellFormed = new RegExp(`^(?:${several}|\\[${several},?\\])$`);
const unclosed = new RegExp(`^\\[${several}(,?)$`);
/** Other brackets and commas around calls. Braces enclose a block or a template. */
const loosely = /^[[(,;P]*C(?:[,;)\][(P]*C)*(?:\[\]|[\])},;])*$/;
const openers: Readonly<Record<string, string>> = { ']': '[', ')': '(', '}': '{' };
const prints = /\bprint\(\s*$/;

/** What the signs around calls mean, if there is nothing else. */
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

/** The unmatched closers, if everything else is paired. */
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

/** The rest of a response of calls and signs: fences without calls, and superfluous closers. */
export function straySigns(text: string, regions: readonly PromptedRegion[]): string {
  const answer = answerOf(text, regions, 'read');
  if (!answer) return text;
  const { lead, gaps, rest, end, held, fences } = answer;
  const stray = fences.filter((fence) => !held.includes(fence)).map(({ open, end }) => text.slice(open, end).trim());
  const printed = regions.filter(({ start }) => prints.test(text.slice(Math.max(0, start - 40), start))).map(() => 'P');
  // Nothing after the tag of a marked call belongs to it.
  const closers = /<\//.test(text.slice(end))
    ? rest.trim()
    : unmatched([...printed, lead, ...gaps, rest].join('').replace(/\s/g, ''));
  return [closers, ...stray].filter(Boolean).join('\n');
}

/** Whether only calls follow the first, because words after a call may retract it. A read-only call can have a made-up result. */
function isEnd({ text, regions, effect, gaps, closes }: Answer): boolean {
  const kept = beforeResult(text, regions);
  const isOver =
    effect === 'read' &&
    (kept.length < regions.length || inventedResult.test(text.slice(kept.at(-1)?.end).slice(0, reach)));
  return (isOver || closes) && gaps.slice(0, isOver ? kept.length - 1 : undefined).every(isLabel);
}

/** The start of a line between calls: a list marker, or the variable for a result. */
const mark = /^\s*(?:(?:[-*•+]|\d{1,3}[.)])\s|\w+\s*=\s*$)/;

/** Between two calls: no words, or one line that introduces the next call. */
function isLabel(gap: string): boolean {
  const [said, ...more] = gap.split('\n').filter((line) => !light.test(line.replace(mark, '')));
  return more.length === 0 && (said === undefined || /[:：]["'`*\s]{0,9}$/.test(said));
}

/** The calls before the first result that the model made up. Later calls don't count. */
export function beforeResult(text: string, regions: readonly PromptedRegion[]): readonly PromptedRegion[] {
  const at = regions.findIndex(({ end }, index) =>
    inventedResult.test(text.slice(end, Math.min(end + reach, regions[index + 1]?.start ?? text.length))),
  );
  return at < 0 ? regions : regions.slice(0, at + 1);
}

/** Whether a fence only contains calls. In code, it can also contain statements. */
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

/** Whether a line only contains calls. In code, a statement can be around the call. */
function isLine(
  text: string,
  regions: readonly PromptedRegion[],
  at: number,
  inCode: boolean,
  effect: Effect,
): boolean {
  const { start, end, glued } = regions[at] as PromptedRegion;
  // Only up to the adjacent calls, because one line may contain thousands.
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

/** The text between two offsets, without the lines of fences and the tokens of chat templates. */
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
