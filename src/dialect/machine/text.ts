import { findTool } from '../../tools/find-tool.ts';
import type { Toolbox } from '../../tools/toolbox.ts';
import { bestAt, findMarker, type Marker, type MarkerMatch, type ReadyForm, tagOf } from '../grammar/grammar.ts';
import { markersAt } from '../grammar/marker-trie.ts';
import { isAt, matchAt, type Pattern, partAt, patternOf } from '../grammar/pattern.ts';
import { closeCandidate, isBare, isTyped, openCandidate, takeBack, takeText } from '../placement/candidate.ts';
import { endsMessage, endsThought, isMentioned, maySpeak } from '../placement/mention.ts';
import { inOtherData } from '../placement/other-data.ts';
import type { Place } from '../placement/place.ts';
import {
  breaksIn,
  endsCode,
  endsFence,
  inSentence,
  isLedIn,
  isShown,
  markUnanswered,
  startsLine,
} from '../placement/shown.ts';
import { passCall, placeOf } from '../placement/track-text.ts';
import { otherTurn, passToken } from '../placement/turns.ts';
import { noteStrayCloser, noteStrayOpener } from './marker-faults.ts';
import { closeCall, openCall, plainName } from './open-call.ts';
import { openForm } from './open-form.ts';
import { emitText, flushThought } from './output.ts';
import type { Candidate, Machine } from './state.ts';

/** Reads text for the user up to the next marker. Returns false if more text is needed. */
export function stepText(m: Machine): boolean {
  const { buffer } = m;
  const opened = m.start && startsHere(m);
  if (opened !== undefined && opened !== false) return opened === 'yes';
  const set = m.again ? m.grammar.calls : m.grammar.text;
  // The place doesn't matter before a marker is complete.
  const found = findMarker(set, buffer, m.at, m.ended, (marker, at, begun) => wanted(m, marker, begun ? -1 : at));
  if (!found) {
    if (m.ended) return endText(m);
    takeText(m, buffer.slice(m.at));
    m.at = buffer.length;
    return false;
  }
  if (found.at > m.at) {
    const settled = !m.start && !m.candidate;
    takeText(m, buffer.slice(m.at, found.at));
    m.at = found.at;
    // The preceding text may change what the marker means, so it is read again from here.
    return !settled || found.marker !== undefined;
  }
  if (!found.marker) return false;
  if (m.ended && found.marker.kind !== 'call' && isCutOpener(m, found.at)) return true;
  const ends = found.marker.kind === 'thinkEnd' && m.count > 0 && !m.start ? endsThought(m, found) : 'no';
  if (ends === 'wait') return false;
  if (ends === 'yes' || ends === 'dropped') {
    takeBack(m);
    if (ends === 'yes' || !m.named) emitText(m, buffer.slice(found.at, found.end));
    else m.space ??= '';
    m.at = found.end;
    m.reasoned = true;
    passCall(placeOf(m));
    return true;
  }
  if (ends === 'last') m.mused = true;
  const { middle } = found.marker;
  const spoken = middle ? 'yes' : isMentioned(m, found);
  if (spoken === 'wait') return false;
  m.stray ||= middle === true;
  if (spoken === 'yes') {
    takeText(m, buffer.slice(found.at, found.end));
    m.at = found.end;
    return true;
  }
  take(m, found);
  return true;
}

/** Tries markers that are only valid at the start of a message: `wait` if more text is needed, `yes` if one matched. */
function startsHere(m: Machine): 'yes' | 'wait' | undefined {
  const { starts } = m.grammar;
  if (starts.length === 0) return undefined;
  const from = nonSpace(m.buffer, m.at);
  if (from === m.buffer.length) return undefined;
  const isCode = ({ form, special }: Marker): boolean =>
    form?.bare === true && !special && isIndentedAt(placeOf(m), m.buffer.slice(m.at, from));
  const found = bestAt(starts, m.buffer, from, m.ended, (marker, at) => wanted(m, marker, at) && !isCode(marker));
  if (!found) return undefined;
  if (!found.marker) return 'wait';
  takeText(m, m.buffer.slice(m.at, from));
  m.at = from;
  take(m, found);
  return 'yes';
}

