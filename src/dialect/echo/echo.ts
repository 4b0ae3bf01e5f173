import type { Outcome } from '../../mend/outcome.ts';
import { canonicalArguments, fold } from './canonical.ts';
import type { ContextMessage } from './context.ts';
import { mentioned, type Sought, soughtCall } from './mentions.ts';
import { TextIndex } from './text-index.ts';

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
 * confirm. The conversation is searched once for all calls.
 */
export function isEcho(
  calls: readonly Outcome[],
  context: readonly ContextMessage[],
  { taught, alone }: EchoOptions,
): boolean {
  const shown = context.filter(({ role }) => isShown(role, taught));
  if (shown.length === 0) return false;
  const compared = comparedCalls(calls);
  const tried = namesTried(context, compared);
  const repeats = views.flatMap((view) => {
    const here = compared.filter((one) => viewFor(one, tried) === view);
    if (here.length === 0) return [];
    const found = mentioned(shown.map(textIn(view, alone)), here.map(soughtIn), {
      isLoose: (at) => isTool(shown[at]),
      beyond: true,
    });
    return here.filter(({ sought }) => found.has(sought.id));
  });
  if (repeats.length === 0) return false;
  if (alone && wasAsked(context, compared)) return false;
  const made = callsMade(context, repeats.map(soughtIn));
  return repeats.some(({ isDestructive, sought }) => isDestructive || !made.has(sought.id));
}

/** A call to compare with the conversation. */
interface Compared {
  readonly sought: Sought;
  readonly isDestructive: boolean;
  /** Whether its tool is known. */
  readonly isKnown: boolean;
  readonly isBare: boolean;
}

const soughtIn = ({ sought }: Compared): Sought => sought;

/** The calls, each different one once. */
function comparedCalls(calls: readonly Outcome[]): Compared[] {
  const compared = calls.map(({ name, raw, input, tool }): Compared => {
    const args = [raw.arguments, input ?? raw.arguments];
    return {
      sought: soughtCall([name, raw.name].map(String), args, tool?.schema.json),
      isDestructive: tool?.effect === 'destructive',
      isKnown: tool !== undefined,
      isBare: Object.keys(input ?? {}).length === 0,
    };
  });
  return [...new Map(compared.map((one) => [one.sought.id, one])).values()];
}

/**
 * How a message is read for a call. A user who writes `now()` names a tool without arguments. Calling it isn't a
 * repetition, unless it is destructive, or in code that the response is about. Neither is a call like the example in the
 * feedback on an earlier one.
 */
type View = 'unchanged' | 'without brackets' | 'without brackets and examples' | 'without examples';
const views: readonly View[] = ['unchanged', 'without brackets', 'without brackets and examples', 'without examples'];

function viewFor({ sought, isDestructive, isKnown, isBare }: Compared, tried: ReadonlySet<string>): View {
  if (!isKnown || isDestructive) return 'unchanged';
  const wasTried = sought.names.some((name) => tried.has(name));
  if (isBare) return wasTried ? 'without brackets and examples' : 'without brackets';
  return wasTried ? 'without examples' : 'unchanged';
}

const textIn =
  (view: View, alone: boolean) =>
  ({ role, content }: ContextMessage): string => {
    if (role === 'user' && view.startsWith('without brackets'))
      return content.replace(alone ? /\(\s{0,9}\)/g : /(?<!`[^`\n]{0,80})\(\s{0,9}\)/g, ' ');
    return view.endsWith('examples') ? content.replace(example, '') : content;
  };

/** The example in feedback, as text or in a JSON string. */
const example = /Example of a call to [^\n]{1,99}?:(?:\n.*|\\n(?:\\[^n]|[^"\\\n])*)/g;

/** The names of tools that assistant messages contain. */
function namesTried(context: readonly ContextMessage[], compared: readonly Compared[]): ReadonlySet<string> {
  const names = new Set(compared.flatMap(({ sought }) => sought.names));
  const texts = context.flatMap(({ role, content, calls = [] }) =>
    isAssistant(role) ? [content, ...calls.map(({ name }) => name)] : [],
  );
  const index = new TextIndex(texts.join('\n'), names, new Set());
  return new Set([...names].filter((name) => index.places(name).length > 0));
}

const isAssistant = (role: string): boolean => role === 'assistant' || role === 'model' || role === 'ai';

const isShown = (role: string, taught: boolean): boolean =>
  !isAssistant(role) && !(taught && (role === 'system' || role === 'developer'));

/** Which calls assistant messages made: natively, or in text followed by a result. */
function callsMade(context: readonly ContextMessage[], sought: readonly Sought[]): ReadonlySet<string> {
  const native = new Set(
    context.flatMap(({ role, calls = [] }) =>
      isAssistant(role) ? calls.map(({ name, arguments: args }) => `${fold(name)}\0${canonicalArguments(args)}`) : [],
    ),
  );
  const texts = context.flatMap(({ role, content }, at) =>
    isAssistant(role) && isResult(context[at + 1]) && content !== '' ? [content] : [],
  );
  const made = new Set(mentioned(texts, sought, { beyond: false }));
  for (const { id, names, wanted } of sought)
    if (names.some((name) => [...wanted].some((one) => native.has(`${name}\0${one}`)))) made.add(id);
  return made;
}

const isTool = (message: ContextMessage | undefined): boolean =>
  message?.role === 'tool' || message?.role === 'function';

const isResult = (message: ContextMessage | undefined): boolean =>
  isTool(message) || /^\s*<(?:tool_response|tool_result|function_results)\b/.test(message?.content ?? '');

/** Whether the model was asked to confirm exactly these calls. */
function wasAsked(context: readonly ContextMessage[], compared: readonly Compared[]): boolean {
  const last = context.findLastIndex(({ role }) => isAssistant(role));
  const said = context[last]?.content;
  if (said === undefined) return false;
  const asked = context.slice(last + 1).some(({ role, content }) => role === 'user' && content === echoPrompt);
  return asked && mentioned([said], compared.map(soughtIn), { beyond: false }).size === compared.length;
}
