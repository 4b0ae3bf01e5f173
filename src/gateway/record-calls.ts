import type { RunEvent, RunFact } from '../log/events.ts';
import { checkIsStore } from '../log/journal.ts';
import { redactor } from '../log/redact/redact.ts';
import type { Store } from '../log/store.ts';
import type { CallPart } from '../model/index.ts';
import type { GatewayCall } from './session.ts';

/** How calls are recorded. */
export interface RecordOptions {
  /**
   * Record arguments and results, not only names.
   * @default false
   */
  readonly content?: boolean;
  /**
   * Removes secrets before recording.
   * @default removes common forms of secrets
   */
  readonly redact?: (event: RunEvent) => RunEvent;
  readonly onError?: ((message: string) => void) | undefined;
}

/** Creates a listener that records each call as a run. A failing store is reported, and doesn't affect calls. */
export function recordCalls(store: Store, options: RecordOptions = {}): (seen: GatewayCall) => void {
  checkIsStore(store);
  const { content = false, redact = redactor(), onError } = options;
  const keep = async (seen: GatewayCall): Promise<void> => {
    const facts = [...before(seen), ...seen.facts, after].map((fact) => (content ? fact : bare(fact)));
    const run = seen.call.id;
    const at = Date.now();
    const events = facts.map((fact, index) =>
      redact({ ...fact, run, seq: index + 1, at: index < 3 ? seen.begun : at } as RunEvent),
    );
    await store.append(events);
  };
  // Also reports calls that can't be serialized, for example because they are nested too deeply.
  return (seen) => void keep(seen).catch((error: unknown) => onError?.(`A call was not recorded: ${String(error)}`));
}

function before({ call, client }: GatewayCall): RunFact[] {
  const part: CallPart = { type: 'call', ...call };
  const response = { message: { role: 'assistant', parts: [part] }, finish: 'tool_calls' } as const;
  return [
    { type: 'run.started', model: { name: client?.name ?? 'unknown', provider: 'mcp' }, tools: [] },
    { type: 'turn.requested', turn: 1 },
    { type: 'turn.completed', turn: 1, response },
  ];
}

const after: RunFact = { type: 'run.ended', end: 'done', message: 'The call has ended' };

/** A fact without its content: only names, locations and kinds. */
function bare(fact: RunFact): RunFact {
  switch (fact.type) {
    case 'turn.completed': {
      const { message, finish } = fact.response;
      const parts = message.parts.map((part) => (part.type === 'call' ? argless(part) : part));
      return { ...fact, response: { finish, message: { ...message, parts } } };
    }
    case 'call.accepted':
    case 'call.mended':
    case 'call.refused': {
      const repairs = fact.repairs.map(({ path, kind, certainty }) => ({ path, kind, certainty, before: undefined }));
      const known = { ...fact, call: argless(fact.call), input: undefined, repairs };
      if (known.type !== 'call.refused') return known;
      const problems = known.problems.map(({ path, code }) => ({ path, code, message: code }));
      return { ...known, problems, recommendations: [], result: { ...known.result, content: [] } };
    }
    case 'approval.requested':
    case 'result.requested':
    case 'tool.started':
      return { ...fact, input: undefined };
    case 'result.received': {
      const { value: _, ...rest } = fact;
      return rest;
    }
    case 'tool.finished': {
      const { error: _, recommendations: __, ...rest } = fact;
      return { ...rest, result: { ...fact.result, content: [] } };
    }
    case 'call.denied':
    case 'call.settled':
      return { ...fact, result: { ...fact.result, content: [] } };
    case 'tool.orphaned':
      return { ...fact, outcome: '' };
    default:
      return fact;
  }
}

const argless = ({ type, id, name }: CallPart): CallPart => ({ type, id, name, arguments: '' });
