import { checkArgument, isObject } from '../../json/value.ts';
import type { CallAccepted, CallMended, CallRefused, MessageAdded, RunEvent, RunFact } from '../../log/events.ts';
import { checkIsStore } from '../../log/journal.ts';
import type { Store } from '../../log/store.ts';
import { feedback } from '../../mend/feedback/feedback.ts';
import type { CheckedCall } from '../../mend/mend-call.ts';
import type { Outcome } from '../../mend/outcome.ts';
import type { AssistantPart, ToolSpec, TurnResponse } from '../../model/index.ts';
import { specOf } from '../../tools/tool.ts';
import type { RequestRecord } from './request-record.ts';

/** How responses are recorded. */
export interface RecordOptions {
  /** Record content and arguments, not only names. */
  readonly content: boolean;
  /** Removes secrets before recording. */
  readonly redact: (event: RunEvent) => RunEvent;
  /**
   * Number of recent responses to keep.
   * @default all
   */
  readonly last?: number;
  readonly onError?: ((message: string) => void) | undefined;
}

/**
 * Creates a listener that records each response as a run. A failing store is reported, and doesn't affect responses.
 */
export function recordResponses(store: Store, options: RecordOptions): (seen: RequestRecord) => void {
  checkIsStore(store);
  checkArgument(isObject(options), 'options', '{ content }', options);
  const { content, redact, last = Number.POSITIVE_INFINITY, onError } = options;
  const kept: string[] = [];
  const write = async (seen: RequestRecord): Promise<void> => {
    const facts = factsOf(seen, { content });
    if (facts.length === 0) return;
    const at = Math.round(seen.at + seen.ms);
    await store.append(
      facts.map((fact, index) => redact({ ...fact, run: seen.id, seq: index + 1, at: index < 2 ? seen.at : at })),
    );
    if (last === Number.POSITIVE_INFINITY) return;
    kept.push(seen.id);
    if (kept.length > last) await store.remove(kept.shift() as string);
  };
  return (seen) => {
    write(seen).catch((error: unknown) => onError?.(`A response was not recorded: ${String(error)}`));
  };
}

/** Converts a response to the facts of a run with one turn; empty if the request wasn't for a model. */
export function factsOf(seen: RequestRecord, { content }: { readonly content: boolean }): RunFact[] {
  const { client, model, upstream, tools, response, calls, error } = seen;
  if (client === undefined) return [];
  const shown = content ? (one: TurnResponse) => one : withoutText;
  const answer = shown(response ?? nothing);
  return [
    { type: 'run.started', model: { name: model, provider: upstream }, tools, ...(content && calledSpecs(seen)) },
    ...(content ? lastWords(seen) : []),
    { type: 'turn.requested', turn: 1 },
    error === undefined && response
      ? { type: 'turn.completed', turn: 1, response: answer }
      : { ...failed, error: { ...failed.error, message: error ?? `status ${seen.status}` }, response: answer },
    ...calls.map((call) => judged(content ? call : withoutArguments(call))),
    {
      type: 'run.ended',
      end: error === undefined && response ? 'done' : 'model',
      message: `${seen.id} at ${upstream}`,
      own: seen.own,
    },
  ];
}

/** The last user message. Earlier ones are recorded with earlier responses. */
function lastWords({ question }: RequestRecord): MessageAdded[] {
  const message = question?.().messages.findLast(({ role }) => role === 'user');
  return message?.role === 'user' ? [{ type: 'message.added', message }] : [];
}

/** Definitions of the called tools. The others would be repeated with every response. */
function calledSpecs({ calls }: RequestRecord): { specs?: ToolSpec[] } {
  const called = new Set(calls.flatMap(({ outcome }) => outcome.tool ?? []));
  return called.size > 0 ? { specs: [...called].map(specOf) } : {};
}

const nothing: TurnResponse = { message: { role: 'assistant', parts: [] }, finish: 'error' };
const failed = { type: 'turn.failed', turn: 1, error: { kind: 'network', message: '', retryable: true } } as const;

function judged({ outcome, part }: CheckedCall): CallAccepted | CallMended | CallRefused {
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
    type: 'call.refused',
    ...known,
    errorType,
    problems,
    recommendations: result.recommendations ?? [],
    attempt: 1,
    result: { type: 'result', callId, name, content: [{ type: 'text', text }], isError: true },
  };
}

/** A response without its text: model, finish reason, usage, and names of calls. */
export function withoutText({ id, model, finish, usage, message }: TurnResponse): TurnResponse {
  const parts = message.parts.flatMap((part): AssistantPart[] =>
    part.type === 'call' ? [{ type: 'call', id: part.id, name: part.name, arguments: '' }] : [],
  );
  return {
    ...(id !== undefined && { id }),
    ...(model !== undefined && { model }),
    ...(usage && { usage }),
    finish,
    message: { role: 'assistant', parts },
  };
}

/** A checked call without its arguments: names, paths and kinds. */
export function withoutArguments({ part, changed, outcome }: CheckedCall): CheckedCall {
  const { type, id, name } = part;
  return { part: { type, id, name, arguments: '' }, changed, outcome: bare(outcome) };
}

function bare(outcome: Outcome): Outcome {
  const repairs = outcome.repairs.map(({ path, kind, certainty }) => ({ path, kind, certainty, before: undefined }));
  const raw = { name: outcome.raw.name, arguments: '' };
  if (outcome.status !== 'invalid') {
    const { status, tool, name } = outcome;
    return { status, tool, name, raw, repairs, input: undefined, value: undefined, problems: [] };
  }
  // A problem's message may quote the received value.
  const problems = outcome.problems.map(({ path, code }) => ({ path, code, message: code }));
  return { ...outcome, raw, repairs, problems, input: undefined };
}
