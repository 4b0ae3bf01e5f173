import { dialects } from '../dialects/index.ts';
import { begins, newPlace, quotedLine } from '../placement/place.ts';
import { aroundOf, isClosedBy, isShown } from '../placement/shown.ts';
import { passCall, passText } from '../placement/track-text.ts';
import { tokenKind } from '../placement/turns.ts';
import type { Fence } from './fences.ts';
import type { PromptedRegion } from './regions.ts';

/** The tags that dialects write around calls, except for tags around a list of all tools. */
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
const tokens = /\bprint\((?=\s*$)|<\|[^<>\n]{1,40}\|>(?:assistant(?=<\|))?|<\/?[\w:]+>/g;

/** Whether it is a tag of a dialect, or a token of a template other than that of a result. */
export const isMarker = (one: string): boolean =>
  one.startsWith('<|') ? !/resp|result|output/i.test(one) : markers.has(one);

/** Text without tokens of chat templates, tags of dialects, and code that prints a result. */
export const untagged = (text: string): string =>
  text.replace(tokens, (one) => (one.startsWith('print') || isMarker(one) ? '' : one));

/** A tag right before a call. */
export const tagBefore = /<[^<>\n]{1,40}>\s*$/;

/** List markers before a call, and quotes or emphasis directly around it, which are handled elsewhere. */
const signs = /(?:[[({]\s*|['"`*_][^\S\n]*)+$/;
const closers = /^['"`*_]{0,6}/;
const byName = { named: true, toolbox: true };
const farthest = 8000;

/**
 * Whether a call is in a position where a named dialect would read none: in a quotation, a comment, a string, a listing, a log or
 * a result. Fences, markers and list markers belong to their call. Further calls of a line, a fence or a list have the position
 * of the first one.
 *
 * @param ends whether nothing follows the calls. Otherwise they are refused in any case, and indentation doesn't matter.
 */
export function inShownPlace(
  text: string,
  regions: readonly PromptedRegion[],
  held: readonly (Fence | undefined)[],
  ends: boolean,
): boolean {
  const place = newPlace();
  // A string in triple quotes at the start may contain the complete response.
  let from = Math.min(regions[0]?.start ?? 0, /^\s*(?:"""|''')/.exec(text)?.[0].length ?? 0);
  let inList = false;
  return (
    inElement(text, regions) ||
    regions.some(({ start, end, labelled }, at) => {
      const fence = held[at];
      if (fence && from >= fence.end) return false;
      const near = text.slice(Math.max(from, start - 60), start);
      const [tag = ''] = tagBefore.exec(near) ?? [];
      const isMarked = markers.has(tag.trim());
      const [opener = ''] = isMarked ? [tag] : (!labelled && signs.exec(near)) || [];
      const [closer = ''] = (opener && !isMarked && closers.exec(text.slice(end, end + 6))) || [];
      const indent =
        ends || isMarked ? 0 : (/(?<=^|\n)[ \t]+$/.exec(near.slice(0, near.length - opener.length))?.[0].length ?? 0);
      const begun = fence ? Math.max(from, fence.open) : start - opener.length - indent;
      const gap = text.slice(from, begun);
      passText(place, gap);
      from = fence ? fence.end : end + closer.length;
      // A result after a call turns later calls into text, but not this call.
      if (at > 0) place.resulted = false;
      const follows = at > 0 && (!gap.includes('\n') || (inList && !gap.includes(']')));
      inList = opener.includes('[') || (inList && follows);
      const around = follows ? undefined : aroundOf(place);
      if (
        (!follows && (place.transcript || isShown(place, false, { ...byName, bare: !isMarked }, undefined))) ||
        (fence && begins(quotedLine, text.slice(fence.open, fence.body))) ||
        (around && isClosedBy(around, text.slice(start, end), text.slice(from, from + farthest), true))
      )
        return true;
      passCall(place);
      place.called = true;
      return false;
    })
  );
}

const thought = /<(\/?)think(?:ing)?>/gi;

/** The end of reasoning without an opening tag: after its last closing tag, unless that is quoted. */
export function thoughtEnd(text: string): number | undefined {
  const tags = [...text.matchAll(thought)];
  const last = tags.at(-1);
  if (!last?.[1] || tags.some(([, closes]) => !closes)) return undefined;
  const end = last.index + last[0].length;
  const place = newPlace();
  passText(place, text.slice(0, last.index));
  const around = aroundOf(place);
  const isQuoted = around !== undefined && isClosedBy(around, '', text.slice(end, end + farthest), true);
  return isQuoted || isShown(place, true, byName, undefined) ? undefined : end;
}

const tag = /<(\/?)\|?([a-z_][\w:.-]{0,60})(?:\||\s[^<>\n]{0,200})?>/gi;
const mostOpen = 24;

/** Whether an element contains results or reasoning by its name. */
const isOther = (name: string): boolean =>
  /^(?:response|output)s?$/.test(name) || ['result', 'reasoning'].includes(String(tokenKind(name.toLowerCase())));

/** Whether a call is in an element that isn't part of a dialect, or in an unclosed block of results. Both show their content. */
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
    return [...open].some(([name, close]) => close >= end || isOther(name));
  });
}
