import type { Problem } from '../../json/problem.ts';
import type { Repair } from '../../json/repair.ts';
import type { JsonObject } from '../../json/value.ts';
import type { Outcome } from '../../mend/outcome.ts';
import type { Toolbox } from '../../tools/toolbox.ts';
import type { ListFault, MarkerFault } from '../call/call-notes.ts';
import type { LiveArguments } from '../call/live-arguments.ts';
import type { Grammar, Marker, MarkerKind, ReadyForm } from '../grammar/grammar.ts';
import type { StopChars } from '../grammar/marker-trie.ts';
import type { TaggedEnds } from '../grammar/parameter-ends.ts';
import type { Pattern } from '../grammar/pattern.ts';
import { newPlace, type Place, TextBuilder } from '../placement/place.ts';
import type { Around } from '../placement/shown.ts';
import type { Tracked } from '../placement/track-text.ts';
import type { PythonSpan } from '../python/span.ts';
import type { CallEvent, Dialect } from '../types.ts';
import type { JsonBody, Sink } from './json-scanner.ts';

/** The call that is being read. */
export interface OpenCall {
  readonly id: string;
  readonly name: string;
  readonly live: LiveArguments;
  /** Its offset in the message. */
  readonly from: number;
}

/** A JSON body, as far as it was read. */
export interface BufferedJson {
  readonly kind: 'json';
  readonly form: ReadyForm;
  readonly json: JsonBody;
  /** Receives its content; created on first use. */
  sink?: Sink;
  readonly name: string | undefined;
  readonly id: string | undefined;
  found: number;
  /** Whether the text ended inside it. */
  cutOff: boolean;
  /** The original text, if it may turn out to be text. */
  source: string;
  /** Objects between the calls that aren't calls; text if nothing marks the calls. */
  other: string;
  /** Arguments that came before the name. */
  early: string;
  /** A closer of another dialect after it. */
  stray: string | undefined;
}

/** Tagged parameters, with the open one. */
export interface TaggedBody {
  readonly kind: 'tagged';
  readonly form: ReadyForm;
  readonly params: JsonObject;
  /** Types from the tags. */
  readonly types: Record<string, string>;
  key: string | undefined;
  ends: TaggedEnds | undefined;
  /** Its opener as written. */
  opener: string;
  value: string;
  /** Whether the value is in a CDATA section; undefined while one may start. */
  cdata: boolean | undefined;
  /** Text between parameters. */
  junk: string;
  /** White space before the first parameter, which may also separate the others. */
  separator: string | undefined;
  /** White space after the opener, and whether a sentence continues there, so that the opener is only mentioned. */
  gap: string;
  spoken: boolean;
  readonly problems: Problem[];
  readonly read: Repair[];
  /** A closer implied by what followed. */
  lacks: string | undefined;
}

/** Python calls, with the open one. */
export interface PythonBody {
  readonly kind: 'python';
  readonly form: ReadyForm;
  readonly span: PythonSpan;
  source: string;
  found: number;
  /** The number of the call that `print(` is open around. */
  printed?: number;
  /** The separators since the last call, and what is wrong between the calls. */
  signs: string;
  fault: ListFault | undefined;
  /** The quote before the last call's closing bracket, and before that of a call that no comma follows. */
  quote: string;
  openQuote: string;
}

/** Text arguments up to a closer. */
export interface PlainBody {
  readonly kind: 'word';
  readonly form: ReadyForm;
  readonly name: string;
  value: string;
  rest: StopChars | undefined;
  /** Whether a header says that it is code. */
  readonly raw?: boolean;
}

/** Calls between one pair of markers: the finished ones with all later events, and whether there is anything else. */
interface Batch {
  readonly outcomes: Outcome[];
  events: CallEvent[];
  foreign: boolean;
  /** The repair for a closer of another dialect after them. */
  stray: Repair | undefined;
}

export const newBatch = (): Batch => ({ outcomes: [], events: [], foreign: false, stray: undefined });

/** The body that is being read. */
export type OpenBody = BufferedJson | TaggedBody | PythonBody | PlainBody;

/**
 * Markers and calls with only white space between them. Whether they are calls or text may only be clear at the end of
 * the message; until then both forms are kept.
 */
