import type { Outcome } from '../../mend/outcome.ts';
import { canonicalArguments } from './canonical.ts';
import type { ContextMessage } from './context.ts';
import { mentions, type Sought, soughtCall } from './mentions.ts';

/**
 * The message to a model whose response repeats a call that it was shown. If it repeats the call alone, the call is
 * intended.
 */
export const echoPrompt =
  'Your last message repeats a call from this conversation word for word. It was not run, because it may be a quote. If you mean to make this call, answer with the call alone and nothing else. If not, answer in words.';

/** How calls are compared with the conversation. */
export interface EchoOptions {
  /** Whether the system prompt explains how to call, so that calls in it are examples. */
  readonly taught: boolean;
  /** Whether the response only consists of calls. */
  readonly alone: boolean;
}

/**
 * Whether a call only repeats what the model was shown: a user message or a tool result contains the same call. Calls
 * that the model made before can be repeated (unless they are destructive), and so can the call it was asked to
 * confirm.
 */
export function isEcho(
  calls: readonly Outcome[],
  context: readonly ContextMessage[],
  { taught, alone }: EchoOptions,
): boolean {
  const shown = context.filter(({ role }) => isShown(role, taught));
  if (shown.length === 0) return false;
  const sought = calls.map((call) => ({ call, sought: soughtOf(call) }));
  const repeats = sought.filter(({ call, sought: one }) => {
    const texts = shown.map(textFor(call, alone, wasTried(context, one)));
    return mentions(texts, one, (at) => isTool(shown[at]));
  });
  if (repeats.length === 0) return false;
  if (alone && wasAsked(context, sought)) return false;
  return repeats.some(({ call, sought: one }) => call.tool?.effect === 'destructive' || !wasMade(context, one));
}

/**
 * A user who writes `now()` names a tool without arguments. Calling it isn't a repetition, unless it is destructive, or
 * in code that the response is about. Neither is a call like the example in the feedback on an earlier one.
 */
const textFor =
  ({ tool, input }: Outcome, alone: boolean, tried: boolean) =>
  ({ role, content }: ContextMessage): string => {
    if (!tool || tool.effect === 'destructive') return content;
    if (role === 'user' && Object.keys(input ?? {}).length === 0)
      return content.replace(alone ? /\(\s{0,9}\)/g : /(?<!`[^`\n]{0,80})\(\s{0,9}\)/g, ' ');
    return tried ? content.replace(example, '') : content;
  };

/** The example in feedback, as text or in a JSON string. */
const example = /Example of a call to [^\n]{1,99}?:(?:\n.*|\\n(?:\\[^n]|[^"\\\n])*)/g;

/** Whether an assistant message called the tool. */
const wasTried = (context: readonly ContextMessage[], { names }: Sought): boolean =>
  context.some(
    ({ role, content, calls = [] }) =>
      isAssistant(role) && [content, ...calls.map(({ name }) => name)].some((text) => text.search(names) >= 0),
  );

const isAssistant = (role: string): boolean => role === 'assistant' || role === 'model' || role === 'ai';

const isShown = (role: string, taught: boolean): boolean =>
  !isAssistant(role) && !(taught && (role === 'system' || role === 'developer'));

function soughtOf({ name, raw, input, tool }: Outcome): Sought {
  return soughtCall([name, raw.name].map(String), [raw.arguments, input ?? raw.arguments], tool?.schema.json);
}

/** Whether an assistant message made the call: natively, or in text followed by a result. */
const wasMade = (context: readonly ContextMessage[], sought: Sought): boolean =>
  context.some(
    ({ role, content, calls = [] }, at) =>
      isAssistant(role) &&
      (calls.some((call) => isCall(call, sought)) ||
        (isResult(context[at + 1]) && content !== '' && mentions([content], sought))),
  );

const isTool = (message: ContextMessage | undefined): boolean =>
  message?.role === 'tool' || message?.role === 'function';

const isResult = (message: ContextMessage | undefined): boolean =>
  isTool(message) || /^\s*<(?:tool_response|tool_result|function_results)\b/.test(message?.content ?? '');

function isCall({ name, arguments: given }: { name: string; arguments: unknown }, { names, wanted }: Sought): boolean {
  names.lastIndex = 0;
  return names.test(name) && wanted.has(canonicalArguments(given));
}

/** Whether the model was asked to confirm exactly these calls. */
function wasAsked(context: readonly ContextMessage[], sought: readonly { readonly sought: Sought }[]): boolean {
  const last = context.findLastIndex(({ role }) => isAssistant(role));
  const said = context[last]?.content;
  if (said === undefined) return false;
  const asked = context.slice(last + 1).some(({ role, content }) => role === 'user' && content === echoPrompt);
  return asked && sought.every(({ sought: one }) => mentions([said], one));
}
