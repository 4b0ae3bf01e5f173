import type { Limits } from '../../json/limits.ts';
import { ToolmendError } from '../../json/toolmend-error.ts';
import { checkArgument } from '../../json/value.ts';
import type {
  AssistantMessage,
  Message,
  Model,
  ModelRequest,
  TurnError,
  TurnFailed,
  TurnFinished,
  Usage,
} from '../../model/index.ts';
import type { InferOutput } from '../../schema/infer.ts';
import { checkIsSchema, type Schema } from '../../schema/schema.ts';
import { feedback } from '../feedback/feedback.ts';
import { mendText, valueSchemaOf } from '../mend-value.ts';
import type { BadValue, GoodValue, MendedValue } from '../outcome.ts';

/** Limits of a request for a value. */
export interface AskBudgets {
  /**
   * Responses to request.
   * @default 3
   */
  readonly attempts?: number;
  /**
   * Input and output tokens. No further attempt starts when they are used up.
   * @default no limit
   */
  readonly tokens?: number;
  /**
   * Milliseconds for all attempts. A running request is aborted when they are over.
   * @default no limit
   */
  readonly time?: number;
}

/** Options of `ask`. */
export interface AskOptions {
  readonly budgets?: AskBudgets;
  readonly signal?: AbortSignal;
  /** System message before the conversation. */
  readonly instructions?: string;
  /**
   * Name of the output, which some APIs require.
   * @default 'output'
   */
  readonly name?: string;
  /**
   * Whether to describe the schema in the system message, for servers without structured output.
   * @default false
   */
  readonly describeSchema?: boolean;
  /** Sent with every request: `temperature`, `maxTokens`, `reasoning` … */
  readonly modelSettings?: Readonly<Record<string, unknown>>;
  /**
   * The lowest certainty of repairs to apply.
   * @default 'inferred'
   */
  readonly minCertainty?: 'lossless' | 'inferred';
  readonly limits?: Partial<Limits>;
}

/** What every result of `ask` has. */
interface Asked {
  /** Number of responses. */
  readonly attempts: number;
  /** Tokens of all attempts. */
  readonly usage: Usage;
  /** The conversation with every response and the feedback about it, without the system message. */
  readonly messages: readonly Message[];
}

/** The result of `ask`: a value, the last refused one, or why the model sent none. */
export type AskResult<Out = unknown> =
  | (GoodValue<Out> & Asked)
  | (BadValue & Asked)
  | ({
      /** `refused` if the model declined, `failed` if there was no complete response. */
      readonly status: 'refused' | 'failed';
      readonly error: TurnError;
    } & Asked);

/**
 * Requests a value that matches a schema. A response that can't be mended is sent back with feedback, until a value is
 * valid or a budget is used up.
 *
 * @example
 * const out = await ask(model, z.object({ city: z.string(), days: z.int() }), 'Plan a short trip.');
 * if (out.status === 'ok' || out.status === 'mended') out.value.days;
 */
export async function ask<const S>(
  model: Model,
  schema: S,
  messages: string | readonly Message[],
  options: AskOptions = {},
): Promise<AskResult<InferOutput<S>>> {
  checkArgument(
    typeof model?.stream === 'function',
    'model',
    'an object with stream(), such as the one openai() returns',
    model,
  );
  checkIsSchema(schema !== undefined && schema !== null, schema);
  checkArgument(typeof messages === 'string' || Array.isArray(messages), 'messages', 'text or messages', messages);
  const { attempts, tokens, time } = budgetsOf(options.budgets);
  const checker = valueSchemaOf(schema);
  const signals = [options.signal, Number.isFinite(time) && AbortSignal.timeout(time)].filter((one) => !!one);
  const signal = signals.length > 0 ? AbortSignal.any(signals) : undefined;
  const history: Message[] = typeof messages === 'string' ? [userText(messages)] : [...messages];
  const usage: Record<string, number> = {};
  let previous: string | undefined;
  for (let attempt = 1; ; attempt += 1) {
    const turn = await lastEvent(model, requestOf(checker, history, options), signal);
    const { response } = turn;
    add(usage, response.usage);
    history.push(response.message);
    const facts: Asked = { attempts: attempt, usage, messages: history };
    const error = turn.type === 'turn.failed' ? turn.error : refusalIn(response.message);
    if (error) return { status: turn.type === 'turn.failed' ? 'failed' : 'refused', error, ...facts };
    const text = textOf(response.message);
    const { minCertainty = 'inferred', limits = {} } = options;
    const mending = { minCertainty, limits, finishReason: response.finish, repeated: text === previous };
    const out = mendText(text, checker, mending) as MendedValue<InferOutput<S>>;
    const spent = (usage.input ?? 0) + (usage.output ?? 0);
    if (out.status !== 'invalid' || attempt >= attempts || spent >= tokens) return { ...out, ...facts };
    previous = text;
    history.push(userText(feedback(out, { attempt }).text));
  }
}

const userText = (text: string): Message => ({ role: 'user', parts: [{ type: 'text', text }] });

const textOf = ({ parts }: AssistantMessage): string =>
  parts.map((part) => (part.type === 'text' ? part.text : '')).join('');

/** A message in which the model only declines. */
function refusalIn(message: AssistantMessage): TurnError | undefined {
  const refusal = message.parts.find(({ type }) => type === 'refusal');
  if (refusal?.type !== 'refusal' || textOf(message).trim() !== '') return undefined;
  return { kind: 'request', message: refusal.text, retryable: false };
}

function budgetsOf({ attempts = 3, ...rest }: AskBudgets = {}): Required<AskBudgets> {
  const budgets = { tokens: Number.POSITIVE_INFINITY, time: Number.POSITIVE_INFINITY, ...rest, attempts };
  for (const [field, value] of Object.entries(budgets)) {
    if (typeof value === 'number' && value > 0) continue;
    throw new ToolmendError('invalid_option', `Invalid budget ${field} ${String(value)}: expected a positive number.`);
  }
  return budgets;
}

function requestOf(schema: Schema, history: readonly Message[], options: AskOptions): ModelRequest {
  const { json } = schema;
  const { instructions, name = 'output', describeSchema = false } = options;
  const described =
    describeSchema && json !== undefined
      ? `Respond with JSON that matches this JSON Schema, without any other text:\n${JSON.stringify(json)}`
      : undefined;
  const text = [instructions, described].filter(Boolean).join('\n\n');
  const system: Message[] = text ? [{ role: 'system', parts: [{ type: 'text', text }] }] : [];
  return {
    ...options.modelSettings,
    messages: [...system, ...history],
    output: json === undefined ? { type: 'json' } : { type: 'schema', schema: json, name },
  };
}

/** Runs a turn up to its last event. */
async function lastEvent(
  model: Model,
  request: ModelRequest,
  signal: AbortSignal | undefined,
): Promise<TurnFinished | TurnFailed> {
  if (!signal?.aborted)
    for await (const event of model.stream(request, signal ? { signal } : {}))
      if (event.type === 'turn.finished' || event.type === 'turn.failed') return event;
  const error: TurnError = signal?.aborted
    ? { kind: 'aborted', message: 'The request was aborted', retryable: false }
    : { kind: 'protocol', message: 'The model ended without a response', retryable: false };
  return { type: 'turn.failed', error, response: { message: { role: 'assistant', parts: [] }, finish: 'error' } };
}

function add(total: Record<string, number>, usage: Usage = {}): void {
  for (const [field, tokens] of Object.entries(usage))
    if (typeof tokens === 'number') total[field] = (total[field] ?? 0) + tokens;
}
