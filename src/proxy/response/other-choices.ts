import { isObject, type JsonObject, type JsonValue, stringifyJson } from '../../json/value.ts';
import type { CheckedCall, MendedParts } from '../../mend/mend-call.ts';
import type { TurnError, TurnResponse } from '../../model/index.ts';
import { parseBody } from '../../provider/wire/arguments.ts';
import type { Provider } from '../../provider/wire/types.ts';
import { isMalformed } from '../stream/call-form.ts';
import { mayHaveOthers, type SseFrame, SseFrames } from '../stream/sse-frames.ts';
import type { StreamMender } from '../stream/stream-mender.ts';
import { showsCall, withhold } from './withheld-calls.ts';

/** The field with several responses (`n`, `candidateCount`) in each API format, and the usage next to it. */
const lists: Readonly<Record<string, { readonly list: string; readonly usage: string }>> = {
  'openai-chat': { list: 'choices', usage: 'usage' },
  gemini: { list: 'candidates', usage: 'usageMetadata' },
};

/** Mends the calls of one choice, read as a response. */
export type MendChoice = (read: TurnResponse) => MendedParts;

/** Mends one of several responses, and removes truncated calls. Returns the same object if nothing changed. */
function mendedChoice(choice: JsonObject, wire: Provider, mend: MendChoice, calls: CheckedCall[]): JsonObject {
  const { list } = lists[wire.format] as { list: string };
  const { index = 0, ...one } = choice;
  const written = (response: TurnResponse): JsonObject => ({
    ...(wire.writeResponse(response).wire[list] as JsonObject[])[0],
    index,
  });
  try {
    const alone = { [list]: [{ ...one, index: 0 }] };
    const read = wire.readResponse(alone);
    const mended = mend(read);
    calls.push(...mended.calls);
    const told = withhold(mended.response, mended.calls, wire);
    const isChanged = told !== read || Boolean(read.ignored) || isMalformed(wire.format, alone);
    return isChanged ? written(told) : choice;
  } catch {
    // As the first choice, it may have a truncated call.
    return showsCall(stringifyJson(choice)) ? written(unreadable) : choice;
  }
}

const unreadable: TurnResponse = {
  message: {
    role: 'assistant',
    parts: [{ type: 'text', text: "[This choice was withheld: it can't be read. Its calls were not run.]" }],
  },
  finish: 'error',
};

/** Mends the other choices of a response, and returns their calls. */
export function mendOthers(
  response: TurnResponse,
  wire: Provider,
  mend: MendChoice,
): { readonly response: TurnResponse; readonly calls: readonly CheckedCall[] } {
  const { list } = lists[wire.format] ?? {};
  const { passthrough } = response;
  const calls: CheckedCall[] = [];
  const all = list === undefined ? undefined : passthrough?.fields[list];
  if (!passthrough || list === undefined || !Array.isArray(all) || all.length < 2) return { response, calls };
  const made = all.map((one, at) => (at > 0 && isObject(one) ? mendedChoice(one, wire, mend, calls) : one));
  if (made.every((one, at) => one === all[at])) return { response, calls };
  const fields = { ...passthrough.fields, [list]: made };
  return { response: { ...response, passthrough: { ...passthrough, fields } }, calls };
}

/** Another choice of a stream. */
interface OtherChoice {
  readonly index: JsonValue;
  readonly mender: StreamMender;
}

/**
 * Mends each choice of a stream like the first, as a stream of its own. Each gets the frames as if it were the first
 * choice, and what is written for it gets its index back.
 */
export class OtherChoices {
  readonly #first: StreamMender;
  readonly #begin: () => StreamMender;
  readonly #format: { readonly list: string; readonly usage: string } | undefined;
  readonly #choices = new Map<number, OtherChoice>();
  /** The bytes of received frames, which are forwarded unchanged. */
  readonly #received = new WeakSet<Buffer>();

  /**
   * @param first the mender of the first choice
   * @param begin creates the mender of another choice
   */
  constructor({ format }: Provider, first: StreamMender, begin: () => StreamMender) {
    this.#first = first;
    this.#begin = begin;
    this.#format = lists[format];
  }