/** Whether white space after the current place indents like code, so that how it was chunked doesn't matter. */
function isIndentedAt({ line, solid }: Place, space: string): boolean {
  const from = space.lastIndexOf('\n');
  return (from >= 0 || !solid) && /^(?: {4}| {0,3}\t)/.test((from < 0 ? line : '') + space.slice(from + 1));
}

function nonSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charCodeAt(at) <= 32) at += 1;
  return at;
}

function take(m: Machine, found: Exclude<MarkerMatch, { marker: undefined }>): void {
  const { marker } = found;
  const { loose, candidate } = m;
  m.loose = false;
  if (marker.form?.text) {
    closeCandidate(m, m.base + m.at);
    m.at = found.end;
    m.space ??= '';
    passCall(placeOf(m));
    return;
  }
  if (marker.kind === 'thinkEnd' && !m.start && m.candidate?.confirmed === false) {
    // It belongs to the calls before it, and is text if they are.
    m.at = found.end;
    return;
  }
  if (marker.kind === 'think' || marker.kind === 'thinkEnd') closeCandidate(m, m.base + m.at);
  else openCandidate(m, marker);
  if (marker.kind === 'call' || marker.kind === 'think') flushThought(m);
  if (marker.kind === 'call') {
    m.torn = false;
    openForm(m, found);
    return;
  }
  if (marker.kind === 'frame') {
    m.mode = 'frame';
    m.frameRow = marker.row;
    return;
  }
  m.at = found.end;
  if (marker.kind === 'frameEnd') {
    m.frameFor = 'none';
    passToken(placeOf(m), 'end');
  }
  if (marker.kind === 'wrap') m.wrap = opens(marker) ? closerOf(marker) : undefined;
  if (marker.kind === 'drop' || marker.kind === 'section') m.inside = true;
  if (marker.kind === 'sectionEnd') {
    m.inside = false;
    // White space between closers doesn't separate the text after them from the calls.
    if (m.said.trim() === '') m.said = '';
  }
  if (marker.kind === 'drop') noteStrayOpener(m, marker.pattern.head);
  // The outer closer of a call may follow its inner one.
  if (marker.kind === 'sectionEnd' && !m.section && !(loose && m.lastForm?.closes.includes(marker.pattern)))
    noteStrayCloser(m, marker.pattern.head);
  if (marker.kind === 'sectionEnd') m.stray ||= closesLost(m, candidate);
  if (marker.kind === 'section' || marker.kind === 'sectionEnd') passSection(m, marker);
  if (marker.kind === 'thinkEnd') m.reasoned = true;
  if (marker.kind === 'think' && marker.closes) {
    const isLabel = marker.start || (m.start && maySpeak(m.buffer.slice(found.end, found.end + 2)));
    const label = isLabel ? { raw: m.buffer.slice(found.at, found.end), said: '' } : undefined;
    const callEnds = marker.row.callEndsThink === true;
    m.think = { closes: marker.closes, held: undefined, callEnds, frame: false, label };
    m.mode = 'think';
  }
  if (marker.kind === 'think' || marker.kind === 'thinkEnd') m.space ??= '';
}

/** Whether a closer behind a bracket or the closer of a value ends a call whose opener was lost. */
const closesLost = (m: Machine, before: Candidate | undefined): boolean =>
  before ? before.kinds.has('stray') && !before.kinds.has('call') : !m.section && /[\])}>]/.test(placeOf(m).lastSolid);

