import type { Repair } from '../../json/repair.ts';
import type { Outcome } from '../../mend/outcome.ts';
import type { RawCall } from '../../model/index.ts';
import type { JsonSchema } from '../../schema/types.ts';
import { type Marker, type MarkerKind, onlyEnds, type ReadyForm } from '../grammar/grammar.ts';
import { addText, emitReasoning, emitText, endBatch, output, putEvent, recheck } from '../machine/output.ts';
import { type Candidate, type Machine, rawFrom, type Waiting } from '../machine/state.ts';
import { passCallOfTurn } from './headers.ts';
import { isIndented, TextBuilder } from './place.ts';
import {
  aroundOf,
  escapedFirst,
  inSentence,
  isClosedBy,
  isDecided,
  isDoubtful,
  markUnanswered,
  startsLine,
} from './shown.ts';
import { isTemplate, isToolList } from './template.ts';
import { passCall, placeOf } from './track-text.ts';
import { endTurn } from './turns.ts';

/** Whether only words, or nothing, mark a call of this form. */
export const isBare = (form: ReadyForm | undefined): boolean =>
  form !== undefined && (form.bare === true || form.code === true || form.row.group === 'F');

/**
 * Words in brackets, which anyone may type. If no dialect is named, they are a token only at the start of a response.
 */
export const isTyped = ({ named }: Machine, { special, pattern }: Marker): boolean =>
  special && !named && /^[<[]\w+[>\]]/.test(pattern.head);

/** Whether the open call has markers, and its arguments only describe it: where no dialect is named, after words. */
export const isFormat = (m: Machine, given: unknown, schema: JsonSchema | undefined): boolean =>
  !m.named && m.candidate?.atStart === false && isTemplate(given, schema, false, /[:：]/.test(placeOf(m).lastSolid));

/** Starts a candidate here, if none is open. */
export function openCandidate(m: Machine, marker: Marker): void {
  const { kind, form } = marker;
  if (m.candidate) {
    m.candidate.kinds.add(kind);
    if (isBare(form)) m.candidate.bare = true;
    return;
  }
  const place = placeOf(m);
  if (place.turn !== undefined) endTurn(place, true);
  passCallOfTurn(place);
  m.invented ||= (m.count > 0 ? inventedResult : startsResult).test(m.said);
  const bare = isBare(form);
  const special = marker.special && (m.start || !isTyped(m, marker));
  const around = aroundOf(place);
  const line = startsLine(place) && ((m.named && special) || !isIndented(place));
  const behindSentence = m.named && special && !inSentence(place);
  const glued = behindSentence && /[\p{L}\p{N}]/u.test(place.last);
  const said = behindSentence ? place.line : '';
  const raw = form?.calls !== undefined && !form.open.endsWith('\n');
  const words = form?.words === true && kind === 'call';
  const doubtful = m.toolbox !== undefined && isDoubtful(place, m.named) && marker.special !== m.named;
  if (kind === 'call' ? !bare : kind === 'section') markUnanswered(place);
  const streams =
    !bare &&
    !raw &&
    !words &&
    !doubtful &&
    m.waiting.length === 0 &&
    !m.again &&
    !m.invented &&
    (m.named || (special && m.start)) &&
    line &&
    !around;
  // In a one-line message, tags with a tool's name can be between sentences; an object there is only mentioned.
  const tagged = !m.toolbox || (form?.body === 'params' && place.lastSolid !== ':');
  const inline = tagged && place.first && place.solid && !place.fresh && /[.!:…]/.test(place.lastSolid);
  m.candidate = {
    from: m.base + m.at,
    raw: '',
    events: [],
    outcomes: [],
    kinds: new Set([kind]),
    known: false,
    unknown: false,
    data: m.invented,
    dialect: undefined,
    startsLine: line,
    behindSentence,
    glued,
    said,
    lead: place.tail,
    words,
    atStart: m.start,
    around,
    inline,
    enclosed: place.depth > 0,
    special,
    bare,
    doubtful,
    streams,
    confirmed: false,
    decided: isDecided(place),
  };
  m.log.take();
}

/** The text from the start of a candidate to an offset of the message. */
export function rawUpTo(m: Machine, { from }: Candidate, to: number): string {
  return m.log.text + m.buffer.slice(Math.max(0, from - m.base), Math.max(0, to - m.base));
}

/** Keeps consumed text while it may be needed again. */
export function logUpTo(m: Machine, at: number): void {
  if (m.candidate && !m.candidate.confirmed) m.log.add(m.buffer.slice(Math.max(0, m.candidate.from - m.base), at));
  if (m.first) m.first.log.add(m.buffer.slice(Math.max(0, m.first.from - m.base), at));
  m.base += at;
}

