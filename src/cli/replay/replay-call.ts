import { isDeepStrictEqual } from 'node:util';
import type { Repair } from '../../json/repair.ts';
import type { CallAccepted, CallMended, CallRefused, RunEvent, RunStarted } from '../../log/events.ts';
import { mend } from '../../mend/mend.ts';
import type { Outcome } from '../../mend/outcome.ts';
import type { FinishReason } from '../../model/index.ts';
import { type Effect, tool, toolFromSpec } from '../../tools/tool.ts';
import { Toolbox } from '../../tools/toolbox.ts';

/** How this version handles a logged call. */
export type Replayed =
  | { readonly type: 'same' | 'changed'; readonly was: ReplayedOutcome; readonly now: ReplayedOutcome }
  | { readonly type: 'unjudged'; readonly why: string };

/** The comparable part of a result. */
export interface ReplayedOutcome {
  readonly status: Outcome['status'];
  readonly name: string;
  readonly input: unknown;
  readonly repairs: readonly Repair[];
  readonly errorType?: string;
  readonly problems: readonly string[];
}

/**
 * Mends a logged call again, with the schema of the given tools or of the log. Without its schema, only what doesn't
 * depend on the schema is compared.
 */
export function replayCall(logged: LoggedCall, toolbox: Toolbox | undefined): Replayed {
  const was = judgedThen(logged);
  if (toolbox && was.errorType !== 'unknown_tool' && !toolbox.has(was.name)) {
    return { type: 'unjudged', why: `the tool ${was.name} is not in the --tools file` };
  }
  if (!toolbox && needsSchema(was) && !logged.schemas.has(was.name))
    return {
      type: 'unjudged',
      why: 'the outcome depends on a schema that the log does not have; pass it with --tools',
    };
  if (!toolbox && needsEffect(logged))
    return { type: 'unjudged', why: 'the outcome depends on the effect of the tool; pass it with --tools' };
  const { call } = logged.event;
  const { id, name, arguments: given, found } = call;
  const raw = { id, name, arguments: given, finishReason: logged.finish, ...(found && { found }) };
  const now = judgedNow(mend(raw, toolbox ?? logged.toolbox));
  return { type: isSame(was, now) ? 'same' : 'changed', was, now };
}

function judgedThen({ event }: LoggedCall): ReplayedOutcome {
  const { name, input, repairs } = event;
  if (event.type !== 'call.refused') {
    return { status: event.type === 'call.accepted' ? 'ok' : 'mended', name, input, repairs, problems: [] };
  }
  const problems = event.problems.map(({ message }) => message);
  return { status: 'invalid', name, input, repairs, errorType: event.errorType, problems };
}

function judgedNow(outcome: Outcome): ReplayedOutcome {
  const { status, name, repairs } = outcome;
  // As in the log, which only contains JSON.
  const input = outcome.input === undefined ? undefined : JSON.parse(JSON.stringify(outcome.input) ?? 'null');
  const problems = outcome.problems.map(({ message }) => message);
  return {
    status,
    name,
    input,
    repairs,
    problems,
    ...(outcome.status === 'invalid' && { errorType: outcome.errorType }),
  };
}

const needsSchema = ({ status, errorType, repairs }: ReplayedOutcome): boolean =>
  status === 'invalid'
    ? errorType !== 'truncated' && errorType !== 'unknown_tool'
    : repairs.some(({ certainty }) => certainty !== 'lossless');

/** Whether a call was refused because its tool accepts only lossless repairs, which its schema doesn't say. */
const needsEffect = ({ event, effects }: LoggedCall): boolean =>
  event.type === 'call.refused' && !effects.has(event.name) && event.problems.some(({ code }) => code === 'not_exact');

/** Whether two results are equal. The input only matters if the call runs. */
const isSame = (was: ReplayedOutcome, now: ReplayedOutcome): boolean =>
  was.status === now.status &&
  was.name === now.name &&
  was.errorType === now.errorType &&
  (was.status === 'invalid' ? isDeepStrictEqual(was.problems, now.problems) : isDeepStrictEqual(was.input, now.input));

/** The tools of a run, with the schemas and effects that its log has. */
function loggedToolbox({ tools, specs = [] }: RunStarted, effects: LoggedCall['effects']): Toolbox {
  const known = new Map(specs.map((spec) => [spec.name, toolFromSpec(spec)]));
  const all = [...new Set([...tools, ...known.keys()])].map((name) => {
    const effect = effects.get(name);
    return { ...(known.get(name) ?? tool({ name, description: '' })), ...(effect && { effect }) };
  });
  return new Toolbox(all, { validate: false });
}

/** A call with its original result. */
export interface LoggedCall {
  readonly event: RunEvent<CallAccepted | CallMended | CallRefused>;
  /** The finish reason of its message, if it concerns this call. */
  readonly finish: FinishReason | undefined;
  /** The available tools, as far as the log describes them. */
  readonly toolbox: Toolbox;
  /** Names of the tools whose schemas the log has. */
  readonly schemas: ReadonlySet<string>;
  /** The effects of the tools that ran. */
  readonly effects: ReadonlyMap<string, Effect>;
}

/** The calls of a run as written by the model, with their first check. Later edits don't count. */
export function loggedCalls(events: Iterable<RunEvent>): LoggedCall[] {
  const found = new Map<string, LoggedCall>();
  const finishes = new Map<string, FinishReason>();
  const all = [...events];
  const effects = new Map(all.flatMap((event) => (event.type === 'tool.started' ? [[event.name, event.effect]] : [])));
  let toolbox = new Toolbox();
  let schemas: ReadonlySet<string> = new Set();
  for (const event of all) {
    if (event.type === 'run.started') {
      toolbox = loggedToolbox(event, effects);
      schemas = new Set(event.specs?.map(({ name }) => name));
    } else if (event.type === 'turn.completed') {
      const last = event.response.message.parts.findLast((part) => part.type === 'call');
      if (last) finishes.set(last.id, event.response.finish);
    } else if (event.type === 'call.accepted' || event.type === 'call.mended' || event.type === 'call.refused') {
      if (!found.has(event.callId))
        found.set(event.callId, { event, finish: finishes.get(event.callId), toolbox, schemas, effects });
    }
  }
  return [...found.values()];
}
