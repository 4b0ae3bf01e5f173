import type { AgentInputItem, AgentOutputItem, ModelRequest, StreamEvent } from '@openai/agents-core';
import type { ContextMessage } from '../../dialect/echo/context.ts';
import { nudge } from '../../mend/feedback/feedback.ts';
import type { FinishReason } from '../../model/index.ts';
import type { Policy } from '../../tools/tool.ts';
import type { Toolbox } from '../../tools/toolbox.ts';
import { type PastCall, pastFeedback } from '../past-feedback.ts';
import { conversationOf, type Owed } from './conversation.ts';
import { type CorrectedCall, prepareHistory } from './history.ts';
import { isAction, isCall, isMessage } from './items.ts';
import { type BadCall, type MendedOutput, mendOutput } from './mend-output.ts';
import { type AgentsOptions, optionsFor } from './options.ts';
import { type RequestTools, requestTools } from './request-tools.ts';
import type { UsageData } from './usage.ts';

/** One answer of the model, as far as it is looked at. */
export interface ModelReply {
  readonly output: AgentOutputItem[];
  readonly finish?: FinishReason | undefined;
  /** The provider's id of the answer. */
  readonly id?: string | undefined;
  readonly usage?: UsageData;
}

/** The answers of one turn, of which the last one counts, and what the SDK may have of that. */
export interface Settled<A extends ModelReply = ModelReply> {
  readonly answers: readonly ModelReply[];
  readonly last: A;
  readonly output: AgentOutputItem[];
}

/**
 * Asks until the answer holds something the SDK can take: words, or a call that may run. A call that can't be mended never
 * reaches the SDK, which would throw or run it: the model is told of it at once where nothing else was called, else
 * beside the results of the good calls of the same answer.
 *
 * @param ask asks the model once, and yields what of it streams
 */
export async function* retryLoop<A extends ModelReply>(
  asked: ModelRequest,
  settings: AgentsOptions,
  owed: Owed,
  ask: (request: ModelRequest) => AsyncGenerator<StreamEvent, A>,
): AsyncGenerator<StreamEvent, Settled<A>> {
  const { retries = 3, ...options } = optionsFor(asked, settings);
  const tools = requestTools(asked);
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
    const { output, said, bad } = mended;
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
    request = bad.length > 0 ? next : { ...next, input: [...(next.input as AgentInputItem[]), nudgeOf(tools)] };
  }
}

/** Nothing is left to be told. A message of nothing but nameless calls is empty, and the SDK would ask for it forever. */
const isWhole = ({ output, bad, dropped }: MendedOutput): boolean =>
  bad.length === 0 && (!dropped || output.some((item) => isAction(item) || isMessage(item)));

/** A call that names nothing has no result that could tell of it. */
const nudgeOf = ({ toolbox }: RequestTools): AgentInputItem => ({
  ...{ type: 'message', role: 'user', content: nudge(toolbox.list().map(({ name }) => name)) },
});

/** Words, so that the run ends by itself; marked as what they are, for programs that look. */
const messageOf = (text: string): AgentOutputItem => ({
  ...{ type: 'message', role: 'assistant', status: 'incomplete' },
  content: [{ type: 'output_text', text }],
});

/** The ids of the calls that a request tells of. */
const idsOf = ({ input }: ModelRequest): ReadonlySet<string> =>
  new Set(typeof input === 'string' ? [] : input.flatMap((item) => (isCall(item) ? item.callId : [])));

/** What is said at the end of a turn in which no call could be made. */
function gaveUpMessage(answers: number, told: readonly CorrectedCall[]): string {
  const names = [...new Set(told.map(({ item }) => `'${item.name}'`))].join(', ');
  const what = names === '' ? 'a call without a name' : `a call of ${names} that can't be run`;
  const times = answers === 1 ? 'the answer held' : `${answers} answers in a row held`;
  return [`Nothing was run: ${times} ${what}.`, ...told.map(({ text }) => text)].join('\n\n');
}

/** What the model is to be told of the bad calls of its answers, one answer after the other: more each time. */
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
  ...{ id: item.callId, name: part.name, arguments: part.arguments, turn },
  ...(part.found && { found: part.found }),
  ...(finish && { finish }),
});