/** Opens or closes a section. One whose opener was text isn't open anymore. */
function passSection(m: Machine, { kind, row, pattern }: Marker): void {
  const { section } = m;
  if (kind === 'section') {
    const [, closer = ''] = row.sections?.find(([open]) => patternOf(open).head === pattern.head) ?? [];
    m.section =
      section && !m.torn ? { ...section, depth: section.depth + 1 } : { depth: 1, from: m.count, other: false, closer };
  } else if (section) {
    m.stray ||= section.other && m.count > section.from;
    m.section = section.depth > 1 ? { ...section, depth: section.depth - 1 } : undefined;
  }
}

/** Markers that only occur in messages to tools, if messages are framed. */
const inForms = new Set<string>(['call', 'section', 'sectionEnd', 'drop', 'stray']);

/** Markers in and after the headers of frames. */
const inHeaders = new Set<string>(['frame', 'frameEnd', 'noise', 'end']);

/** Markers that only occur in sections of calls, or close them. */
const inSections = new Set<string>(['call', 'section', 'sectionEnd', 'drop']);

const opens = ({ pattern }: Marker): boolean => !pattern.head.startsWith('</');
const closes = (m: Machine, { pattern }: Marker): boolean => pattern.head === m.wrap;
const closerOf = ({ pattern }: Marker): string => pattern.head.replace('<', '</');

/** Whether a marker wraps a response after reasoning, or only closes it after calls with nothing before them. */
function wraps(m: Machine, marker: Marker): boolean {
  if (m.wrap !== undefined) return closes(m, marker);
  if (opens(marker)) return m.start && m.reasoned;
  return m.candidate?.atStart === true && m.candidate.outcomes.length > 0;
}

/** Whether this marker is valid here. */
function wanted(m: Machine, marker: Marker, at: number): boolean {
  const { form, row, kind } = marker;
  if (row.frame?.tool === 'forms' && inForms.has(kind)) return m.frameFor === 'tool';
  if (row.frame && m.frameFor === 'text') {
    // A framed message ends as its own dialect says.
    if ((m.frameRow ?? row) !== row || (kind === 'frame' && row.frame.strict)) return false;
  }
  if (kind === 'frame' && !m.named && at === m.at && !m.candidate && m.frameFor === 'none' && breaksIn(placeOf(m)))
    return false;
  // Continues a header that was treated as text.
  if (m.frameFor === 'none' && at === m.at && !m.candidate && inHeaders.has(kind) && placeOf(m).header) return false;
  if (marker.middle) {
    if (at === m.at && !isBehindName(m)) return false;
  } else if (kind === 'stray' && !m.named && !m.inside && !(m.closers.size > 0 && row.special)) return false;
  if (kind === 'sectionEnd' && m.torn && !m.candidate) return false;
  if (marker.inner && !m.named && !m.candidate) return false;
  if (kind === 'wrap') return wraps(m, marker);
  if (kind === 'think')
    return (
      m.start || at !== m.at || placeOf(m).fresh || (m.named && m.reasoned && marker.special && !isSpoken(m, marker))
    );
  if (form?.text && at === m.at && !form.start) return placeOf(m).fresh;
  if (form?.calls && at === m.at && !m.candidate && !isAsked(m, form.calls[0])) return false;
  // A general end marker ends reasoning only if there is some.
  const { head } = marker.pattern;
  const isGeneral = m.count === 0 || row.forms.some(({ close }) => close?.includes(head));
  if (kind === 'thinkEnd' && !m.start && row.drop?.includes(head) && isGeneral) return false;
  if (kind === 'thinkEnd')
    return (
      m.start ||
      at !== m.at ||
      placeOf(m).fresh ||
      ((m.named || m.count > 0) && (m.candidate !== undefined || !isShown(placeOf(m), true, m, row.fences)))
    );
  const place = at === m.at && !m.candidate ? placeOf(m) : undefined;
  // A frame ends after code, and after a message that the model wrote for another role.
  if (kind === 'frameEnd' && m.frameFor === 'text' && place && (endsCode(place) || place.results === otherTurn))
    return true;
  if ((kind === 'end' || kind === 'noise' || kind === 'frameEnd') && place && endsFence(place)) return true;
  const sure = marker.special || kind === 'noise' || kind === 'end';
  if (place && !marker.special && (kind === 'call' ? !isBare(form) : kind === 'section')) markUnanswered(place);
  const isTextHere =
    place &&
    (inShown(place, marker) ||
      isShown(place, sure, m, row.fences) ||
      (isTyped(m, marker) && isShown(place, false, m, row.fences)));
  if (isTextHere) return kind === 'end' && endsMessage(m, at);
  if (!form) return true;
  // What follows `Final Answer:` is content, and what follows `Observation:` continues from a result that was made up.
  if (row.group === 'F' && at === m.at && placeOf(m).answered) return false;
  if (form.bare && ((!m.toolbox && !m.named) || (at === m.at && !m.candidate && !isApart(placeOf(m))))) return false;
  if (m.named && at === m.at && !m.candidate && isBare(form) && inOtherData(placeOf(m))) return false;
  if (form.bare && form.body === 'python' && at >= 0 && !isCallOrList(m, at)) return false;
  // After a sentence, only a list is a call of a form that starts responses.
  if (form.start && !m.start && at >= 0 && m.buffer[at] !== '[') return false;
  return !m.ended || !form.next?.includes('') || isName(m, marker, at);
}

