import type { CallSettled } from '../log/event.ts';

/** The fact that a call which will not run, or may have run, has its result from us: these words. */
export function settledCall(
  call: Pick<CallSettled, 'callId' | 'name'>,
  was: CallSettled['was'],
  text: string,
): CallSettled {
  const { callId, name } = call;
  const result = { type: 'result', callId, name, content: [{ type: 'text', text }], isError: true } as const;
  return { type: 'call.sealed', callId, name, was, result };
}
