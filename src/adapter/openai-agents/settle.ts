import type { AgentInputItem, AgentOutputItem, ModelRequest, StreamEvent } from '@openai/agents-core';
import { nudge } from '../../call/nudge.ts';
import type { ContextMessage } from '../../dialect/context.ts';
import type { FinishReason } from '../../turn/turn.ts';
import { type AgentsOptions, optionsFor } from './agents-options.ts';
import { conversationOf, type Owed } from './conversation.ts';
import { gaveUpMessage } from './given-up.ts';
import { isAction, isCall, isMessage } from './items.ts';
import { type MendedOutput, mendOutput } from './mend-output.ts';
import { type RequestTools, requestTools } from './request-tools.ts';
import type { UsageData } from './sum-usage.ts';
import { tellBad } from './tell-bad.ts';
import { prepareHistory } from './told-input.ts';

/** One answer of the model, as far as it is looked at. */
export interface Answer {
  readonly output: AgentOutputItem[];
  readonly finish?: FinishReason | undefined;
  /** The provider's id of the answer. */
  readonly id?: string | undefined;
  readonly usage?: UsageData;
}

/** The answers of one turn, of which the last one counts, and what the SDK may have of that. */
export interface Settled<A extends Answer = Answer> {
  readonly answers: readonly Answer[];
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
export async function* settle<A extends Answer>(
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
  const answers: Answer[] = [];
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