/** Skips text that was passed on without reading it. */
export function passRaw(m: Machine, text: string): void {
  if (m.first) {
    logUpTo(m, m.at);
    m.buffer = m.buffer.slice(m.at);
    m.at = 0;
    m.first.log.add(text);
  }
  m.base += text.length;
}

/** Confirms a call of an existing tool. If nothing that follows can change that, it is emitted immediately. */
export function confirm(m: Machine, known: boolean): void {
  const { candidate } = m;
  if (!candidate || !known) return;
  candidate.known = true;
  if (!candidate.streams || candidate.confirmed) return;
  candidate.confirmed = true;
  m.first ??= { from: candidate.from, log: new TextBuilder(m.log.text), space: m.space, spoke: m.spoke };
  tell(m, candidate);
}

/** Emits the calls of a candidate, with the text between them unless that was emitted already. */
function tell(m: Machine, candidate: Candidate, emitted = false): void {
  m.space ??= '';
  m.counted = true;
  for (const event of candidate.events) {
    if (event.type !== 'text') putEvent(m, event);
    else if (!emitted) output(m, event.text);
  }
  m.calls.push(...candidate.outcomes);
  m.followed = false;
  m.said = '';
  m.dialect ??= candidate.dialect;
  candidate.events.length = 0;
  candidate.outcomes.length = 0;
}

/** Ends the open candidate where text starts, or at the end of the message. */
export function closeCandidate(m: Machine, to: number): void {
  endBatch(m);
  const { candidate } = m;
  if (!candidate) return;
  m.candidate = undefined;
  if (candidate.confirmed) {
    passCall(placeOf(m));
    placeOf(m).called = true;
    return;
  }
  candidate.raw = rawUpTo(m, candidate, to);
  m.log.take();
  if (candidate.outcomes.length > 0 && !(candidate.streams && !candidate.known)) {
    passCall(placeOf(m));
    placeOf(m).called ||= candidate.known;
    m.waiting.push(candidate);
    m.waits += candidate.raw.length;
  } else if (isFrame(m, candidate, m.ended && to >= m.base + m.buffer.length) || (m.ended && m.named && m.counted)) {
    m.framed = true;
    passCall(placeOf(m));
    for (const event of candidate.events) if (event.type === 'text') output(m, event.text);
  } else {
    m.torn ||= candidate.kinds.has('drop') || candidate.kinds.has('section');
    if (candidate.kinds.has('frame')) m.frameFor = 'none';
    emitText(m, candidate.raw);
    placeOf(m).shows = 'none';
  }
}

/** Treats everything pending as text. */
export function flushWaiting(m: Machine): void {
  const items = m.waiting;
  m.waiting = [];
  m.waits = 0;
  for (const item of items) {
    if (isCandidate(item)) output(m, item.raw);
    else if ('text' in item) output(m, item.text);
    else emitReasoning(m, item.reasoning);
  }
}

/** A sentence that continues after a call on the same line, or points back to it. */
const tellsOf = /^[^\S\n]*(?:[([]?\p{Ll}|[.,;:!?)\]]|\/\/|<-|[←⇐]|[\p{Pd}]{1,2}[^\S\n])/u;

/** Whether valid calls that start a message are the subject of its first sentence, if no dialect is named: they are shown. */
export const isSubject = ({ named, toolbox, first, calls, said, twice, tail, stray, lastForm }: Machine): boolean =>
  !named &&
  toolbox !== undefined &&
  first !== undefined &&
  calls.length > 0 &&
  !(twice || tail || stray) &&
  calls.every(({ status }) => status !== 'invalid') &&
  tellsOf.test(said) &&
  !isHeaderWord(said, lastForm);

/** Whether the text after a frame is one word of a header, from a frame that was begun. */
const isHeaderWord = (said: string, form: ReadyForm | undefined): boolean =>
  [...(form?.row.frame?.reasoning ?? []), ...(form?.row.frame?.text ?? [])].includes(said.trim());

/** Treats all calls so far as text, because of what follows them: the end of reasoning, or the rest of a sentence. */
export function takeBack(m: Machine): void {
  closeCandidate(m, m.base + m.at);
  const { first } = m;
  if (first) {
    const from = m.events.findIndex(({ type }) => type.startsWith('call.'));
    m.events = m.events.slice(0, Math.max(0, from));
    Object.assign(m, { waiting: [], waits: 0, calls: [], counted: false, dialect: undefined, back: true });
    Object.assign(m, { first: undefined, space: first.space, spoke: first.spoke });
    output(m, rawFrom(m, first));
  } else flushWaiting(m);
  m.closers.clear();
  m.unclosed.clear();
  Object.assign(m, { plain: false, followed: false, said: '', invented: false, outside: '' });
  Object.assign(m, { stray: false, twice: false, tail: false, section: undefined, inside: false, torn: false });
}

