import type { ReadCallsOptions } from '../dialect/call-reader.ts';
import { messagesIn } from '../dialect/echo/context.ts';
import { type MendedParts, mendParts } from '../mend/mend-call.ts';
import type { TurnResponse } from '../model/index.ts';
import { callsInText } from '../provider/text-calls/text-calls.ts';
import { TurnMender } from '../provider/text-calls/turn-mender.ts';
import type { Toolbox } from '../tools/toolbox.ts';
import type { ResponseOptions } from './mend-options.ts';

/** Mends the calls of a complete response, including those in text. Calls that can't be mended stay unchanged. */
export function mendTurn(response: TurnResponse, toolbox: Toolbox, options: ResponseOptions = {}): MendedParts {
  const reads = readsOf(options);
  const found = reads === undefined ? undefined : callsInText(response, toolbox, reads);
  const mended = mendParts(found?.response ?? response, { toolbox, policy: options.policy, before: beforeOf(options) });
  for (const call of mended.calls) options.onCall?.(call);
  return found ? { ...mended, changed: true } : mended;
}

/** The same for a streamed response. */
export function turnMender(toolbox: Toolbox, options: ResponseOptions = {}): TurnMender {
  const { policy, onCall } = options;
  return new TurnMender({ toolbox, policy, before: beforeOf(options), onCall, reads: readsOf(options) });
}

/** The conversation with its contents as text, read only if a call needs it. */
const beforeOf = ({ context }: ResponseOptions): (() => ReturnType<typeof messagesIn>) | undefined =>
  context && (() => messagesIn(context));

/** How text is read; undefined to not read it. */
const readsOf = ({
  dialect = 'auto',
  hosted = false,
  context,
}: ResponseOptions): (ReadCallsOptions & { readonly dialect: string }) | undefined =>
  dialect === 'native' ? undefined : { dialect, hosted, ...(context && { context }) };
