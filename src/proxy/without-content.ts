import type { JudgedCall } from '../call/mended-call.ts';
import type { Outcome } from '../call/outcome.ts';
import type { AssistantPart, TurnResponse } from '../turn/turn.ts';

/** An answer without its words: who answered, how it ended, what it cost, and the names of what was called. */
export function wordless({ id, model, finish, usage, message }: TurnResponse): TurnResponse {
  const parts = message.parts.flatMap((part): AssistantPart[] =>
    part.type === 'call' ? [{ type: 'call', id: part.id, name: part.name, arguments: '' }] : [],
  );
  return {
    ...(id !== undefined && { id }),
    ...(model !== undefined && { model }),
    ...(usage && { usage }),
    ...{ finish, message: { role: 'assistant', parts } },
  };
}

/** A judged call without what it was called with: names, places, kinds. */
export function argless({ part, changed, outcome }: JudgedCall): JudgedCall {
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
  // The sentence of a problem may quote what was received.
  const problems = outcome.problems.map(({ path, code }) => ({ path, code, message: code }));
  return { ...outcome, raw, repairs, problems, input: undefined };
}