export interface Candidate {
  /** Its offset in the message. */
  readonly from: number;
  /** Its text, once it is complete. */
  raw: string;
  readonly events: CallEvent[];
  readonly outcomes: Outcome[];
  readonly kinds: Set<MarkerKind>;
  /** Whether it names an existing tool, or nearly. */
  known: boolean;
  /** Whether it names an unknown tool, so that it is a call only if no text follows. */
  unknown: boolean;
  /** Whether it contains data that names a tool, or words instead of parameters, so that nothing in it is a call. */
  data: boolean;
  dialect: string | undefined;
  readonly startsLine: boolean;
  /** Whether it follows a complete sentence on the same line. */
  readonly behindSentence: boolean;
  /** Whether a word directly precedes it, unlike in a sentence. */
  readonly glued: boolean;
  /** The start of its line, if it follows a sentence. */
  readonly said: string;
  /** The last words before it. */
  readonly lead: string;
  /** Whether it is opened by words that prose may contain too. */
  readonly words: boolean;
  readonly atStart: boolean;
  /** Whether it follows a sentence in the first line. */
  readonly inline: boolean;
  readonly around: Around | undefined;
  /** Whether a bracket before it is open, which a superfluous closer may close. */
  readonly enclosed: boolean;
  /** Whether its markers are special tokens. */
  readonly special: boolean;
  bare: boolean;
  /** Whether a question precedes it, or it interrupts a sentence, so that a destructive tool isn't called. */
  readonly doubtful: boolean;
  /** Whether it counts whatever follows, so that it is streamed. */
  readonly streams: boolean;
  /** Whether it is streamed. */
  confirmed: boolean;
  /** Whether the thought before it is over. */
  readonly decided: boolean;
}

/** What is pending until the end of the message: candidates, and the text and reasoning between them. */
export type Waiting = Candidate | { readonly text: string } | { readonly reasoning: string };

/** The state of a reader, as plain data for the step functions. */
export interface Machine {
  readonly grammar: Grammar;
  readonly toolbox: Toolbox | undefined;
  /** Whether the dialect was named, so that bare rows can be read without a toolbox. */
  readonly named: boolean;
  mode: 'text' | 'think' | 'frame' | 'json' | 'tagged' | 'python' | 'word' | 'after';
  buffer: string;
  at: number;
  /** Offset of the buffer in the message. */
  base: number;
  /** The text of the open candidate before the buffer. */
  readonly log: TextBuilder;
  /** What the preceding text means for a call here, up to what is not tracked yet (`placeOf`). */
  tracked: Place;
  readonly untracked: TextBuilder;
  /** Markers and calls that may still turn out to be text. */
  candidate: Candidate | undefined;
  /** What is pending until the end of the message, in order, and its length. */
  waiting: Waiting[];
  waits: number;
  /** Reasoning that ended with a possible call. */
  thought: string | undefined;
  /** Place of the buffered call in the reasoning. */
  thoughtAt: Place | undefined;
  /** How many calls were started before the turn of another role that the model made up, if there is one. */
  turnedAt: number | undefined;
  /** Whether the reasoning before it was complete, so that it may be a call. */
  decided: boolean;
  /** Whether a call is certain: not in reasoning, and not without markers and a named dialect. */
  sure: boolean;
  /** Whether the model was asked for this form, and used it. */
  asked: boolean;
  /** Whether a call was emitted. */
  counted: boolean;
  /** The closers of tagged values so far, which have no escapes. */
  readonly closers: Map<string, Pattern>;
  /** The closers of values that only the end of their call closed. */
  readonly unclosed: Map<string, Pattern>;
  /** The text outside calls since the last one. */
  outside: string;
  /**
   * The calls of a message that contains nothing else, as written, if the markers of one are faulty inside. They may be
   * read with the markers mended.
   */
  faulty: string | undefined;
  /** Whether such a closer occurred again, so that a value may end in two places; and the refused calls. */
  twice: boolean;
  /** Whether the text after a call looks like the rest of one of its values. */
  tail: boolean;
  refused: ReadonlyMap<Outcome, Outcome> | undefined;
  /** The text from the first call on, in case that it only mentions its calls. */
  written: string | undefined;
  /** The first streamed call: its offset, the text from there up to the buffer, and the state of the output before it. */
  first: (Pick<Machine, 'space' | 'spoke'> & { readonly from: number; readonly log: TextBuilder }) | undefined;
  /** Whether all calls so far turned out to be reasoning, so that their events are void. */
  back: boolean;
  /** Whether the message ends with the end of reasoning, directly after a call. */
  mused: boolean;
  /**
   * The open sections of calls: how many, the calls before them, whether something else is between their markers, and
   * the closer of the first.
   */
  section: { depth: number; readonly from: number; other: boolean; readonly closer: string } | undefined;
  /** The faults of markers so far, and the number of calls before the last opener. */
  readonly faults: MarkerFault[];
  formFrom: number;
  /** Whether a call ended at an inner closer alone, so that its outer one may follow. */
  loose: boolean;
  /** Whether something else than calls was in a section, or between the closers of a call. */
  stray: boolean;
  /** Whether plain markers enclosed a call of a destructive tool. */
  plain: boolean;
  /** Whether text follows the last call. */
  followed: boolean;
  /** The start of the text after the last call, and whether the model continued from a result that it invented. */
  said: string;
  invented: boolean;
  /** Maximum number of buffered characters, and of one call. */
  limit: number;
  /** Remarks about what is neither text nor a call. */
  notes: string[];
  ended: boolean;
  cut: boolean;
  /** The characters that matter in the current state, determined after each relevant chunk. */
  rest: StopChars | undefined;
  /** Text that was passed on but not read yet. */
  quiet: string;
  /** Whether the current text was already passed on. */
  told: boolean;
  /** Reads what was passed on. */
  settle: () => void;
  events: CallEvent[];
  /** Whether there was only white space and reasoning so far. */
  start: boolean;
  /** White space that is text only if text follows. */
  space: string | undefined;
  /** White space between a call's body and its closer. */
  gap: string;
  /** Whether there was text for the user. */
  spoke: boolean;
  think:
    | {
        readonly closes: readonly Pattern[];
        held: string | undefined;
        rest?: StopChars | undefined;
        /** The first closer in a text that was searched. */
        seen?: {
          readonly text: string;
          readonly ended: boolean;
          readonly end: { readonly at: number; readonly end?: number } | undefined;
        };
        readonly callEnds: boolean;
        /** Whether it exceeded the buffer limit. */
        over?: boolean;
        readonly frame: boolean;
        /** The opener of the buffered call, and how much of it was searched for its closer. */
        marker?: Marker;
        passed?: number;
        /** The place in the reasoning, up to what is buffered. */
        place?: Tracked;
        /**
         * Whether words opened it, which may also start a response. It is buffered until closed, and text if it never
         * is.
         */
        label?: { readonly raw: string; said: string } | undefined;
      }
    | undefined;
  /** Whether there was reasoning that ended. */
  reasoned: boolean;
  /** The label of the answer that ended reasoning. After a final one everything is content, after another one labelled lines. */
  answered: string | undefined;
  /** Whether a frame of the dialect was removed, so that the response is framed. */
  framed: boolean;
  /** A plain tag around the response that was removed, so that its closer is removed too. */
  wrap: string | undefined;
  /** Whether an opener or section was removed and isn't closed yet, so that parts of parameters aren't text. */
  inside: boolean;
  /** Whether an opener was treated as text, so that closers before the next call are text too. */
  torn: boolean;
  frameRow: Dialect | undefined;
  /** Who the frame is for. Forms are only read in frames for tools. */
  frameFor: 'none' | 'tool' | 'text';
  body: OpenBody | undefined;
  /** Calls in one pair of markers, emitted at its end, because an item that isn't a call makes all of them text. */
  batch: Batch | undefined;
  call: OpenCall | undefined;
  calls: Outcome[];
  count: number;
  dialect: string | undefined;
  /** Whether the text is the content of an unclosed block that is read again, so that no block opens in it. */
  again: boolean;
  /** Whether the complete text must be calls, so that only plain ones count. */
  whole: boolean;
  lastForm: ReadyForm | undefined;
  /** Whether the words before a call, since the last one, retract it. Before the first, emitted text counts too. */
  disowns?: (isFirst: boolean, said: string, call: Candidate) => boolean;
}