const frames: ReadonlySet<MarkerKind> = new Set(['noise', 'end', 'wrap', 'frame', 'frameEnd']);

/**
 * Whether frames and end tokens aren't text: at the start and the end of a response, and in between if a frame started
 * it. If no dialect is named, only end tokens count at its end, and other frames only after a frame or a call.
 */
function isFrame(m: Machine, { kinds, atStart, raw }: Candidate, atEnd: boolean): boolean {
  if (![...kinds].every((kind) => frames.has(kind))) return false;
  const ends = onlyEnds.test(raw);
  const there = m.named || m.framed || m.counted || m.waiting.length > 0;
  const begins = atStart && (m.named || !ends) && (there || m.cut || !atEnd);
  return ((begins || (m.named && m.framed)) && !kinds.has('end')) || (atEnd && (there || ends)) || kinds.has('wrap');
}

export const isCandidate = (item: Waiting): item is Candidate => 'outcomes' in item;
const isProse = (item: Waiting): boolean => 'text' in item && /\S/.test(item.text);

/** The sentence with a call continues after it, so that the call is only mentioned. */
const goesOn = /^[^\S\n]*[\p{Ll}.,;:!?)\]]/u;

/** The continuation of a model that was prompted to act and observe: it invents what it would see. */
const observation = /^\s*Observation:/;

/** The start of a result that a model invents: a fence, or a label with words after it. */
const labelledResult =
  '(?:`{3}|~{3})(?:tool_?)?(?:output|result|response)s?\\s|[#*_ ]*(?:observation(?: \\d{1,3})?[*_]*[:：]|(?:(?:tool|function|code|execution)[ _])?(?:output|result|response)s?(?: \\d{1,3})?[*_]*[:：][*_]*\\s*(?:[^\\s<`]|`{3}[^`]*`{3}|`[^`\\n]+`|<pre>))';
const startsResult = new RegExp(`^\\s*(?:${labelledResult})`, 'i');
/** After its call, it may also be a block. */
export const inventedResult = new RegExp(
  `^[\\s\\])}'"\`*;,]*(?:</\\w{1,40}>\\s*)?(?:<\\|?(?:(?:tool|function|search)_(?:response|result|output)s?|results?|observations?)\\|?>|${labelledResult})`,
  'i',
);

const isSound = ({ outcomes }: Candidate): boolean => outcomes.every(({ status }) => status !== 'invalid');

const isUnknown = ({ status, ...outcome }: Outcome): boolean =>
  status === 'invalid' && 'errorType' in outcome && outcome.errorType === 'unknown_tool';

export const destroys = ({ tool }: Outcome): boolean => tool?.effect === 'destructive';

/** Everything pending, except for the label that ends a turn of labelled lines. */
function turnOf({ waiting, named, whole }: Machine): Waiting[] {
  const last = 1 + waiting.findLastIndex(isCandidate);
  const turn = waiting.slice(0, last);
  const behind = waiting.slice(last).map((item) => ('text' in item ? item.text : '.'));
  const isOver = /^\s*Observation:\s*$/.test(behind.join('')) && turn.every((item) => isCandidate(item) && item.words);
  return named && !whole && isOver ? turn : waiting;
}

