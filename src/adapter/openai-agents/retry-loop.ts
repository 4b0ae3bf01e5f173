import type {
  AgentInputItem,
  AgentOutputItem,
  ModelRequest,
  ModelResponse,
  StreamEvent,
  StreamEventResponseCompleted,
} from '@openai/agents-core';
import type { ContextMessage } from '../../dialect/echo/context.ts';
import { nudge } from '../../mend/feedback/feedback.ts';
import type { FinishReason } from '../../model/index.ts';
import type { Policy } from '../../tools/tool.ts';
import { offeredTools, type Toolbox } from '../../tools/toolbox.ts';
import { type PastCall, pastFeedback } from '../past-feedback.ts';
import { conversationOf, type Owed } from './conversation.ts';
import { type CorrectedCall, prepareHistory } from './history.ts';
import { isAction, isCall, isMessage } from './items.ts';
import { type BadCall, type MendedOutput, mendFinal, mendOutput, requestedSchema } from './mend-output.ts';
import { type AgentsOptions, optionsFor } from './options.ts';
import { requestTools } from './request-tools.ts';

/** A response of the model. */
export interface ModelReply {
  readonly output: AgentOutputItem[];
  readonly finish?: FinishReason | undefined;
  /** The provider's id of the response. */
  readonly id?: string | undefined;
  readonly usage?: UsageData;
}

/** The responses of one turn. The last one counts, and `output` has its items for the SDK. */
export interface Settled<A extends ModelReply = ModelReply> {
  readonly answers: readonly ModelReply[];
  readonly last: A;
  readonly output: AgentOutputItem[];
}

/**
 * Sends requests until the response has something that the SDK can use: text, or a valid call. The SDK never gets a
 * call that can't be mended, because it would throw or run it. The model gets feedback immediately if there was no
 * valid call, otherwise with the results of the valid ones.
 *
 * @param ask sends a request, and yields its stream events
 */
export async function* retryLoop<A extends ModelReply>(
  asked: ModelRequest,
  settings: AgentsOptions,
  owed: Owed,
  ask: (request: ModelRequest) => AsyncGenerator<StreamEvent, A>,
): AsyncGenerator<StreamEvent, Settled<A>> {
  const { retries = 3, ...options } = optionsFor(asked, settings);
  const tools = requestTools(asked);
  const schema = requestedSchema(asked);
  const { items, past } = prepareHistory(asked.input, tools.toolbox, options.policy);
  const conversation = conversationOf(asked, items, owed);
  const tell = tellBad(past, tools.toolbox, options.policy);
  const answers: ModelReply[] = [];
  const since: ContextMessage[] = [];
  for (let request = conversation.request; ; ) {
    const last = yield* ask(request);
    answers.push(last);
    conversation.answered();
    const { finish, id } = last;
    const context = (): ContextMessage[] => [...options.context(), ...since];
    const mended = mendOutput(last.output, tools, { ...options, context, finish, used: idsOf(request) });
    const { said, bad } = mended;
    const { output, refused } = schema && isWhole(mended) ? mendFinal(mended.output, schema, finish) : mended;
    if (refused && answers.length <= retries) {
      const next = conversation.again(request, { output: mended.output, said, told: [], id });
      request = withMessage(next, refused(answers.length));
      continue;
    }
    if (isWhole(mended)) return { answers, last, output };
    const told = tell(bad, finish);
    since.push({ role: 'assistant', content: '', calls: bad.map(({ part }) => part) });
    since.push(...told.map(({ text }) => ({ role: 'tool', content: text })));
    if (output.some(isAction)) return { answers, last, output: conversation.later({ output, said, told, id }) };
    if (answers.length > retries) {
      const words = gaveUpMessage(answers.length, told);
      yield { type: 'output_text_delta', delta: words };
      return { answers, last, output: [...output, messageOf(words)] };
    }
    const next = conversation.again(request, { output, said, told, id });
    request = bad.length > 0 ? next : withMessage(next, nudge(offeredTools(tools.toolbox).map(({ name }) => name)));
  }
}

/**
 * Whether there is nothing to report. A message with only unnamed calls is empty, and the SDK would retry it forever.
 */
