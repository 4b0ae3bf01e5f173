import type { Effect } from '../../tools/tool.ts';
import { newPlace, passCall, passText, quotePairs, resultBlock } from '../placement/place.ts';
import { endsInQuestion } from '../placement/question.ts';
import { aroundOf, isClosedBy, isShown } from '../placement/shown.ts';
import { dialects } from '../rows/index.ts';
import { type Fence, fenceAt, fenceFrom, fencesIn } from './fences.ts';
import { isDisowned, isTakenBack } from './lead-in.ts';
import type { PromptedRegion } from './regions.ts';

/** No more than this is looked through around a call, so that reading stays linear. */
const reach = 400;
const before = (text: string, start: number): string => text.slice(Math.max(0, start - reach), start);

/** Whether the calls of an answer were made: `sure` where it is nothing else, `no` where it shows or tells of them. */
type Made = 'no' | 'likely' | 'sure';

/** Languages of fences that answers in calls stand in. In code they are likely at best, since code is shown too. */
const asked = /^(?:json|(?:tool)*tool_code|tool_call)?$/;
const code = /^(?:py|python3?)$/;
/** In text without a language a list of calls may be all of the answer. */
const plain = /^plaintext$/;

/** The tags that dialects write around calls; a list of all tools holds none. */
const markers = new Set<string>(
  dialects
    .flatMap(({ forms, sections = [], drop = [] }) => [
      ...forms.flatMap(({ open, close = [] }) => [open, ...close]),
      ...sections.flat(),
      ...drop,
    ])
    .join()
    .match(/<\/?(?!tools>)[a-z_:]+>/gi),
);
const tokens = /\bprint\((?=\s*$)|<\|[^<>\n]{1,40}\|>|<\/?[\w:]+>/g;
/** Text without tokens of a template, the tags of dialects, and what prints a result. */
const untagged = (text: string): string =>
  text.replace(tokens, (one) =>
    (/^<[^|]/.test(one) ? markers.has(one) : !/resp|result|output/i.test(one)) ? '' : one,
  );
/** What stands around calls, and between them: brackets of their list, quotes. */
const light = /^[\s[\](){},;'"`*]*$/;
/** The same, of calls that are all of an answer: what is quoted, emphasised or written as code may be shown. */
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
/** A lead-in that has ended: with a sentence, a colon, or its paragraph. */
const leadIn = /(?:[.:!…。：！*_`]\s*|\n[^\S\n]*\n\s*)\[?\s*$/;
/** A tag right before a call, and one that is indented as code is. */
const tagBefore = /<[^<>\n]{1,40}>\s*$/;
const tagInCode = /(?:^|\n[ \t]*\n)(?: {4}| {0,3}\t)[ \t]*<[^<>\n]{1,40}>\s*$/;
const comment = /^\s*\/\//m;
/** A link that a list of one call looks like. */
const link = /^\]?\([^)\s]|^\]?\[\d+\]\s*\n\s*\[\d+\]:|^\]?:[ \t]+\S/;
/** A fence that does not begin its line, unless a colon leads it in. */
const within = /[^\s:：`~][ \t]*(?:`{3,}|~{3,})[ \t]*\w*[ \t\r]*\n[\s[(]*$/;
/** What stands behind a call that is shown with its result, and before one that is typed at a prompt. */
const result =
  /^[\])]*[ \t]*(?:(?:\s*#[ \t]*)?(?:[-=]>|[→⇒])|\r?\n\s*#[ \t]*(?:outputs?|results?|returns?|prints?)[ \t]*:)/i;
const prompt = />>>[ \t]*(?:\w+[ \t]*=[ \t]*)?[\w(]*$/;
/** Many models that were asked for calls tell behind them, in a comment, what would come out. */
const foretold = /^[\])]*[ \t]*#[ \t]*(?:outputs?|results?|returns?|prints?)\b/i;
/** Code that gives a name to something that can be called, and code that defines a function. */
const binding =
  /^[ \t]*class[ \t]+(\w+)|^[ \t]*([\w.]+)[ \t]*(?::[^=\n]{1,60})?=[ \t]*(?:lambda\b|[A-Za-z_][\w.]*[ \t\r]*(?:[[(#][^\n]*)?\n)|^[ \t]*(?:from|import|with)\b(?=[^\n]{0,200}\bas[ \t]+(\w+))|\b(?:patch|setattr)[\w.]*\([^\n]{0,200}?["'.](\w{1,64})["']/gm;
const defining = /^[ \t]*(?:async[ \t]+)?def[ \t]+(\w+)/gm;
/** Other JSON that ends right before a call. */
const behindData = /[}\]]\s*$|(?:^|\n)[ \t]*(?:null|true|false|-?\d[\d.]*|"[^"\n]*")\s*$/;
/** A statement of code that makes no call of a tool. */
const statement =
  /^[ \t]*(?:(\w+)[ \t]*(?::[^=\n]{1,60})?=(?!=)[ \t]*\S|[\w.]+[ \t]*=(?!=)|import[ \t]+\w|from[ \t]+[\w.]+[ \t]+import\b|(?:with|for|while|if|elif|else|try|except|finally|async)\b[^\n]{0,200}:[ \t]*$|return\b)/;

/** The calls of an answer, the fences that hold them, and what stands before, between and behind them. */
interface Answer {
  readonly text: string;
  readonly regions: readonly PromptedRegion[];
  readonly first: PromptedRegion;
  readonly effect: Effect;
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
  const rest = between(text, end, text.length, fences);
  return {
    ...{ text, regions, first, effect, held, lead, rest, end },
    inCode: held.map((fence) => fence !== undefined && code.test(fence.language)),
    gaps: regions.slice(1).map(({ start }, at) => between(text, regions[at]?.end ?? 0, start, fences)),
    leads: light.test(lead),
    closes: light.test(rest),
    isList: first.form === 'list' || /\[[\s'"`]*$/.test(lead),
    isAsked: held.every((fence) => !fence || asked.test(fence.language)),
  };
}

type Look = (answer: Answer) => boolean;

/** What shows calls even where no words stand around them: each of these makes all of them text. */
const shown: readonly Look[] = [
  // An element that no dialect writes around calls is a quotation, a log or a document.
  ({ text, regions }) => inElement(text, regions),
  // Behind a marker, a place that shows calls of a dialect that is named shows them here too: a literal, a block of YAML.
  ({ text, regions }) => inShownPlace(text, regions),
  // Python that gives the name of the tool to something else calls that.
  ({ text, regions }) => isRebound(text, regions, binding),
  // What code reaches under a condition only is no call of a tool that writes.
  ({ text, regions, inCode, effect }) =>
    effect !== 'read' && regions.some(({ start }, at) => inCode[at] === true && isGuarded(text, start)),
  // A fence of another language holds code of that language.
  ({ held, isList, leads, closes, effect }) =>
    held.some(
      (fence) =>
        fence &&
        !asked.test(fence.language) &&
        !code.test(fence.language) &&
        !(plain.test(fence.language) && isList && leads && closes && effect !== 'destructive'),
    ),
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
  !regions.some(({ labelled }) => labelled) &&
  !/^\[\s*["'`]/.test(text.slice(first.start, first.start + reach));

/** What takes back calls that words stand around, or gives them to something else: each of these makes all of them text. */
const disowned: readonly Look[] = [
  // Words behind the calls say that nothing is done.
  ({ text, end }) => isTakenBack(text, end),
  // Words before a call refuse it, ask, or say whose it is.
  ({ text, regions, held, inCode }) =>
    regions.some(({ start }, at) => {
      const other = held[at - 1] === held[at] ? undefined : held[at - 1]?.end;
      return isDisowned(text, other ?? regions[at - 1]?.end ?? 0, start, held[at], inCode[at] === true);
    }),
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
const isExplained: Look = ({ regions, first, held, inCode, lead, rest, leads, isList, effect }) => {
  if (inCode.includes(true) || (first.form === 'list' && returns.test(lead))) return true;
  const said = rest.replace(closing, '').trimEnd();
  const gap = rest.slice(0, rest.indexOf(said));
  if (!leads && (held[0] || !/\n[ \t]*\n/.test(gap))) return false;
  // One short line alone asks for leave or takes it back, and explains nothing.
  const brief = isList ? (leads ? 40 : 60) : 150;
  if (effect !== 'read' && gap.includes('\n') && said.length <= brief && /^\p{L}[^\n]*$/u.test(said)) return false;
  return !regions.some(({ strict }) => strict) && (leads || isList);
};

/** Tells whether the calls of an answer were made, by where they stand in it, and by the worst that their tools do. */
export function callsMade(text: string, regions: readonly PromptedRegion[], effect: Effect): Made {
  const answer = answerOf(text, regions, effect);
  const holds = (look: Look): boolean => answer !== undefined && look(answer);
  if (!answer || shown.some(holds)) return 'no';
  if (isAll(answer)) return 'sure';
  if (disowned.some(holds)) return 'no';
  const isLikely =
    effect === 'destructive' ? mayDestroy(answer) : inLines(answer) && (answer.closes || isExplained(answer));
  return isLikely ? 'likely' : 'no';
}

/** Whether a marked call stands where its dialect, named, would read none: in a string, a comment, a listing, a result. */
function inShownPlace(text: string, regions: readonly PromptedRegion[]): boolean {
  const place = newPlace();
  let from = 0;
  return regions.some(({ start, end }) => {
    const [tag = ''] = tagBefore.exec(text.slice(Math.max(from, start - 60), start)) ?? [];
    passText(place, text.slice(from, start - tag.length));
    from = end;
    if (markers.has(tag.trim())) {
      const around = aroundOf(place);
      const [call, behind] = [text.slice(start, end), text.slice(end, end + farthest)];
      if (isShown(place, false, byName, undefined) || (around && isClosedBy(around, call, behind, true))) return true;
    }
    passCall(place);
    return false;
  });
}

const byName = { named: true, toolbox: true };
const farthest = 8000;

/** Whether code before a call gives the name of its tool to something else. */
function isRebound(text: string, regions: readonly PromptedRegion[], code: RegExp): boolean {
  const bound = new Set<string>();
  let from = 0;
  return regions.some(({ start, end, calls }) => {
    for (const [, ...names] of text.slice(from, start).matchAll(code))
      for (const name of names) if (name) bound.add(name);
    from = end;
    return calls.some(({ name }) => bound.has(name));
  });
}

const block = /^\s*(?:(?:el)?if|else|for|while|try|except|finally|with|match|case|async|def|class)\b[^\n]*:/;
const guarded = /\blambda\b|\b(?:and|or)\s+(?:\w+\()?$/;
const mostLines = 20;

/** Whether a call stands in a block of Python, or behind an operator, that decides whether it is reached. */
function isGuarded(text: string, start: number): boolean {
  const lines = text.slice(Math.max(0, start - 2000), start).split('\n');
  const head = lines.pop() ?? '';
  if (block.test(head) || guarded.test(head)) return true;
  let indent = head.search(/\S|$/);
  for (const line of lines.slice(-mostLines).toReversed()) {
    const size = line.search(/\S/);
    if (size < 0 || size >= indent) continue;
    if (block.test(line)) return true;
    indent = size;
  }
  return false;
}

/** Whether calls that were made, by where they stand, are of a program that defines what it calls, or tells what comes out. */
export const isProgram = (text: string, regions: readonly PromptedRegion[]): boolean =>
  isRebound(text, regions, defining) || regions.some(({ end }) => foretold.test(text.slice(end, end + reach)));

/** Whether a fence holds nothing but calls beside this one; in code, statements may stand there. */
function isFilled(text: string, regions: readonly PromptedRegion[], at: number, fence: Fence): boolean {
  if (code.test(fence.language)) return true;
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

/** Whether the line above a call that stands in no fence, or the one behind it, is code. */
function isStatement(text: string, regions: readonly PromptedRegion[], at: number): boolean {
  const { start, end } = regions[at] as PromptedRegion;
  const above = text.slice(Math.max(regions[at - 1]?.end ?? 0, start - reach), start).trimEnd();
  const below = text.slice(end, Math.min(regions[at + 1]?.start ?? text.length, end + reach)).trimStart();
  const written = text.slice(start, end);
  return [above.slice(above.lastIndexOf('\n') + 1), below.split('\n', 1)[0] ?? ''].some((line) => {
    const set = statement.exec(line);
    // A constant is no more than an argument.
    return set !== null && !(set[1] && new RegExp(`[(,=]\\s{0,9}${set[1]}\\s{0,9}[,)]`).test(written));
  });
}

/** Whether a call has its line to itself, with others or alone; in code a statement may stand around it. */
function isLine(
  text: string,
  regions: readonly PromptedRegion[],
  at: number,
  isCode: boolean,
  effect: Effect,
): boolean {
  const { start, end } = regions[at] as PromptedRegion;
  const before = regions[at - 1]?.end ?? -1;
  const from = Math.max(text.lastIndexOf('\n', start - 1) + 1, before);
  const head = untagged(text.slice(from, start));
  const stop = text.indexOf('\n', end);
  const next = regions[at + 1]?.start ?? text.length;
  const isLast = next === text.length || (stop >= 0 && stop < next);
  const rest = isLast ? untagged(text.slice(end, stop < 0 ? text.length : stop)) : '';
  if (isCode) return ends.test(rest.replace(/^\]?\(\)/, ''));
  const fits = begins.test(head) && (effect === 'read' || unled.test(head));
  return (from === before ? light.test(head) : fits) && ends.test(rest);
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

/** What ends in a colon, and a line of its own. */
const introduces = /[:：]\s*\n[\s[`]*$/;
const goesOn = /^[\])]?[,;]?[ \t]{1,4}(?!or \[\])\p{Ll}/u;
const asks = /^["'`\])]{0,3}[ \t]*[?？؟]/;
/** A request to confirm, behind a call. */
const confirms = /^\s*(?:please )?(?:confirm\b|type ["“'`]?(?:yes|ok)|reply ["“'`]?(?:yes|ok)|say ["“'`]?(?:yes|ok))/im;
/** Words and a blank, then the call: it breaks into a sentence, unless a colon or an arrow led to it. */
const words = /[\p{L}\p{N}][^:：=>→]*[^\S\n]["'`*]*$/u;
/** Comments, and operators that make code of it which does not run here. */
const marks = /^\s*(?:\/\/|--|;|%|@\w)|(?:\bnot|\blambda[^:\n]{0,40}:)\s+$/;

/** Whether a stretch of an answer is quoted, shown or spoken of, so that no call in it was made; `from`: where the one before it ends, `to`: where the next begins. */
export function isQuoted(
  text: string,
  from: number,
  { start, end, form }: PromptedRegion,
  to: number,
  destroys: boolean,
): boolean {
  const around = text.slice(Math.max(0, start - reach), start);
  const near = around.replace(/(?:<[^<>\n]{1,40}>\s*(?:call:)?|```\w*\n\s*)$/, '');
  const line = near.slice(near.lastIndexOf('\n') + 1);
  const behind = text.slice(end, Math.min(to, end + reach));
  const rest = behind.replace(/^(?:\s*<\/[^<>\n]{1,40}>|\s*\n```)/, '');
  const [after = ''] = rest.split('\n', 1);
  if (/^\s*>/.test(line) || (/^\s*\|/.test(line) && after.includes('|'))) return true;
  if (near.lastIndexOf('<!--') > near.lastIndexOf('-->') && text.slice(start, end + reach).includes('-->')) return true;
  // Inline code that begins an answer, or that more than a label leads in, may hold what was asked for, as many models write it.
  const isIn = (line.match(/`+/g)?.length ?? 0) % 2 === 1 && after.includes('`');
  const lead = text.slice(from, start);
  const isLed = light.test(lead) || ((from > 0 || lead.length > 100) && introduces.test(around));
  if (isIn && (destroys || !isLed || /^[^`]*`+.*[\p{L}\p{N}]/u.test(after))) return true;
  const quote = near.slice(-1);
  // Right behind a quote or a bracket a marker is spoken of.
  if (near !== around && (/["'`([]/.test(quote) || quotePairs[quote])) return true;
  if (rest !== behind && /^["'`”’»」]/.test(rest)) return true;
  const closers = closersOf(near === around ? quote.replace(/[([]/, '') : near);
  // In a list, quotes stand around calls that were asked for as a list.
  if (closers.includes(rest[0] ?? ' ') && (near !== around || !/[[,]\s*.$/.test(near))) return true;
  if (/("""|''')\s*$/.test(near) && /^\s*(?:"""|''')/.test(rest)) return true;
  if ((to === text.length && goesOn.test(after)) || asks.test(after)) return true;
  if (!destroys) return false;
  const begun = text.slice(Math.max(from, start - line.length), start);
  return (form !== 'list' && words.test(begun)) || marks.test(begun);
}

/** What would close the quotes and brackets that a text opens. */
function closersOf(text: string): string {
  const place = newPlace();
  passText(place, text);
  return place.awaited + place.curly;
}

const tag = /<(\/?)\|?([a-z_][\w:.-]{0,60})(?:\||\s[^<>\n]{0,200})?>/gi;

/** Whether an element stands around a call that is none of a dialect, or a block of results that nothing closes: it shows what it holds. */
function inElement(text: string, regions: readonly PromptedRegion[]): boolean {
  const open = new Map<string, number>();
  let from = 0;
  return regions.some(({ start, end }) => {
    for (const [one, closes, name = ''] of text.slice(from, start).matchAll(tag)) {
      if (closes) open.delete(name);
      else if (!markers.has(one) && open.size < mostOpen && !open.has(name))
        open.set(name, text.lastIndexOf(`</${name}>`));
    }
    from = end;
    return [...open].some(([name, close]) => close >= end || resultBlock.test(name));
  });
}

const mostOpen = 24;

/** Whether an answer ends by asking whether it shall be done. */
export const asksForConfirmation = (text: string, end: number): boolean => {
  const rest = text.slice(end);
  return rest.length < reach && (endsInQuestion(rest) || confirms.test(rest));
};

const signature =
  /^[ \t]*(?:[-*•+] )?([\p{L}_][\p{L}\p{N}_.]{0,100})\(([^()\n]{1,200})\)(?:[ \t]*->[^\n]{0,60})?[ \t]*[;,]?[ \t\r]*$/gmu;
/** A parameter by its name alone, or with its type. */
const parameter = /^\s*(?!(?:True|False|None|true|false|null)\s*$)[\p{L}_][\p{L}\p{N}_]*\s*(?::\s*\p{L}[^'"=]*)?$/u;

/** Names that code gives a value, or a loop. */
const assigned = /(?:^|\bfor |,)[ \t]*([\p{L}_][\p{L}\p{N}_]{0,100})(?=[^\n=(]{0,40}(?:=|\bin\b))/gmu;

/** Whether a line between or beside the calls names a tool with its parameters: then all lines list what there is. */
export function isListing(
  text: string,
  regions: readonly PromptedRegion[],
  isTool: (name: string) => boolean,
): boolean {
  const [first] = regions;
  if (!first) return false;
  const near = text.slice(Math.max(0, first.start - reach), (regions.at(-1)?.end ?? 0) + reach);
  let values: Set<string> | undefined;
  for (const [, name = '', given = ''] of near.matchAll(signature)) {
    const [one = ''] = given.split(',', 1);
    if (!isTool(name) || !parameter.test(one)) continue;
    values ??= new Set([...text.matchAll(assigned)].map(([, value = '']) => value));
    if (!values.has(one.split(':', 1)[0]?.trim() ?? '')) return true;
  }
  return false;
}
