import { messageOf } from '../../execute/tool-result.ts';
import { ToolmendError } from '../../json/toolmend-error.ts';
import type { RunCommand } from '../../log/control/commands.ts';
import { decideApproval, storedDecision } from '../../log/control/decide-approval.ts';
import { abortedFact } from '../../log/control/settled-fact.ts';
import { appendAndWake, childEnds, childUsage, rootOf } from '../../log/control/wake-parents.ts';
import { type Decision, type RunEvent, type RunFact, runEnds } from '../../log/events.ts';
import { applyEvent, isOver, openCalls, stateOf } from '../../log/fold.ts';
import { Journal, type RedactRun, redactEvent } from '../../log/journal.ts';
import type { RunState } from '../../log/state.ts';
import type { Store } from '../../log/store.ts';
import type { UserMessage } from '../../model/index.ts';
import { Toolbox } from '../../tools/toolbox.ts';
import { commandIds } from '../context.ts';
import { settleRecorded } from '../invoke/receive-result.ts';
import { settleWaiting } from '../settle-calls.ts';

const noTools = new Toolbox([]);

/** A command as the database stores it: without secrets, and with what the run was when it was sent. */
export function storedCommand(state: RunState, command: RunCommand, redact: RedactRun): RunCommand {
  const { run, seq, started } = state;
  const clean = <F extends RunFact>(fact: F): RunEvent<F> =>
    redact({ ...fact, run, seq: seq + 1, at: Date.now() }, { run, context: started?.context }) as RunEvent<F>;
  switch (command.type) {
    case 'approve':
      return { ...command, decision: storedDecision(state, command.callId, command.decision, redact).decision };
    case 'cancel': {
      const { reason } = command;
      if (reason === undefined) return { ...command, after: seq };
      return { ...command, after: seq, reason: clean({ type: 'run.ended', end: 'aborted', message: reason }).message };
    }
    default:
      return { ...command, message: clean({ type: 'message.added', message: command.message }).message };
  }
}

/** Whether the log of a run has what a command leads to. A command is received again if its confirmation got lost. */
function isCarriedOut({ commands, lastEnd = 0 }: RunState, id: string, command: RunCommand): boolean {
  return commands.has(id) || (command.type === 'cancel' && lastEnd > (command.after ?? Number.POSITIVE_INFINITY));
}

/** A command with its id. */
export interface IdentifiedCommand {
  readonly id: string;
  readonly command: RunCommand;
}

/** How to record a command. */
export interface RecordOptions {
  readonly redact: RedactRun;
  /** Whether the run is of workers, and none has it, though it may look active. */
  readonly isAbandoned: boolean;
}

/** Carries out a command in the log of a run that no worker has. Throws `SequenceTaken` if one takes it meanwhile. */
export async function recordCommand(
  store: Store,
  run: string,
  { id, command }: IdentifiedCommand,
  { redact, isAbandoned }: RecordOptions,
): Promise<void> {
  const state = await stateOf(store, run);
  if (isCarriedOut(state, id, command)) return;
  if (command.type === 'approve')
    return decideApproval(store, run, command.callId, command.decision, { redact, command: id, isAbandoned });
  if (command.type !== 'cancel' && (await isEndedChild(store, state)))
    throw new ToolmendError(
      'not_waiting',
      `The child run ${run} has ended, and its parent has its result. Send the message to its parent instead.`,
    );
  const context = state.started?.context;
  const clean = (event: RunEvent): RunEvent => redactEvent(event, (one) => redact(one, { run: event.run, context }));
  // Children must not be left waiting if this process ends.
  let ends: readonly RunEvent[] = [];
  const journal = new Journal(
    { ...store, append: (events) => appendAndWake(store, state, [...events, ...ends]) },
    {
      run,
      seq: state.seq,
      redact: clean,
      apply: (event) => applyEvent(state, event),
    },
  );
  const settle = async (why: string): Promise<void> => {
    ends = (await childEnds(store, state, why)).map(clean);
    settleWaiting({ state, journal }, why, await childUsage(store, state));
  };
  if (command.type === 'cancel') {
    // A run that has ended has nothing to cancel.
    if (isOver(state) && openCalls(state).length === 0 && state.ended?.end !== 'error') return;
    // Another process may take the run until all of it is stored.
    const record = { note: journal.note.bind(journal), commit: async (fact: RunFact) => void journal.note(fact) };
    await settleRecorded(state, { toolbox: noTools, record, run });
    const why = command.reason ?? runEnds.aborted;
    await settle(why);
    journal.note(abortedFact(why));
  } else {
    if (command.type === 'interrupt') await settle('The user sent another message');
    journal.note({ type: 'message.added', message: command.message, command: id });
  }
  await journal.commit();
}

/** Whether a run is a child that has ended. Workers take only its parent, which doesn't use it any more. */
const isEndedChild = async (store: Store, state: RunState): Promise<boolean> =>
  isOver(state) && (await rootOf(store, state)).run !== state.run;

/** The run of a worker, for commands. */
interface Controlled {
  readonly state: RunState;
  readonly journal: Journal;
  abort(reason?: string): void;
  send(message: UserMessage): unknown;
  interrupt(message: UserMessage): unknown;
  approve(callId: string, decision: Decision): Promise<void>;
}

/** Carries out a command in an active run. Returns why it is refused, if it is. */
export async function applyCommand(run: Controlled, id: string, command: RunCommand): Promise<string | undefined> {
  try {
    // A worker that died may have recorded it before.
    if (isCarriedOut(run.state, id, command)) return undefined;
    if (command.type === 'cancel') run.abort(command.reason);
    else if (command.type === 'approve') {
      commandIds.set(command.decision, id);
      await run.approve(command.callId, command.decision);
    } else {
      commandIds.set(command.message, id);
      run[command.type](command.message);
    }
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}
