import type { RunContext } from './run-context.ts';

/** What was said in the meantime reaches the model after the results it was waiting for, and is on disk before it does. */
export async function takeMessages({ inbox, journal }: Pick<RunContext, 'inbox' | 'journal'>): Promise<void> {
  if (inbox.length === 0) return;
  for (const message of inbox.splice(0)) journal.note({ type: 'message.added', message });
  await journal.commit();
}
