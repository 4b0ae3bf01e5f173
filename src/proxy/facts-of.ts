import { feedback } from '../call/feedback.ts';
import type { JudgedCall } from '../call/mended-call.ts';
import { specOf } from '../call/spec-of.ts';
import type { CallAccepted, CallMended, CallRefused, MessageAdded, RunFact } from '../log/event.ts';
import type { ToolSpec, TurnResponse } from '../turn/turn.ts';
import type { RequestRecord } from './seen-request.ts';
import { argless, wordless } from './without-content.ts';

/** An answer as the facts of a run of one turn; nothing where no model was asked. */
export function factsOf(seen: RequestRecord, { content }: { readonly content: boolean }): RunFact[] {
  const { client, model, upstream, tools, response, calls, error } = seen;
  if (client === undefined) return [];
  const shown = content ? (one: TurnResponse) => one : wordless;
  const answer = shown(response ?? nothing);
  return [
    { type: 'run.started', model: { name: model, provider: upstream }, tools, ...(content && calledSpecs(seen)) },
    ...(content ? lastWords(seen) : []),
    { type: 'turn.asked', turn: 1 },
    error === undefined && response
      ? { type: 'turn.answered', turn: 1, response: answer }
      : { ...broken, error: { ...broken.error, message: error ?? `status ${seen.status}` }, response: answer },
    ...calls.map((call) => judged(content ? call : argless(call))),
    {
      type: 'run.ended',
      end: error === undefined && response ? 'done' : 'model',
      message: `${seen.id} at ${upstream}`,
      own: seen.own,
    },
  ];
}

/** What was asked last; the conversation before it is in earlier answers. */
function lastWords({ question }: RequestRecord): MessageAdded[] {
  const message = question?.().messages.findLast(({ role }) => role === 'user');
  return message?.role === 'user' ? [{ type: 'message.added', message }] : [];
}

/** What the model was told of the tools it called: the others would only be repeated with every answer. */
function calledSpecs({ calls }: RequestRecord): { specs?: ToolSpec[] } {
  const called = new Set(calls.flatMap(({ outcome }) => outcome.tool ?? []));
  return called.size > 0 ? { specs: [...called].map(specOf) } : {};
}

const nothing: TurnResponse = { message: { role: 'assistant', parts: [] }, finish: 'error' };
const broken = { type: 'turn.broken', turn: 1, error: { kind: 'network', message: '', retryable: true } } as const;

function judged({ outcome, part }: JudgedCall): CallAccepted | CallMended | CallRefused {
  const { id: callId } = part;
  const { name, input, repairs, raw } = outcome;
  const call = { ...part, name: raw.name, arguments: raw.arguments };
  const known = { callId, call, name, input, repairs };
  if (outcome.status !== 'invalid') {
    const { status, note } = outcome;
    return status === 'ok'
      ? { type: 'call.accepted', ...known }
      : { type: 'call.mended', ...known, ...(note !== undefined && { note }) };
  }
  const { errorType, problems } = outcome;
  const { text, result } = feedback(outcome);
  return {
    ...{ type: 'call.refused', ...known, errorType, problems, recommendations: result.recommendations ?? [], tries: 1 },
    result: { type: 'result', callId, name, content: [{ type: 'text', text }], isError: true },
  };
}
