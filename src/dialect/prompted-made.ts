import { type Fence, fenceAt, fenceFrom, fencesIn } from './prompted-fences.ts';
import type { PromptedRegion } from './prompted-regions.ts';

/** Whether the calls of an answer were made: `sure` where it is nothing else, `no` where it shows or tells of them. */
export type Made = 'no' | 'likely' | 'sure';

/** Languages of fences that answers in calls stand in. In code they are likely at best, since code is shown too. */
const asked = /^(?:json|\w*tool_code|tool_call)?$/;
const code = /^(?:py|python3?)$/;
/** In text without a language a list of calls may be all of the answer. */
const plain = /^plaintext$/;

/** Tokens of a template, the words in angle brackets that models put around calls, and what prints their result. */
const tokens = /\bprint\((?=\s*$)|<\|[^<>\n]{1,40}\|>|<\/?[a-z_]*(?:call|tool|function|action|json)[a-z_]*>|```/gi;
/** What stands around calls that are all of an answer, and between them: brackets of their list, quotes. */
const light = /^[\s[\](){},;'"`*]*$/;
/** A list that begins an answer, of which the first call follows. */
const opens = /^\s*(?:"""\s*)?(?:return\s+)?[[(\s'"`*]*$/;
const returns = /^\s*(?:"""\s*)?return\s+$/;
/** What a line may begin with before a call: a list's mark, brackets, quotes; or a lead-in that ends in a colon or an arrow. */
const begins = /^\s*(?:(?:[-*•+]|\d{1,3}[.)])\s+)?[[({'"`*]*$|^(?!\s*[>|])[^=]*(?:[:：]|[-=]>|→)[ \t*]*[[({'"`*]*$/u;
/** What it may end with: closers, a comment. */
const ends = /^[\s)\]},;'"`*\\]*(?:#.*)?$/;
/** A lead-in that has ended: with a sentence, a colon, or its paragraph. */
const leadIn = /(?:[.:!…。：！*_`]\s*|\n[^\S\n]*\n\s*)\[?\s*$/;
const comment = /^\s*\/\//m;
/** A link that a list of one call looks like. */
const link = /^\]?\([^)\s]|^\]?\[\d+\]\s*\n\s*\[\d+\]:/;

/** Tells whether the calls of an answer were made, by where they stand in it; `destroys`: one of their tools does. */
export function madeIn(text: string, regions: readonly PromptedRegion[], destroys: boolean): Made {
  const [first] = regions;
  const last = regions.at(-1);
  if (!first || !last) return 'no';
  const fences = fencesIn(text);
  const held = regions.map(({ start }) => fenceAt(fences, start));
  const lead = between(text, 0, first.start, fences);
  const leads = light.test(lead);
  const closes = light.test(between(text, last.end, text.length, fences));
  const isList = first.form === 'list' || /\[[\s'"`]*$/.test(lead);
  const isFit = ({ language }: Fence): boolean =>
    asked.test(language) || code.test(language) || (plain.test(language) && isList && leads && closes && !destroys);
  if (held.some((fence) => fence && !isFit(fence))) return 'no';
  if (held[0] && comment.test(text.slice(held[0].body, first.start))) return 'no';
  const isAsked = held.every((fence) => !fence || asked.test(fence.language));
  const joined = regions.every(
    ({ start }, at) => at === 0 || light.test(between(text, regions[at - 1]?.end ?? 0, start, fences)),
  );
  if (leads && closes && joined && isAsked) return 'sure';
  if (link.test(text.slice(last.end, last.end + 200))) return 'no';
  if (destroys) {
    const line = text.slice(text.lastIndexOf('\n', first.start - 1) + 1, first.start);
    return closes && joined && isAsked && leadIn.test(lead) && (held[0] || /^ {0,3}\[?$/.test(line)) ? 'likely' : 'no';
  }
  const inCode = held.map((fence) => fence !== undefined && code.test(fence.language));
  const starts = isList && opens.test(lead);
  if (
    !regions.every((_, at) => (starts && (at === 0 || !inCode[at])) || isLine(text, regions, at, inCode[at] === true))
  )
    return 'no';
  if (closes) return 'likely';
  // Prose behind calls explains them where they begin the answer, or stand in a list or in code; else it speaks of them.
  const isCode = inCode.includes(true) || (first.form === 'list' && returns.test(lead));
  if (regions.some(({ strict }) => strict) && !isCode) return 'no';
  return leads || isList || isCode ? 'likely' : 'no';
}

/** Whether a call has its line to itself, with others or alone; in code a statement may stand around it. */
function isLine(text: string, regions: readonly PromptedRegion[], at: number, isCode: boolean): boolean {
  const { start, end } = regions[at] as PromptedRegion;
  const before = regions[at - 1]?.end ?? -1;
  const from = Math.max(text.lastIndexOf('\n', start - 1) + 1, before);
  const head = text.slice(from, start).replace(tokens, '');
  const stop = text.indexOf('\n', end);
  const next = regions[at + 1]?.start ?? text.length;
  const isLast = next === text.length || (stop >= 0 && stop < next);
  const rest = isLast ? text.slice(end, stop < 0 ? text.length : stop).replace(tokens, '') : '';
  if (isCode) return ends.test(rest.replace(/^\]?\(\)/, ''));
  return (from === before ? light.test(head) : begins.test(head)) && ends.test(rest);
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
  return (left + text.slice(at, end)).replace(tokens, '');
}
