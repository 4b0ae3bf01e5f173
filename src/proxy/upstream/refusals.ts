import type { Format, TurnError } from '../../model/index.ts';
import type { Adaptations } from './text-mode.ts';

/** How to adapt requests to a model after a refusal, and the reason for the log. */
export interface Lesson {
  readonly adapt: Adaptations;
  readonly notice: string;
}

/** A refusal that goes away with an adapted request. */
interface Row {
  readonly says: RegExp;
  readonly adapt: Adaptations;
  /** Whether the adaptation changes the request. */
  readonly when?: (sent: SentRequest) => boolean;
  readonly notice: string;
}

const refused = '(?:extra|unrecognized|unsupported|unexpected|unknown|not (?:support|permit|allow|recogni)|forbidden)';

const rows: readonly Row[] = [
  {
    says: /max_tokens\W.{0,120}use .{0,3}max_completion_tokens/is,
    adapt: { limitField: 'max_completion_tokens' },
    when: ({ limited }) => limited(),
    notice: 'does not accept max_tokens: the proxy sends max_completion_tokens',
  },
  {
    says: new RegExp(`max_completion_tokens.{0,120}${refused}|${refused}.{0,120}max_completion_tokens`, 'is'),
    adapt: { limitField: 'max_tokens' },
    when: ({ limited }) => limited(),
    notice: 'does not accept max_completion_tokens: the proxy sends max_tokens',
  },
  {
    says: /system role not supported|does not support system (?:messages|role)/i,
    adapt: { strictTurns: true, withoutSystem: true },
    notice: 'has no system role: its text starts the first user message',
  },
  {
    says: /system message must be (?:at the beginning|(?:the )?first)|unexpected message role|unknown (?:message )?role|only (?:user|system).{0,40}roles? (?:are|is) supported/i,
    adapt: { strictTurns: true },
    notice: 'requires system text at the start: the proxy moves it there and joins adjacent messages of the same role',
  },
  {
    says: /roles must alternate|expected last role|(?:unexpected|invalid) role .{0,40} after role/i,
    adapt: { strictTurns: true, joinsResults: true },
    notice: 'requires alternating roles: the proxy joins adjacent messages, and text after results with the results',
  },
  {
    says: /(?:reasoning|think(?:ing)?\b|output_config).{0,80}(?:not (?:support|allow|permit|enabled)|unsupported|unrecognized|extra inputs?|input should be)|(?:does not support|unsupported|unknown|unrecognized|unexpected).{0,60}(?:reasoning|thinking|effort|output_config)/is,
    adapt: { reasoning: false },
    when: ({ reasons }) => reasons(),
    notice: "doesn't think: the proxy leaves out effort and thinking",
  },
  {
    says: /'?type'? of tool must be|tools?(?:\.|\[)\d+.{0,120}(?:type|tag|function)|unsupported tool type|tool type .{0,40} (?:not|un)supported|unknown (?:tool|item|input) type|additional_tools|tool_search/is,
    adapt: { plainTools: true },
    when: ({ special }) => special(),
    notice: 'only supports functions: the proxy sends other tools as functions',
  },
];

/** The context window and the tokens of the prompt in a refusal. */
const windows = /(?:maximum context length|context (?:window|length|size))\D{1,30}?(\d{3,})/i;
const prompts =
  /\(\s*(\d+) in the (?:messages|prompt)|(?:has|contains) (\d+) input tokens|(\d+) tokens? (?:from|in) the (?:input|prompt)|request \((\d+) tokens\)|prompt (?:token count of |too long: |is too long: )(\d+)/i;
/** Parts of other refusals that only give a lower bound. */
const bounds = /at least (\d+) input tokens/i;
const outputs =
  /supports at most (\d+) (?:completion|output) tokens|> (\d+), which is the maximum allowed|max_(?:completion_|output_|new_)?tokens\W.{0,40}?(?:less than or equal to|at most|<=|maximum(?: value)? (?:is|of))\W*(\d+)/i;

/** What a refusal teaches about a model; undefined if another request wouldn't help. */
export function lessonOf({ message, status = 0 }: TurnError, sent: SentRequest): Lesson | undefined {
  if (status < 400 || status === 401 || status === 403 || status === 429) return undefined;
  const lesson = tooMuch(message, sent) ?? rows.find(({ says, when = () => true }) => says.test(message) && when(sent));
  const keys = Object.keys(lesson?.adapt ?? {}) as (keyof Adaptations)[];
  return keys.some((key) => lesson?.adapt[key] !== sent.adapted[key]) ? lesson : undefined;
}

/** What is known about a refused request. */
export interface SentRequest {
  /** Whether it asked for a number of output tokens. */
  readonly limited: () => boolean;
  /** Whether it asked for an effort or for thinking. */
  readonly reasons: () => boolean;
  /** Whether it had tools that aren't functions, in the client's own API format. */
  readonly special: () => boolean;
  /** The estimated tokens of its prompt, without a correction. */
  readonly estimate: () => number;
  /** What requests were adapted to so far. */
  readonly adapted: Adaptations;
}

/** The lesson from a request for more output than fits. */
function tooMuch(message: string, { limited, estimate, adapted }: SentRequest): Lesson | undefined {
  const most = firstOf(outputs.exec(message));
  const contextWindow = firstOf(windows.exec(message));
  if ((most === undefined && contextWindow === undefined) || !limited()) return undefined;
  if (most !== undefined)
    return { adapt: { maxOutput: most }, notice: `writes at most ${most} tokens: the proxy lowers larger limits` };
  if (contextWindow === undefined) return undefined;
  const exact = firstOf(prompts.exec(message));
  // A prompt that doesn't fit needs another conversation, which only the client can write.
  if (exact !== undefined && exact >= contextWindow) return undefined;
  const known = adapted.contextWindow === contextWindow;
  const least = (firstOf(bounds.exec(message)) ?? 0) / estimate();
  const tokenRatio =
    exact === undefined ? Math.max(least, (adapted.tokenRatio ?? 1) * (known ? 1.3 : 1)) : exact / estimate();
  const notice = `has a context of ${contextWindow} tokens: the proxy lowers output limits to what fits`;
  return { adapt: { contextWindow, tokenRatio }, notice };
}

const tooLong = /context (?:window|length|size|limit)|prompt (?:is )?too long|prompt token count/i;

/**
 * A refusal of a prompt that is too long, in the words by which clients of an API format recognize it and shorten their
 * conversation; undefined for other refusals.
 */
export function overflowFor(format: Format, { message, kind }: TurnError): TurnError | undefined {
  if (kind === 'rate_limit' || !tooLong.test(message)) return undefined;
  const [prompt, most] = [firstOf(prompts.exec(message)), firstOf(windows.exec(message))];
  const told = prompt !== undefined && most !== undefined ? `${prompt} tokens > ${most} maximum` : message;
  return {
    kind: 'request',
    retryable: false,
    status: 400,
    code: 'context_length_exceeded',
    message: format === 'anthropic' ? `prompt is too long: ${told}` : message,
  };
}

const firstOf = (match: RegExpExecArray | null): number | undefined => {
  const found = match?.slice(1).find((group) => group !== undefined);
  return found === undefined ? undefined : Number(found);
};
