import { isObject, type JsonObject, type JsonValue } from '../../../json/value.ts';
import type { Usage } from '../../../model/index.ts';
import { type Form, isEmpty, present, readVerbatim } from '../passthrough-fields.ts';
import type { TurnEnd } from '../turn-assembler.ts';
import { mustBeList } from '../validate.ts';
import { passthroughOf, proto } from './fields.ts';
import { leadsBack, readFinish } from './map-finish-reason.ts';

/** The fields of a response except its parts, collected from one body or from the frames of a stream. */
export interface ResponseMetadata {
  /** The API's finish reason; empty if there is none. */
  word: string;
  /** Whether the prompt was blocked, so that there is no candidate. */
  blocked: boolean;
  /** Other fields of the first candidate, merged from all frames. */
  readonly first: JsonObject;
  /** Other candidates. */
  readonly others: JsonValue[];
  /** Null if no frame had candidates. */
  candidates: JsonValue[] | null;
  readonly top: JsonObject;
  usage?: JsonObject;
}

/** Metadata of a response that hasn't started. */
export const emptyMetadata = (): ResponseMetadata => ({
  word: '',
  blocked: false,
  first: {},
  others: [],
  candidates: null,
  top: {},
});

/**
 * Collects the metadata of a body or frame, and returns the content of the first candidate.
 *
 * @param isFirst whether a candidate is the one to read
 */
export function takeFrame(
  aside: ResponseMetadata,
  wire: JsonObject,
  isFirst: (candidate: JsonObject, place: number) => boolean,
): { content: JsonObject; where: string } | undefined {
  for (const key in wire) {
    const value = wire[key] as JsonValue;
    if (key === 'usageMetadata' && isObject(value)) aside.usage = { ...aside.usage, ...value };
    else if (key !== 'candidates' && key !== 'responseId' && key !== 'modelVersion') aside.top[key] = value;
  }
  const { promptFeedback } = wire;
  if (isObject(promptFeedback) && (promptFeedback.blockReason ?? promptFeedback.block_reason)) aside.blocked = true;
  if (wire.candidates === undefined || wire.candidates === null) return undefined;
  let content: { content: JsonObject; where: string } | undefined;
  aside.candidates ??= [];
  for (const [place, value] of mustBeList(wire.candidates, 'candidates').entries()) {
    const where = `candidates.${place}`;
    const candidate = proto(value, where);
    aside.candidates = [null];
    if (isFirst(candidate, place)) content = takeCandidate(aside, candidate, where) ?? content;
    else aside.others.push(value as JsonValue);
  }
  return content;
}

function takeCandidate(aside: ResponseMetadata, candidate: JsonObject, where: string) {
  for (const key in candidate) {
    const value = candidate[key] as JsonValue;
    if (key === 'finishReason') aside.word = laterWord(aside.word, value);
    else if (key !== 'content') aside.first[key] = value;
  }
  const { content } = candidate;
  if (content === undefined || content === null) return undefined;
  return { content: proto(content, `${where}.content`), where: `${where}.content` };
}

const unsaid = 'FINISH_REASON_UNSPECIFIED';

/** The last finish reason counts, but `STOP` doesn't replace an earlier limit or filter. */
const laterWord = (before: string, word: JsonValue): string =>
  typeof word !== 'string' || word === unsaid || (word === 'STOP' && before !== '') ? before : word;

/** The end of the response, with passthrough fields. */
export function endOf(aside: ResponseMetadata): TurnEnd {
  const { word, blocked, first, others, candidates, top } = aside;
  const left = { ...first, ...(word === '' ? { finishReason: null } : !leadsBack(word) && { finishReason: word }) };
  const marked = candidates === null || candidates.length === 0 ? candidates : [left, ...others];
  const plain = marked?.length === 1 && isEmpty(left);
  const none = candidates === null || candidates.length === 0;
  return {
    finish: word === '' && none ? (blocked ? 'filter' : 'other') : readFinish(word || 'STOP'),
    usage: aside.usage && readVerbatim(usage, aside.usage),
    passthrough: passthroughOf({ ...top, ...(!plain && { candidates: marked }) }).passthrough,
  };
}

/** `usageMetadata`, which counts tool input apart from the prompt, and reasoning apart from the output. */
export const usage: Form<Usage> = {
  format: 'gemini',

  read(value) {
    const wire = proto(value, 'usageMetadata');
    const input = sum(wire.promptTokenCount, wire.toolUsePromptTokenCount);
    const output = sum(wire.candidatesTokenCount, wire.thoughtsTokenCount);
    const { cachedContentTokenCount: cached, thoughtsTokenCount: reasoning } = wire;
    return {
      ...(input !== undefined && { input }),
      ...(output !== undefined && { output }),
      ...(typeof cached === 'number' && { cached }),
      ...(typeof reasoning === 'number' && { reasoning }),
    };
  },

  write({ input, output, cached, reasoning }): JsonObject {
    const total = input !== undefined && output !== undefined ? input + output : undefined;
    return present({
      promptTokenCount: input,
      cachedContentTokenCount: cached,
      candidatesTokenCount: output === undefined ? undefined : output - (reasoning ?? 0),
      thoughtsTokenCount: reasoning,
      totalTokenCount: total,
    });
  },
};

function sum(a: JsonValue | undefined, b: JsonValue | undefined): number | undefined {
  const counts = [a, b].filter((count) => typeof count === 'number');
  return counts.length > 0 ? counts.reduce((all, count) => all + count, 0) : undefined;
}
