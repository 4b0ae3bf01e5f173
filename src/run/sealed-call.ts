import type { CallSealed } from '../log/event.ts';

/** The fact that a call which will not run, or may have run, has its result from us: these words. */
export function sealedCall(
  call: Pick<CallSealed, 'callId' | 'name'>,
  was: CallSealed['was'],
  text: string,
): CallSealed {
  const { callId, name } = call;
  const result = { type: 'result', callId, name, content: [{ type: 'text', text }], isError: true } as const;
  return { type: 'call.sealed', callId, name, was, result };
}