const nameAtEnd = /(?:^|[\n\])}>])[ \t]*([\w.:-]+)\s*$/;

/** Whether the text before it ends in the name of a tool that is no word of a sentence. */
const isBehindName = (m: Machine): boolean => hasTool(m, nameAtEnd.exec(placeOf(m).tail)?.[1] ?? '');

const callable = /^[\p{L}_][\p{L}\p{N}_.\\:-]*$/u;
const called = /([^\s([{<"'`]{1,128})\(/y;

/**
 * Whether Python here is a list, `print(…)`, or a call of an existing tool without either. A complete message without a
 * named dialect is checked for such calls separately.
 */
function isCallOrList(m: Machine, at: number): boolean {
  called.lastIndex = at;
  const [, name] = called.exec(m.buffer) ?? [];
  if (name === undefined || name === 'print') return true;
  // With other signs in it, such as an invisible one, the body can't read it, although it resembles the tool's.
  return !m.whole && callable.test(name) && hasTool(m, name.replaceAll('\\_', '_'));
}

/** Whether it is introduced, and doesn't follow an item of data. */
const isApart = (place: Place): boolean => isLedIn(place) && (place.fresh || !/[}\]]/.test(place.lastSolid));

/** Whether words may be a tool's input: the tool exists, and they start a line or directly follow a sentence. */
const isAsked = (m: Machine, tool: string): boolean =>
  (!m.toolbox || hasTool(m, tool)) && (startsLine(placeOf(m)) || /[.!?:…]/.test(placeOf(m).last));

/** Whether it interrupts a sentence, or is quoted. */
const isSpoken = (m: Machine, { special, row }: Marker): boolean =>
  inSentence(placeOf(m)) || isShown(placeOf(m), special, m, row.fences);

/** Markers in a section that is text aren't calls, up to its closer or the next opener. */
const inShown = (place: Place, { kind, row, form, pattern, special }: Marker): boolean =>
  (form?.bare === true && place.token !== 'none') ||
  (place.section !== undefined &&
    inSections.has(kind) &&
    (row.sections !== undefined || !special) &&
    place.sections.get(tagOf(pattern.head)) !== place.section);

/** Whether a name without anything after it counts: it directly follows its opener, or a tool has it. */
function isName(m: Machine, marker: Marker, at: number): boolean {
  if (isAt(marker.pattern, m.buffer, at)) return true;
  const found = nameBegun(marker.form as ReadyForm, m.buffer, at);
  return found !== undefined && (!found.apart || hasTool(m, found.name));
}

/** Ends the text. A marker that is cut off isn't text, but words and one or two characters are. */
function endText(m: Machine): boolean {
  const { buffer } = m;
  const from = Math.max(m.at, buffer.length - 300);
  const drops = m.candidate !== undefined || m.counted || (m.named && m.cut);
  const isCut = (marker: Marker, at: number): boolean =>
    !marker.form?.bare &&
    (drops || (marker.form !== undefined && nameBegun(marker.form, buffer, at) !== undefined)) &&
    wanted(m, marker, at);
  const found = findMarker(m.grammar.text, buffer, from, false, isCut);
  const at = found && !found.marker ? found.at : buffer.length;
  if (at > m.at) {
    takeText(m, buffer.slice(m.at, at));
    m.at = at;
    return at < buffer.length;
  }
  if (isCutOpener(m, at)) return true;
  // The start of a marker belongs to the call before it, or would have been one of the named dialect.
  const tail = buffer.slice(at);
  const isMarker = drops && /[<>[\]|｜]/.test(tail) && tail.length > 2;
  if (!isMarker || (tail.length === 3 && /\w/.test(tail))) takeText(m, tail);
  // At the length limit, it may be the start of the next call.
  else if (m.count > 0 && (!m.cut || tail.startsWith('</'))) noteStrayCloser(m, tail);
  m.at = buffer.length;
  return false;
}

/** Whether a bare call names a tool; without a toolbox any name counts. */
export const hasTool = (m: Machine, name: string): boolean =>
  m.toolbox ? findTool(name, m.toolbox).tool !== undefined : m.named && name !== '';

/**
 * Treats an opener that the end of the text cut off as a call, if its name has started. If it consists of words, or the
 * name is separate, it must be a tool's, because prose may end the same way.
 */
function isCutOpener(m: Machine, at: number): boolean {
  for (const marker of markersAt(m.grammar.text, m.buffer, at)) {
    const { form, pattern } = marker;
    if (!form || form.bare || form.code || form.text || !partAt(pattern, m.buffer, at)) continue;
    const found = nameBegun(form, m.buffer, at);
    if (!found || !wanted(m, marker, at)) continue;
    // A tool's name in its own element is only mentioned, unless the text was cut off.
    if (!m.cut && /^<\w+>\{name\}<\//.test(form.open)) continue;
    if ((found.apart || (!m.named && form.words)) && !hasTool(m, found.name)) continue;
    if (/[.!?]$/.test(found.name) && inSentence(placeOf(m))) continue;
    if (m.toolbox && !hasTool(m, found.name) && !isBegun(m.toolbox, found.name)) continue;
    const { name } = found;
    openCandidate(m, marker);
    m.at = m.buffer.length;
    openCall(m, name, undefined);
    closeCall(m, { name, arguments: {} }, form.row, true);
    return true;
  }
  return false;
}

/** Whether a tool's name starts like this. */
const isBegun = (toolbox: Toolbox, name: string): boolean => toolbox.list().some((tool) => tool.name.startsWith(name));

/** A name followed by nothing, white space or punctuation. */
const begun = /^([\s="']*)([^\s"'<>{}[\]()=,;]+)(?=["'\s]*(?:$|[<>/[{]))/;

/** The first words of openers. */
const heads = new WeakMap<ReadyForm, Pattern>();

/** The partial name after the first words of an opener, and whether it is separate from them. */
function nameBegun(form: ReadyForm, text: string, at: number): { name: string; apart: boolean } | undefined {
  const [before = '', after] = form.open.split('{name}');
  if (after === undefined) return undefined;
  const head = heads.get(form) ?? patternOf(before.replace(/[="'~\s]+$/, ''));
  heads.set(form, head);
  const start = matchAt(head, text, at);
  const [, gap = '', name = ''] = (start && begun.exec(text.slice(start.end))) ?? [];
  return /[\p{L}\p{N}]/u.test(name) ? { name: plainName(form.row, name), apart: /\s/.test(gap) } : undefined;
}
