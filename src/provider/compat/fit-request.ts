import { readStrict } from '../../json/read-json.ts';
import { checkArgument, isObject, stringifyJson } from '../../json/value.ts';
import type {
  AssistantPart,
  CallPart,
  Format,
  Message,
  ResultPart,
  TextPart,
  ToolChoice,
  TurnEvent,
  TurnRequest,
  TurnResponse,
} from '../../model/index.ts';
import type { LoweringTarget } from './lowering-target.ts';
import { fitHistory, fitSignatures, fitTexts } from './messages.ts';
import { fits, idRules, safeNames, toolRules } from './safe-names.ts';
import type { Fitting } from './schema/state.ts';
import { fitSettings } from './settings.ts';
import { type FittedTool, fitOutput, fitTool } from './tools.ts';
import { fitTurns } from './turns.ts';

/**
 * Adapts a request to what its provider accepts, before it is converted to the API format, and undoes that in the
 * response.
 */

/** An adapted request, and functions that undo the changes in the response. */
export interface Fitted {
  readonly request: TurnRequest;
  /** What the provider would have rejected, and how it was changed. */
  readonly warnings: readonly Fitting[];
  /** Restores the tool's name, and converts the arguments back to its schema. */
  undo(call: CallPart): CallPart;
  /** The same for stream events, and for the text of structured output. Deltas pass unchanged. */
  undoEvent(event: TurnEvent): TurnEvent;
  undoResponse(response: TurnResponse): TurnResponse;
  /** Converts a parsed structured output back to the requested schema. */
  undoOutput(value: unknown): unknown;
}

/**
 * Adapts a request to a provider: tool names, call ids, schemas, conflicting settings, the order of calls and results,
 * and invalid arguments in the history. Leaves everything else unchanged. Validate calls against the tools' own
 * schemas, not the lowered ones.
 *
 * @param wire the API format, if known; some providers have two
 *
 * @example
 * const { request, undo } = fit(question, 'gemini');
 */
export function fitRequest(given: TurnRequest, target: LoweringTarget, wire?: Format): Fitted {
  checkArgument(Array.isArray(given?.messages), 'request', '{ messages }', given);
  checkArgument(Object.hasOwn(toolRules, String(target)), 'target', Object.keys(toolRules).join(', '), target);
  const warnings: Fitting[] = [];
  const request = fitSettings(given, target, warnings);
  const names = safeNames(namesIn(request), toolRules[target]);
  const tools = new Map<string, FittedTool>();
  const specs = request.tools?.map((tool, at) => {
    if (tool.type !== 'function') return tool;
    const fitted = fitTool(tool, target, names, `tools.${at}`, warnings);
    tools.set(fitted.spec.name, fitted);
    return fitted.spec;
  });
  const ids = safeIds(fitMessages(request, target, warnings, wire), idRules[target]);
  for (const { where, from, to } of ids.changed) {
    const what = `the id ${JSON.stringify(from)} is rejected; sent as ${JSON.stringify(to)}`;
    warnings.push({ where, what, kind: 'rewritten' });
  }
  const output = request.output && fitOutput(request.output, target, warnings);

  const undo = (call: CallPart): CallPart => {
    const lifted = liftArguments(call.arguments, tools.get(call.name));
    const name = names.original(call.name);
    return name === call.name && lifted === call.arguments ? call : { ...call, name, arguments: lifted };
  };
  const undoText = (part: TextPart): TextPart => {
    const value = output && readStrict(part.text)?.value;
    const lifted = value === undefined ? value : output?.lift(value);
    return lifted === value ? part : { ...part, text: stringifyJson(lifted) };
  };
  const undoPart = (part: AssistantPart): AssistantPart =>
    part.type === 'call' ? undo(part) : part.type === 'text' ? undoText(part) : part;
  const undoResponse = (response: TurnResponse): TurnResponse => {
    const parts = response.message.parts.map(undoPart);
    const touched = parts.some((part, index) => part !== response.message.parts[index]);
    return touched ? { ...response, message: { ...response.message, parts } } : response;
  };
  return {
    request: {
      ...request,
      messages: fitHistory(ids.messages, names, warnings),
      ...(specs && { tools: specs }),
      ...(request.toolChoice && { toolChoice: fitChoice(request.toolChoice, names.safe) }),
      ...(output && { output: output.output }),
    },
    warnings,
    undo,
    undoResponse,
    undoEvent: (event) => {
      if (event.type === 'part.finished') return { ...event, part: undoPart(event.part) };
      if (event.type === 'part.started' && event.part.type === 'call')
        // Arguments have only started here.
        return { ...event, part: { ...event.part, name: names.original(event.part.name) } };
      if (event.type === 'turn.finished' || event.type === 'turn.failed')
        return { ...event, response: undoResponse(event.response) };
      return event;
    },
    undoOutput: (value) => output?.lift(value) ?? value,
  };
}