/** Tokens of any template, such as the one that starts the next turn. */
const onlyTokens = /^\s*(?:(?:<[|｜][\w▁]{1,40}[|｜]?>|<[\w▁]{1,40}[|｜]>|\[e~\[)\s*)+$/;

/** The items of a turn, and those after its last call if they only consist of tokens. */
function withoutTokens(items: readonly Waiting[]): [items: readonly Waiting[], tokens: readonly Waiting[]] {
  const last = 1 + items.findLastIndex(isCandidate);
  const behind = items.slice(last);
  const isTokens = last > 0 && onlyTokens.test(behind.map((item) => ('text' in item ? item.text : '.')).join(''));
  return isTokens ? [items.slice(0, last), behind] : [items, []];
}

/** The calls as written, if there is nothing else and one of them is invalid although no dialect is named. */
function faultyCalls(m: Machine, items: readonly Waiting[]): string | undefined {
  if (m.named || !m.toolbox || m.spoke || m.cut || m.first || items.some(isProse)) return undefined;
  const calls = items.filter(isCandidate);
  return calls.every(({ data, doubtful, around }) => !data && !doubtful && !around) && !calls.every(isSound)
    ? calls.map(({ raw }) => raw).join('')
    : undefined;
}

/** Resolves everything pending at the end of the message. */
export function settleWaiting(m: Machine): void {
  const [items, tokens] = withoutTokens(turnOf(m));
  m.faulty = faultyCalls(m, items);
  m.waiting = [];
  m.waits = 0;
  let behind = '';
  const good = new Set<Candidate>();
  const unsureOf = new Set<Candidate>();
  // Calls that stay text because of the sentence they are in, and show the others of the sentence.
  const dropped = new Set<Candidate>();
  // Whether only white space and calls follow, and whether the last call was reached.
  let clean = true;
  let met = false;
  // Whether words follow, also between calls. Bare forms allow them only before the first.
  let spoken = false;
  for (const item of items.toReversed()) {
    if (isCandidate(item)) {
      const made =
        item.known &&
        !item.data &&
        (isSound(item) || !escapedFirst.test(item.raw)) &&
        !(item.doubtful && item.outcomes.some(destroys)) &&
        !(item.around && isClosedBy(item.around, item.raw, behind, isSound(item)));
      if (item.known && item.doubtful && item.outcomes.some(destroys)) dropped.add(item);
      // Without known tools nothing can run, so special tokens needn't start a line after a sentence.
      const between = !item.startsLine && item.behindSentence && !goesOn.test(behind);
      const told = between && m.toolbox !== undefined && isToldOf(item, behind);
      const line = item.startsLine || told || (!m.toolbox && (item.glued || between));
      const marked =
        line &&
        !(item.words && m.toolbox) &&
        (m.named || (item.special && (item.atStart || !m.toolbox))) &&
        !m.again &&
        !item.unknown;
      const inline = item.inline && !behind.includes('\n') && !goesOn.test(behind);
      const observed = item.atStart && observation.test(behind);
      // The model continued from what it made up, so it didn't make the later calls.
      if (made && good.size > 0 && inventedResult.test(behind)) {
        good.clear();
        clean = false;
      }
      const isGood = made && (item.bare ? (clean && !spoken) || inline || observed : clean || marked);
      if (isGood) good.add(item);
      if (isGood && (item.doubtful || (told && !clean))) unsureOf.add(item);
      if (made && clean) met = true;
      else if (!met) clean = false;
      // Without markers, calls with words between them are no calls.
      if (made && item.bare && spoken && !isGood) {
        good.clear();
        clean = false;
      }
      // A call that was made closes nothing, whatever it contains.
      const said = !isGood ? item.raw : item.raw.includes('\n') ? '\n' : ' ';
      behind = (said + behind).slice(0, 8000);
    } else if ('text' in item) {
      behind = (item.text + behind).slice(0, 8000);
      if (isProse(item)) spoken = true;
      if (!met && spoken) clean = false;
    }
  }
  // Between calls at the end of reasoning, words weigh alternatives.
  if (
    (m.again && items.some(isProse)) ||
    isDisowned(m, leadsOf(items, good)) ||
    isComparison(m, leadsOf(items, new Set([...good, ...dropped]))) ||
    (!m.named && listsTools([...good].flatMap(({ outcomes }) => outcomes)))
  )
    good.clear();
  // Words between calls may take back the one before them.
  if (!m.named && hasWordsBetween(leadsOf(items, good))) for (const item of good) unsureOf.add(item);
  if (m.first) m.written = rawFrom(m, m.first);
  else if (good.size > 0)
    m.written = rawOf(items.slice(items.findIndex((item) => isCandidate(item) && good.has(item))));
  for (const item of items) {
    if (!isCandidate(item)) {
      if ('text' in item) output(m, item.text);
      else emitReasoning(m, item.reasoning);
    } else if (good.has(item)) {
      if (unsureOf.has(item) || (item.bare && !(clean && item.atStart))) recheck(m, item, inferred);
      // Beside words, markers around the name of no tool may show a format, so they are reported and stay.
      const stays = m.spoke && !item.special && item.outcomes.every(isUnknown);
      if (stays) output(m, item.raw);
      tell(m, item, stays);
    } else output(m, item.raw);
  }
  if (good.size === 0) for (const item of tokens) if ('text' in item) output(m, item.text);
}

/** Items as they were written, without reasoning. */
const rawOf = (items: readonly Waiting[]): string =>
  items.map((item) => (isCandidate(item) ? item.raw : 'text' in item ? item.text : '')).join('');

/** Whether calls only list the tools there are. */
export const listsTools = (calls: readonly Outcome[]): boolean =>
  calls.length > 1 &&
  isToolList(calls.map(({ name, input, tool }) => ({ name, arguments: input, schema: tool?.schema.json })));

/** A call, and the words between it and the call before it. */
interface Lead {
  readonly call: Candidate;
  readonly lead: string;
}

function leadsOf(items: readonly Waiting[], good: ReadonlySet<Candidate>): Lead[] {
  const leads: Lead[] = [];
  let lead = '';
  for (const item of items) {
    if (isCandidate(item) && good.has(item)) {
      leads.push({ call: item, lead });
      lead = '';
    } else if (isCandidate(item)) lead += item.raw;
    else if ('text' in item) lead += item.text;
  }
  return leads;
}

const hasWordsBetween = (leads: readonly Lead[]): boolean => leads.slice(1).some(({ lead }) => /\S/.test(lead));

/** At most three words between two calls: `After:`, `### Option B`, `**Kimi K2**`. */
const label =
  /^\s*(?=\S*[#*_]|[^\n]*[:：]\s*$)(?:[#*_>-]+\s*)*[^\s:：]+(?:[^\S\n]+[^\s:：]+){0,2}[^\S\n]*[:：]?[*_]*\s*$/u;

/** The dialects of calls, as their records name them. */
const dialectsOf = (calls: readonly Candidate[]): ReadonlySet<unknown> =>
  new Set(
    calls.flatMap(({ outcomes }) => outcomes.map(({ raw }) => raw.read?.find(({ kind }) => kind === 'text')?.before)),
  );

/**
 * Whether several calls are shown side by side: in different dialects, or with words between them, inside lines or each
 * under a label. In a named dialect, each call counts by itself.
 */
function isComparison(m: Machine, leads: readonly Lead[]): boolean {
  if (m.named || m.toolbox === undefined) return false;
  if (dialectsOf(leads.map(({ call }) => call)).size > 1) return true;
  if (!hasWordsBetween(leads)) return false;
  return (
    leads.every(({ call }) => !call.startsLine) ||
    leads.some(({ lead }, at) => /^[^\S\n]*\S/.test(lead) && at > 0 && !/\n\s*$/.test(leads[at - 1]?.call.raw ?? '')) ||
    leads.slice(1).every(({ lead }) => label.test(lead))
  );
}

/** Whether the words before one of the calls retract it. With special tokens, or for a tool that only reads, none do. */
function isDisowned({ disowns }: Machine, leads: readonly Lead[]): boolean {
  return (
    disowns !== undefined &&
    leads.some(({ call, lead }, at) => {
      const isFree = call.special || call.outcomes.every(({ tool }) => tool?.effect === 'read');
      return !isFree && (at === 0 || /\S/.test(lead)) && disowns(at === 0, lead, call);
    })
  );
}

/** Whether the sentences before and after the calls say what they are for, and no tool is destructive. */
function isToldOf({ said, outcomes }: Candidate, behind: string): boolean {
  const saysSo = (value: unknown): boolean =>
    typeof value === 'string' && value.length > 2 && said.includes(value) && behind.includes(value);
  return (
    !behind.trim().includes('\n') &&
    outcomes.every(
      ({ status, tool, input }) =>
        status !== 'invalid' && tool?.effect !== 'destructive' && Object.values(input ?? {}).some(saysSo),
    )
  );
}

/** Calls without markers in prose are inferred. */
export const inferred = ({ raw }: Outcome): Pick<RawCall, 'read'> => ({ read: raw.read?.map(unsure) });

const unsure = (repair: Repair): Repair => (repair.kind === 'text' ? { ...repair, certainty: 'inferred' } : repair);

/** Where only calls belong, other text may be part of one. Without a closer behind it, it may also be a response. */
function checkBeside(m: Machine, text: string): void {
  const first = /\S/.exec(text)?.[0];
  if (first === undefined) return;
  const { section } = m;
  m.stray ||= m.loose || (section?.other === false && m.count > section.from && '{[<`'.includes(first));
  if (section) section.other = true;
}

/** Consumes text that isn't a call. An open candidate ends where its words start. */
export function takeText(m: Machine, text: string): void {
  if (!text) return;
  let more = text;
  if (m.section || m.loose) checkBeside(m, text);
  if (m.candidate) {
    const from = text.search(/\S/);
    if (from < 0) {
      addText(m, text);
      return;
    }
    // White space before the words stays with the candidate, as written or as text after its calls.
    addText(m, text.slice(0, from));
    closeCandidate(m, m.base + m.at + from);
    more = text.slice(from);
  }
  emitText(m, more);
}
