import type { Problem } from '../../json/problem.ts';
import type { JsonObject } from '../../json/value.ts';
import type { Outcome } from '../../mend/outcome.ts';
import type { Toolbox } from '../../tools/toolbox.ts';
import type { LiveArguments } from '../call/live-arguments.ts';
import type { Grammar, Marker, MarkerKind, ReadyForm } from '../grammar/grammar.ts';
import type { StopChars } from '../grammar/marker-trie.ts';
import type { TaggedEnds } from '../grammar/parameter-ends.ts';
import type { Pattern } from '../grammar/pattern.ts';
import { newPlace, type Place } from '../placement/place.ts';
import type { Around } from '../placement/shown.ts';
import type { PythonSpan } from '../python/span.ts';
import type { CallEvent, Dialect } from '../types.ts';
import type { JsonBody, Sink } from './json-scanner.ts';

/** The call that is being read. */
export interface OpenCall {
  readonly id: string;
  readonly name: string;
  readonly live: LiveArguments;
  /** Where it begins in the message. */
  readonly from: number;
}

/** A body of JSON, with what came of it so far. */
export interface BufferedJson {
  readonly kind: 'json';
  readonly form: ReadyForm;
  readonly json: JsonBody;
  /** Who is told what it holds; made when it is first read. */
  sink?: Sink;
  readonly name: string | undefined;
  readonly id: string | undefined;
  found: number;
  /** The text ended inside it. */
  cutOff: boolean;
  /** Everything as it was written, where it may turn out to be text. */
  source: string;
  /** Objects between the calls that are none: text, where nothing marks the calls. */
  other: string;
  /** Arguments that came before the name. */
  early: string;
  /** A closer of another dialect behind it. */
  stray: string | undefined;
}

/** Tagged parameters, with the one that is open. */
export interface TaggedBody {
  readonly kind: 'tagged';
  readonly form: ReadyForm;
  readonly params: JsonObject;
  /** What the tags themselves said of the types. */
  readonly types: Record<string, string>;
  key: string | undefined;
  ends: TaggedEnds | undefined;
  value: string;
  /** What stood between parameters and is none. */
  junk: string;
  /** White space right behind the opener; and whether a sentence goes on there, so that the opener is spoken of. */
  gap: string;
  spoken: boolean;
  readonly problems: Problem[];
  /** A closer that what came next implied. */
  lacks: string | undefined;
}

/** Python calls, with the one that is open. */
export interface PythonBody {
  readonly kind: 'python';
  readonly form: ReadyForm;
  readonly span: PythonSpan;
  source: string;
  found: number;
  /** `print(` is open around the call of this number. */
  printed?: number;
}

/** Text up to a closer, that is all of the arguments. */
export interface PlainBody {
  readonly kind: 'word';
  readonly form: ReadyForm;
  readonly name: string;
  value: string;
  rest: StopChars | undefined;
}

/** Calls between one pair of markers: those that are finished, with all that came since, and whether something else stands there. */
interface Batch {
  readonly outcomes: Outcome[];
  events: CallEvent[];
  foreign: boolean;
}

export const newBatch = (): Batch => ({ outcomes: [], events: [], foreign: false });

/** A body that is being read, by its kind. */
export type OpenBody = BufferedJson | TaggedBody | PythonBody | PlainBody;

/**
 * Markers and calls with nothing but white space between them. What it is, calls or text, may show only at the end of
 * the message; until then it is kept as it was written, beside what it would be as calls.
 */
export interface Candidate {
  /** Where it begins in the message. */
  readonly from: number;
  /** As it was written, once it is over. */
  raw: string;
  readonly events: CallEvent[];
  readonly outcomes: Outcome[];
  readonly kinds: Set<MarkerKind>;
  /** It names a tool that is there, or nearly. */
  known: boolean;
  /** It names a tool that is not there: a call only where nothing is said behind it. */
  unknown: boolean;
  /** It holds data that names a tool, or words where parameters should be: none of it is a call. */
  data: boolean;
  dialect: string | undefined;
  readonly startsLine: boolean;
  /** It comes behind a whole sentence, on the same line. */
  readonly behindSentence: boolean;
  /** A word stands right before it, as nobody writes in a sentence. */
  readonly glued: boolean;
  /** The beginning of the line before it, where it comes behind a sentence. */
  readonly said: string;
  /** Words open it, that prose may hold too. */
  readonly words: boolean;
  readonly atStart: boolean;
  /** It comes behind a sentence in the first line. */
  readonly inline: boolean;
  readonly around: Around | undefined;
  /** Its markers are special tokens. */
  readonly special: boolean;
  bare: boolean;
  /** A question stands above it, or it breaks into a sentence: no call of a tool that destroys. */
  readonly doubtful: boolean;
  /** It counts whatever follows, so that it is told as it comes. */
  readonly streams: boolean;
  /** It is told as it comes. */
  confirmed: boolean;
}

/** What waits for the end of the message: candidates, and what came between and behind them. */
export type Waiting = Candidate | { readonly text: string } | { readonly reasoning: string };

