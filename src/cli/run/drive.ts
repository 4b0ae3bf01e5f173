import type { RunEnd } from '../../log/events.ts';
import type { Run } from '../../run/run.ts';
import { storeLabel } from './open-store.ts';
import type { Session } from './session.ts';

/** Draws a run until its loop ends or Ctrl-C is pressed. Returns the exit code. */
export async function drive(run: Run, session: Session): Promise<number> {
  session.interrupts.arm(() => run.abort());
  for await (const event of run) session.screen.show(event);
  const { end } = await run.result;
  session.interrupts.arm(undefined);
  if (end === 'awaiting_approval') session.note(waiting(run.id, session.values.store));
  return codes[end] ?? 1;
}

const codes: Partial<Record<RunEnd, number>> = { done: 0, aborted: 130 };

const waiting = (id: string, store: string | undefined): string =>
  store === undefined
    ? 'A call needs approval, and there is no terminal to ask in. Allow it with --allow RULE or --mode auto.'
    : `A call needs approval. To decide in a terminal, run: toolmend runs resume ${id} --store ${storeLabel(store)}`;
