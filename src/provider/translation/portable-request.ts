import { isObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import type {
  AssistantPart,
  CallPart,
  Message,
  OpaqueTool,
  ResultPart,
  TextPart,
  ToolChoice,
  ToolSpec,
  TurnRequest,
  UserMessage,
} from '../../model/index.ts';
import { readContent } from '../wire/openai-responses/items.ts';
import { unreadFields } from '../wire/passthrough-fields.ts';
import { builtInCall, builtInResult } from './built-in-tools.ts';
import { asInput, clientCall, isExpressible, PortableTools } from './portable-tools.ts';

/** A request whose tools are plain functions, and the way back. */
export interface PortableRequest {
  readonly request: TurnRequest;
  /** All tools of the client, also those that the model doesn't see yet. */
  readonly tools: readonly (ToolSpec | OpaqueTool)[];
  /** A call as the client expects it. */
  readonly back: (call: CallPart) => AssistantPart;
  /** Whether there is a way back for a call. */
  readonly expresses: (call: CallPart) => boolean;
  /** Whether the client has other calls than those of plain functions. */
  readonly special: boolean;
}

/** Items of the Responses API that not every server of that API supports. */
const special = /"type"\s*:\s*"(?:namespace|additional_tools|tool_search|tool_search_output)"/;

/** Whether a body in the Responses API has tools that usually only OpenAI's own service supports. */
export const hasSpecialTools = (body: string): boolean => special.test(body);

/**
 * Expresses what only one API format has with plain functions: namespaces, free text (`custom`), tools that the provider
 * defines and the client runs (`local_shell`, `bash_20250124`), tools inside the
 * conversation (`additional_tools`), searches that the client runs, and tools that are loaded later (`defer_loading`).
 * Everything else stays as it is.
 */
export function portableRequest(request: TurnRequest): PortableRequest {
  const tools = new PortableTools();
  tools.add(request.tools ?? []);
  for (const { value } of opaqueParts(request.messages, 'additional_tools')) tools.addWire(value.tools);
  const found = new Map<JsonValue, readonly string[]>();
  for (const { value } of opaqueParts(request.messages, 'tool_search_output'))
    found.set(
      value,
      tools.addWire(value.tools, true).map(({ spec }) => spec.name),
    );
  const messages = request.messages.flatMap((message) => portableMessage(message, tools, found));
  const toolChoice = choiceOf(request, tools);
  const shown = visible(tools, references(request.messages), toolChoice);
  const { tools: _, passthrough, ...rest } = request;
  const fields = passthrough && unreadFields(passthrough.fields, toolChoice === undefined ? [] : ['tool_choice']);
  return {
    request: {
      ...rest,
      messages,
      ...(fields && Object.keys(fields).length > 0 && { passthrough: { ...passthrough, fields } }),
      ...((request.tools || shown.length > 0) && { tools: [...shown, ...tools.others] }),
      ...(toolChoice !== undefined && { toolChoice }),
    },
    tools: [...tools.all.map(({ spec }) => spec), ...tools.others],
    back: (call) => clientCall(call, tools.named(call.name)),
    expresses: (call) => isExpressible(call, tools.named(call.name)),
    special: tools.all.some(({ kind, namespace }) => kind !== 'function' || namespace !== undefined),
  };
}

/** The tools that the model sees. Deferred ones only if a search found them, or if nothing else could find them. */
function visible(tools: PortableTools, loaded: ReadonlySet<string>, choice: ToolChoice | undefined): ToolSpec[] {
  const { all, hosted } = tools;
  const searchable = !hosted && all.some(({ deferred }) => !deferred);
  const forced = typeof choice === 'object' ? choice.tool : undefined;
  return all
    .filter(({ deferred, name, spec }) => !deferred || !searchable || loaded.has(name) || spec.name === forced)
    .map(({ spec }) => spec);
}

/** The tools that results refer to with `tool_reference`. */
function references(messages: readonly Message[]): ReadonlySet<string> {
  const results = messages.flatMap(({ parts }) => parts.filter((part) => part.type === 'result'));
  return new Set(results.flatMap(({ content }) => content.flatMap((part) => referenceIn(part) ?? [])));
}

const referenceIn = (part: ResultPart['content'][number]): string | undefined =>
  part.type === 'opaque' && isObject(part.value) && part.value.type === 'tool_reference'
    ? String(part.value.tool_name)
    : undefined;

/** The items of a type in the conversation. */
function opaqueParts(messages: readonly Message[], type: string): { readonly value: JsonObject }[] {
  return messages.flatMap(({ parts }) =>
    parts.flatMap((part) =>
      part.type === 'opaque' && part.format === 'openai-responses' && isObject(part.value) && part.value.type === type
        ? [{ value: part.value }]
        : [],
    ),
  );
}

function choiceOf({ toolChoice, passthrough }: TurnRequest, tools: PortableTools): ToolChoice | undefined {
  const given = passthrough?.format === 'openai-responses' ? passthrough.fields.tool_choice : undefined;
  if (isObject(given) && given.type === 'custom' && typeof given.name === 'string')
    return { tool: tools.nameOf(given.name, given.namespace) };
  return typeof toolChoice === 'object' ? { tool: tools.nameOf(toolChoice.tool) } : toolChoice;
}

type Found = ReadonlyMap<JsonValue, readonly string[]>;

function portableMessage(message: Message, tools: PortableTools, found: Found): Message[] {
  if (message.role === 'system') return [message];
  if (message.role === 'user') {
    const parts = message.parts.flatMap((part): UserMessage['parts'] => {
      if (part.type === 'result') return [portableResult(part)];
      return part.type === 'opaque' ? portableInput(part, found) : [part];
    });
    return parts.length > 0 || message.parts.length === 0 ? [{ ...message, parts }] : [];
  }
  const messages: Message[] = [];
  let parts: AssistantPart[] = [];
  for (const part of message.parts) {
    const said = part.type === 'opaque' && isObject(part.value) ? fromAgent(part.value) : undefined;
    if (said === undefined) {
      parts.push(portableOutput(part, tools));
      continue;
    }
    if (parts.length > 0) messages.push({ ...message, parts });
    parts = [];
    messages.push({ role: 'user', parts: [{ type: 'text', text: said }] });
  }
  if (parts.length > 0 || messages.length === 0) messages.push({ ...message, parts });
  return messages;
}

/** The text of a message from another agent, which is an item of its own. */
function fromAgent({ type, author, content }: JsonObject): string | undefined {
  if (type !== 'agent_message' || !Array.isArray(content)) return undefined;
  const texts = content.flatMap((part) => (isObject(part) && typeof part.text === 'string' ? [part.text] : []));
  return texts.length > 0 ? `Message from ${String(author)}:\n${texts.join('\n')}` : undefined;
}

function portableOutput(part: AssistantPart, tools: PortableTools): AssistantPart {
  if (part.type === 'call' && part.passthrough?.format === 'openai-responses') {
    const { passthrough, ...call } = part;
    const fields = unreadFields(passthrough.fields, ['namespace', 'id', 'status']);
    const name = tools.nameOf(part.name, passthrough.fields.namespace);
    return { ...call, name, ...(Object.keys(fields).length > 0 && { passthrough: { ...passthrough, fields } }) };
  }
  if (part.type !== 'opaque' || !isObject(part.value)) return part;
  if (part.format === 'openai-chat') return chatCall(part.value) ?? part;
  if (part.format !== 'openai-responses') return part;
  const { type, call_id: id, name, namespace, input, execution, arguments: given } = part.value;
  if (typeof id !== 'string') return part;
  const own = builtInCall(part.value);
  if (own) return { type: 'call', id, name: tools.nameOf(own.name), arguments: JSON.stringify(own.args) };
  if (type === 'custom_tool_call')
    return { type: 'call', id, name: tools.nameOf(String(name), namespace), arguments: asInput(input) };
  if (type === 'tool_search_call' && execution === 'client')
    return { type: 'call', id, name: tools.nameOf('tool_search'), arguments: given ?? {} };
  return part;
}

/** A call with free text in the Chat API. */
function chatCall({ id, custom }: JsonObject): CallPart | undefined {
  if (typeof id !== 'string' || !isObject(custom)) return undefined;
  return { type: 'call', id, name: String(custom.name), arguments: asInput(custom.input) };
}

function portableInput(part: UserMessage['parts'][number], found: Found): UserMessage['parts'] {
  if (part.type !== 'opaque' || part.format !== 'openai-responses' || !isObject(part.value)) return [part];
  const { type, call_id: id, output } = part.value;
  if (type === 'additional_tools') return [];
  const own = builtInResult(part.value);
  if (own) {
    const content: TextPart[] = [{ type: 'text', text: own.text }];
    return [{ type: 'result', callId: own.callId, content, ...(own.isError && { isError: true }) }];
  }
  if (typeof id !== 'string') return [part];
  if (type === 'custom_tool_call_output')
    return [{ type: 'result', callId: id, content: readContent(output, 'output') }];
  if (type !== 'tool_search_output') return [part];
  return [{ type: 'result', callId: id, content: [listed(found.get(part.value) ?? [])] }];
}

const listed = (names: readonly string[]): TextPart => ({
  type: 'text',
  text: names.length > 0 ? `You can call these tools now: ${names.join(', ')}` : 'No tools were found.',
});

/** A result whose references to tools are text. */
function portableResult(part: ResultPart): ResultPart {
  const names = part.content.flatMap((one) => referenceIn(one) ?? []);
  if (names.length === 0) return part;
  const { passthrough: _, ...rest } = part;
  return { ...rest, content: [...part.content.filter((one) => referenceIn(one) === undefined), listed(names)] };
}