/** Adapts the conversation, except for names, ids and arguments. */
function fitMessages(
  request: TurnRequest,
  target: LoweringTarget,
  warnings: Fitting[],
  wire: Format | undefined,
): readonly Message[] {
  const knows = wire && ((format: Format): boolean => format === wire);
  const messages = fitTexts(request.messages, target, warnings);
  return fitSignatures(fitTurns({ ...request, messages }, target, warnings, knows), target, warnings);
}

/** All tool names in a request. */
function namesIn({ tools = [], toolChoice, messages }: TurnRequest): string[] {
  return [
    ...tools.flatMap((tool) => (tool.type === 'function' ? [tool.name] : [])),
    ...(typeof toolChoice === 'object' ? [toolChoice.tool] : []),
    ...messages.flatMap(({ parts }) =>
      parts.flatMap((part) => (part.type === 'call' ? [part.name] : part.type === 'result' ? (part.name ?? []) : [])),
    ),
  ];
}

const fitChoice = (choice: ToolChoice, safe: (name: string) => string): ToolChoice =>
  typeof choice === 'object' ? { tool: safe(choice.tool) } : choice;

/** Leaves invalid JSON for `mend` to handle. */
function liftArguments(given: unknown, tool: FittedTool | undefined): unknown {
  if (!tool) return given;
  if (typeof given !== 'string') return isObject(given) ? tool.lift(given) : given;
  const value = readStrict(given)?.value;
  if (!isObject(value)) return given;
  const lifted = tool.lift(value);
  return lifted === value ? given : stringifyJson(lifted);
}

type IdRule = (typeof idRules)[keyof typeof idRules];

/** Messages with call ids that a provider accepts. */
export interface SafeIds {
  readonly messages: readonly Message[];
  /** Changed ids, with their location. */
  readonly changed: readonly { readonly where: string; readonly from: string; readonly to: string }[];
}

/**
 * Adapts the ids of calls to a rule, and updates their results. A result without a call in the conversation keeps its
 * id, because the provider knows the call by that id.
 */
export function safeIds(messages: readonly Message[], rule: IdRule): SafeIds {
  checkArgument(Array.isArray(messages), 'messages', 'a list of messages', messages);
  const all = messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'call' ? [part.id] : [])));
  const names = safeNames(all, rule);
  const used = new Set<string>(all.filter((id) => fits(id, rule)));
  const seen = new Set<string>();
  const current = new Map<string, string>();
  const changed: { where: string; from: string; to: string }[] = [];
  /** A unique id for a call that shares its id with an earlier one. */
  const own = (id: string): string => {
    const safe = names.safe(id);
    if (!rule.unique || !seen.has(safe)) return safe;
    for (let turn = 2; ; turn++) {
      const mark = `_${turn}`;
      const next = `${safe.slice(0, rule.longest - mark.length)}${mark}`;
      if (!seen.has(next) && !used.has(next)) return next;
    }
  };
  const mapped = messages.map((message, at): Message => {
    let touched = false;
    const parts = message.parts.map((part, index) => {
      if (part.type !== 'call' && part.type !== 'result') return part;
      const from = part.type === 'call' ? part.id : (part as ResultPart).callId;
      const to = part.type === 'call' ? own(from) : (current.get(from) ?? from);
      if (part.type === 'call') {
        seen.add(to);
        current.set(from, to);
      }
      if (to === from) return part;
      touched = true;
      changed.push({ where: `messages.${at}.parts.${index}`, from, to });
      return part.type === 'call' ? { ...part, id: to } : { ...part, callId: to };
    });
    // Parts keep their types, so the message type is unchanged.
    return touched ? ({ ...message, parts } as Message) : message;
  });
  return { messages: changed.length > 0 ? mapped : messages, changed };
}