/** A reader in the middle of a text; plain data that the steps move along. */
export interface Machine {
  readonly grammar: Grammar;
  readonly toolbox: Toolbox | undefined;
  /** Whether bare rows were asked for by name, and may be read without a toolbox. */
  readonly named: boolean;
  mode: 'text' | 'think' | 'frame' | 'json' | 'tagged' | 'python' | 'word' | 'after';
  buffer: string;
  at: number;
  /** Where the buffer begins in the message. */
  base: number;
  /** What was read of the open candidate before the buffer. */
  log: string;
  /** What the text so far makes of a call that begins here. */
  place: Place;
  /** Markers and calls that may yet turn out to be text. */
  candidate: Candidate | undefined;
  /** What the end of the message decides, in order, and how much text it is. */
  waiting: Waiting[];
  waits: number;
  /** Reasoning that ended with what may be a call. */
  thought: string | undefined;
  /** Where in the reasoning the call stands that is held. */
  thoughtAt: Place | undefined;
  /** The thought before it was over, so that it may be a call that the model made. */
  decided: boolean;
  /** A call that was read is surely one: false in reasoning, and where nothing marks it and no dialect is named. */
  sure: boolean;
  /** The model was asked to answer so, and did. */
  asked: boolean;
  /** A call was told. */
  counted: boolean;
  /** What closed tagged values so far, which have no escapes, and what was written outside calls since. */
  readonly closers: Map<string, Pattern>;
  /** What would have closed values that only their call's end did. */
  readonly unclosed: Map<string, Pattern>;
  outside: string;
  /** Such a closer came again, so that a value may end at two places: calls and what they are judged as then. */
  twice: boolean;
  refused: ReadonlyMap<Outcome, Outcome> | undefined;
  /** Characters that may be held back, and that one call may hold. */
  limit: number;
  /** What was noticed that is neither text nor a call. */
  notes: string[];
  ended: boolean;
  cut: boolean;
  /** What means nothing where the reader stands, worked out after each piece that meant something. */
  rest: StopChars | undefined;
  /** What was passed on, and is yet to be read. */
  quiet: string;
  /** What is being read was passed on before. */
  told: boolean;
  /** Reads what was passed on. */
  settle: () => void;
  events: CallEvent[];
  /** Nothing but white space and reasoning came so far. */
  start: boolean;
  /** White space that is text only if text follows. */
  space: string | undefined;
  /** White space behind a call's body, before what closes it. */
  gap: string;
  /** Text was left for the user already. */
  spoke: boolean;
  think:
    | {
        readonly closes: readonly Pattern[];
        held: string | undefined;
        rest?: StopChars | undefined;
        /** Where the first closer stands in a text that was looked through. */
        seen?: {
          readonly text: string;
          readonly ended: boolean;
          readonly end: { readonly at: number; readonly end?: number } | undefined;
        };
        readonly callEnds: boolean;
        /** It held more than may be held back. */
        over?: boolean;
        readonly frame: boolean;
        /** What opened the call that is held, and how much of that was looked through for its closer. */
        marker?: Marker;
        passed?: number;
        /** Where in it the reader stands, up to what is held. */
        place?: Place;
        /** Words opened it, as they may an answer: held until it is closed, and text where it never is. */
        label?: { readonly raw: string; said: string } | undefined;
      }
    | undefined;
  /** Reasoning came and ended. */
  reasoned: boolean;
  /** A frame of the dialect was left out, so that the answer stands in frames. */
  framed: boolean;
  /** A plain tag that wraps the answer was left out, so that its closer is too. */
  wrap: string | undefined;
  /** A call's opener or a section was left out and not closed yet: parts of parameters are no text there. */
  inside: boolean;
  /** An opener was left as text, so that closers before the next call are text too. */
  torn: boolean;
  frameRow: Dialect | undefined;
  /** Who the frame is for; calls in forms are read only in a tool's. */
  frameFor: 'none' | 'tool' | 'text';
  body: OpenBody | undefined;
  /** What one pair of markers holds as JSON: told when it is over, since an item that is no call makes none of them one. */
  batch: Batch | undefined;
  call: OpenCall | undefined;
  calls: Outcome[];
  count: number;
  dialect: string | undefined;
  /** The text is read a second time, as what an unclosed block held: no block opens in it. */
  again: boolean;
  /** All of the text must be calls, so that only what plainly is one counts. */
  whole: boolean;
  lastForm: ReadyForm | undefined;
  /** Where calls were asked for: whether words before one take it back. Before the first, what was told counts too. */
  disowns?: (isFirst: boolean, said: string) => boolean;
}

/** What may wait for the end of the message, and what one call may hold. */
const mostHeld = 16 * 1024 * 1024;

/** No events; never changed, because the first event of a piece makes a list of its own. */
export const noEvents: CallEvent[] = [];

export const newMachine = (grammar: Grammar, toolbox: Toolbox | undefined, named: boolean): Machine => ({
  ...{
    grammar,
    toolbox,
    named,
    mode: 'text',
    buffer: '',
    at: 0,
    base: 0,
    log: '',
    place: newPlace(grammar.sections),
    candidate: undefined,
    waiting: [],
    waits: 0,
    thought: undefined,
    thoughtAt: undefined,
    decided: true,
    sure: true,
    asked: false,
    counted: false,
    closers: new Map(),
    unclosed: new Map(),
    outside: '',
    twice: false,
    refused: undefined,
    limit: mostHeld,
    notes: [],
    ended: false,
    cut: false,
    events: noEvents,
    start: true,
  },
  ...{ rest: undefined, quiet: '', told: false, settle: () => undefined },
  ...{
    space: undefined,
    gap: '',
    spoke: false,
    think: undefined,
    reasoned: false,
    framed: false,
    wrap: undefined,
    inside: false,
    torn: false,
    frameRow: undefined,
    frameFor: 'none',
  },
  ...{
    body: undefined,
    batch: undefined,
    call: undefined,
    calls: [],
    count: 0,
    dialect: undefined,
    again: false,
    whole: false,
  },
  ...{ lastForm: undefined },
});