  /** The checked calls of the other choices. */
  get calls(): CheckedCall[] {
    return [...this.#choices.values()].flatMap(({ mender }) => mender.calls);
  }

  /** Whether frames of any other choice are buffered. */
  get buffers(): boolean {
    return this.#choices.size > 0 && [...this.#choices.values()].some(({ mender }) => mender.buffers);
  }

  /** Processes frames that arrived together, and returns the bytes to send now. */
  takeAll(frames: readonly SseFrame[]): Buffer[] {
    const isFirst = this.#choices.size === 0 && !frames.some(mayHaveOthers);
    return isFirst ? this.#first.takeAll(frames) : frames.flatMap((frame) => this.take(frame));
  }

  /** Processes a frame of all choices, and returns the bytes to send now. */
  take(frame: SseFrame): Buffer[] {
    if (frame.data === '[DONE]' && this.#choices.size > 0) {
      const done = { ...frame, bytes: Buffer.alloc(0) };
      const last = [...this.#choices.values()].flatMap((choice) => this.#sent(choice, choice.mender.take(done)));
      return [...last, ...this.#first.take(frame)];
    }
    const parts = this.#split(frame);
    if (!parts) return this.#first.take(frame);
    const sent = parts.map(({ choice, frame: one }) => {
      if (!choice) return this.#first.take(one);
      this.#received.add(one.bytes);
      return this.#sent(choice, choice.mender.take(one));
    });
    const isSame = sent.every((pieces, at) => pieces.length === 1 && pieces[0] === parts[at]?.frame.bytes);
    return isSame ? [frame.bytes] : sent.flat();
  }

  /** Ends all choices, with an error if the connection broke. */
  end(error?: TurnError): Buffer[] {
    const menders = [...this.#choices.values()];
    const others = menders.flatMap((choice) => this.#sent(choice, choice.mender.end(error)));
    // The first choice reports that another one is incomplete.
    return [...others, ...this.#first.end(error ?? menders.find(({ mender }) => mender.broken)?.mender.broken)];
  }

  /** The frame of each choice; undefined if the frame only has the first. */
  #split(frame: SseFrame): { readonly choice: OtherChoice | undefined; readonly frame: SseFrame }[] | undefined {
    const { data } = frame;
    if (!this.#format || data === undefined || !mayHaveOthers(frame)) return undefined;
    const { list, usage } = this.#format;
    const chunk = parsed(data);
    const all = chunk?.[list];
    if (!chunk || !Array.isArray(all)) return undefined;
    const first = all.filter((one) => otherIndex(one) === undefined);
    if (first.length === all.length) return undefined;
    const { [usage]: used, ...bare } = chunk;
    const isAlone = all.length === 1 && !used;
    const frameOf = (value: JsonObject): SseFrame => {
      const text = stringifyJson(value);
      return { data: text, value, bytes: Buffer.from(`data: ${text}\n\n`) };
    };
    return [
      ...(first.length > 0 || used ? [{ choice: undefined, frame: frameOf({ ...chunk, [list]: first }) }] : []),
      ...all.filter(isObject).flatMap((one) => {
        const index = otherIndex(one);
        if (index === undefined) return [];
        const alone = frameOf({ ...bare, [list]: [{ ...one, index: 0 }] });
        const bytes = isAlone ? frame.bytes : frameOf({ ...bare, [list]: [one] }).bytes;
        return [{ choice: this.#choiceOf(index, one.index as JsonValue), frame: { ...alone, bytes } }];
      }),
    ];
  }

  #choiceOf(at: number, index: JsonValue): OtherChoice {
    const choice = this.#choices.get(at) ?? { index, mender: this.#begin() };
    this.#choices.set(at, choice);
    return choice;
  }

  /** What is sent for a choice, with its index. The first choice reports errors, the usage and the end of the stream. */
  #sent({ index }: OtherChoice, pieces: readonly Buffer[]): Buffer[] {
    const { list = '' } = this.#format ?? {};
    return pieces.flatMap((piece) => {
      if (this.#received.has(piece)) return [piece];
      return new SseFrames('sse', Number.POSITIVE_INFINITY).feed(piece).flatMap(({ data = '' }) => {
        const chunk = parsed(data);
        const all = chunk?.[list];
        if (!chunk || !Array.isArray(all) || all.length === 0) return [];
        const own = all.map((one) => (isObject(one) ? { ...one, index } : one));
        return [Buffer.from(`data: ${stringifyJson({ ...chunk, [list]: own })}\n\n`)];
      });
    });
  }
}

/** The index of a choice after the first; undefined for the first. */
function otherIndex(choice: unknown): number | undefined {
  const index = isObject(choice) ? Number(choice.index) : 0;
  return index > 0 ? index : undefined;
}

function parsed(data: string): JsonObject | undefined {
  try {
    const value = parseBody(data);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