const isWhole = ({ output, bad, ignored }: MendedOutput): boolean =>
  bad.length === 0 && (!ignored || output.some((item) => isAction(item) || isMessage(item)));

/** Adds a message: a call without a name, and a refused output, have no result that could report it. */
const withMessage = (request: ModelRequest, content: string): ModelRequest => ({
  ...request,
  input: [...(request.input as AgentInputItem[]), { type: 'message', role: 'user', content }],
});

/** A message that ends the run, marked as incomplete for programs. */
const messageOf = (text: string): AgentOutputItem => ({
  type: 'message',
  role: 'assistant',
  status: 'incomplete',
  content: [{ type: 'output_text', text }],
});

/** Ids of the calls in a request. */
const idsOf = ({ input }: ModelRequest): ReadonlySet<string> =>
  new Set(typeof input === 'string' ? [] : input.flatMap((item) => (isCall(item) ? item.callId : [])));

/** The message at the end of a turn without a valid call. */
function gaveUpMessage(answers: number, told: readonly CorrectedCall[]): string {
  const names = [...new Set(told.map(({ item }) => `'${item.name}'`))].join(', ');
  const what = names === '' ? 'a call without a name' : `a call to ${names} that can't run`;
  const times = answers === 1 ? 'the response had' : `${answers} responses in a row had`;
  return [`Nothing was run: ${times} ${what}.`, ...told.map(({ text }) => text)].join('\n\n');
}

/** Feedback for the bad calls of several responses, more detailed each time. */
function tellBad(
  past: readonly PastCall[],
  toolbox: Toolbox,
  policy?: Policy,
): (bad: readonly BadCall[], finish: FinishReason | undefined) => CorrectedCall[] {
  let calls = past;
  let turn = past.at(-1)?.turn ?? 0;
  return (bad, finish) => {
    turn += 1;
    calls = [...calls, ...bad.map((one, at) => asPast(one, turn, at === bad.length - 1 ? finish : undefined))];
    const texts = pastFeedback(calls, toolbox, policy);
    return bad.map(({ item }) => ({ item, text: texts.get(item.callId) ?? '' }));
  };
}

const asPast = ({ item, part }: BadCall, turn: number, finish: FinishReason | undefined): PastCall => ({
  id: item.callId,
  name: part.name,
  arguments: part.arguments,
  turn,
  ...(part.found && { found: part.found }),
  ...(finish && { finish }),
});

type Usage = ModelResponse['usage'];

/** Usage of a response: the SDK's class for a complete one, plain counts for a stream. */
export type UsageData = StreamEventResponseCompleted['response']['usage'];

/** The total usage of several responses, as plain counts. */
export function sumUsage(usages: readonly UsageData[]): UsageData {
  const total = (count: (usage: UsageData) => number): number => usages.reduce((sum, usage) => sum + count(usage), 0);
  const entries = usages.flatMap(({ requestUsageEntries }) => requestUsageEntries ?? []);
  return {
    requests: total(({ requests = 1 }) => requests),
    inputTokens: total(({ inputTokens }) => inputTokens),
    outputTokens: total(({ outputTokens }) => outputTokens),
    totalTokens: total(({ totalTokens }) => totalTokens),
    inputTokensDetails: usages.flatMap(({ inputTokensDetails }) => listOf(inputTokensDetails)),
    outputTokensDetails: usages.flatMap(({ outputTokensDetails }) => listOf(outputTokensDetails)),
    ...(entries.length > 0 && { requestUsageEntries: entries }),
  };
}

/** The same as an instance of the SDK's class, which is taken from the values to avoid importing the SDK. */
export function sumSdkUsage(usages: readonly UsageData[]): Usage {
  const known = usages.find((usage): usage is Usage => 'add' in usage);
  if (known && usages.length === 1) return known;
  const sum = sumUsage(usages);
  return known ? new (known.constructor as new (data: UsageData) => Usage)(sum) : (sum as Usage);
}

const listOf = (details: UsageData['inputTokensDetails'] = []): Record<string, number>[] =>
  Array.isArray(details) ? details : [details];
