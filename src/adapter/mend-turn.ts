import type { ReadCallsOptions } from '../dialect/call-reader.ts';
import { type CallContext, messagesIn } from '../dialect/echo/context.ts';
import { type CheckedCall, type MendedParts, mendParts } from '../mend/mend-call.ts';
import type { TurnResponse } from '../model/index.ts';
import { callsInText } from '../provider/text-calls/text-calls.ts';
import { TurnMender } from '../provider/text-calls/turn-mender.ts';
import type { Policy } from '../tools/tool.ts';
import type { Toolbox } from '../tools/toolbox.ts';

/** How an adapter handles the calls in responses. */
export interface MendOptions {
  /**
   * The dialect for calls in text; `native` doesn't read text.
   * @default 'auto'
   */
  readonly dialect?: string;
  /**
   * Whether the service parses the model's calls itself. Calls in text then count only if nothing about them is
   * doubtful.
   * @default detected from the model's URL, if the framework exposes it
   */
  readonly hosted?: boolean;
  readonly policy?: Policy;
  /** Called for each checked call. */
  readonly onCall?: (call: CheckedCall) => void;
}

/** Options for one response. */
export interface ResponseOptions extends MendOptions {
  /** The conversation before it. */
  readonly context?: CallContext;
}

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