/** Default limit for pending text and for one call. */
const mostHeld = 16 * 1024 * 1024;

/** No events. Never modified, because the first event creates its own list. */
export const noEvents: CallEvent[] = [];

/** The text from the first streamed call on. */
export const rawFrom = (m: Machine, { from, log }: NonNullable<Machine['first']>): string =>
  log.text + m.buffer.slice(Math.max(0, from - m.base), m.at);

export const newMachine = (grammar: Grammar, toolbox: Toolbox | undefined, named: boolean): Machine => ({
  grammar,
  toolbox,
  named,
  mode: 'text',
  buffer: '',
  at: 0,
  base: 0,
  log: new TextBuilder(),
  tracked: newPlace(grammar.sections),
  untracked: new TextBuilder(),
  candidate: undefined,
  waiting: [],
  waits: 0,
  thought: undefined,
  thoughtAt: undefined,
  turnedAt: undefined,
  decided: true,
  sure: true,
  asked: false,
  counted: false,
  closers: new Map(),
  unclosed: new Map(),
  outside: '',
  faulty: undefined,
  twice: false,
  tail: false,
  refused: undefined,
  written: undefined,
  first: undefined,
  back: false,
  mused: false,
  section: undefined,
  faults: [],
  formFrom: 0,
  loose: false,
  stray: false,
  plain: false,
  followed: false,
  said: '',
  invented: false,
  limit: mostHeld,
  notes: [],
  ended: false,
  cut: false,
  events: noEvents,
  start: true,
  rest: undefined,
  quiet: '',
  told: false,
  settle: () => undefined,
  space: undefined,
  gap: '',
  spoke: false,
  think: undefined,
  reasoned: false,
  answered: undefined,
  framed: false,
  wrap: undefined,
  inside: false,
  torn: false,
  frameRow: undefined,
  frameFor: 'none',
  body: undefined,
  batch: undefined,
  call: undefined,
  calls: [],
  count: 0,
  dialect: undefined,
  again: false,
  whole: false,
  lastForm: undefined,
});
