import { isObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { makeId } from '../../mend/make-id.ts';
import type { AssistantPart, CallPart, OpaqueTool, ToolSpec } from '../../model/index.ts';
import { readTools } from '../wire/openai-responses/request.ts';
import { unreadFields } from '../wire/passthrough-fields.ts';
import { type BuiltInTool, builtInTool } from './built-in-tools.ts';

/** How a client's API format has a tool that is sent as a plain function. */
type Kind = 'function' | 'custom' | 'chat-custom' | 'search' | 'built-in';

/** A tool of a client as a plain function, under a name that is unique in the request. */
export interface PortableTool {
  readonly kind: Kind;
  readonly spec: ToolSpec;
  /** The client's own name and namespace. */
  readonly name: string;
  readonly namespace: string | undefined;
  /** Whether the client hides the tool from the model until a search finds it. */
  readonly deferred: boolean;
  /** The item of a call, for tools that the provider defines and the client runs. */
  readonly item?: BuiltInTool['item'];
}

/** The namespace of functions that are in no other one. */
const common = 'functions';

/** The tools of a request as plain functions. */
export class PortableTools {
  readonly #byPlace = new Map<string, PortableTool>();
  readonly #byName = new Map<string, PortableTool>();
  /** Tools that only the client's provider can run. */
  readonly others: OpaqueTool[] = [];
  /** Whether the provider itself would search for deferred tools. */
  hosted = false;

  get all(): PortableTool[] {
    return [...this.#byName.values()];
  }

  /** Adds tools of a request. A tool that is declared again replaces the first one. */
  add(tools: readonly (ToolSpec | OpaqueTool)[], loaded = false): PortableTool[] {
    return tools.flatMap((tool) => this.#add(tool, loaded));
  }

  /** Adds tools in the form of the Responses API. */
  addWire(tools: JsonValue | undefined, loaded = false): PortableTool[] {
    return Array.isArray(tools) ? this.add(readTools(tools.filter(isObject)), loaded) : [];
  }

  /** The name under which the model knows a tool of the client, also one that isn't declared. */
  nameOf(name: string, namespace?: unknown): string {
    const place = typeof namespace === 'string' ? namespace : undefined;
    return this.#byPlace.get(keyOf(name, place))?.spec.name ?? flatName(name, place);
  }

  /** The tool that the model knows by a name. */
  named(name: string): PortableTool | undefined {
    return this.#byName.get(name);
  }

  #add(tool: ToolSpec | OpaqueTool, loaded: boolean): PortableTool[] {
    if (tool.type === 'function') return [this.#put('function', tool, undefined, loaded)];
    const { value } = tool;
    if (
      tool.format === 'openai-chat' &&
      isObject(value) &&
      isObject(value.custom) &&
      typeof value.custom.name === 'string'
    )
      return [this.#put('chat-custom', freeform(value.custom, value.custom.name), undefined, loaded)];
    const own = builtInTool(tool);
    if (own) return [this.#put(own.item ? 'built-in' : 'function', own.spec, undefined, loaded, own.item)];
    if (tool.format !== 'openai-responses' || !isObject(value)) return this.#other(tool);
    if (value.type === 'namespace') return this.#namespace(value, loaded);
    if (value.type === 'custom' && typeof value.name === 'string')
      return [this.#put('custom', freeform(value, value.name), undefined, loaded)];
    if (value.type !== 'tool_search') return this.#other(tool);
    if (value.execution === 'client') return [this.#put('search', searching(value), undefined, true)];
    this.hosted = true;
    return [];
  }

  #namespace({ name, description, tools }: JsonObject, loaded: boolean): PortableTool[] {
    const inner = Array.isArray(tools) ? readTools(tools.filter(isObject)) : [];
    const place = typeof name === 'string' ? name : undefined;
    return inner.flatMap((tool, at): PortableTool[] => {
      const custom =
        tool.type === 'opaque' && isObject(tool.value) && tool.value.type === 'custom' ? tool.value : undefined;
      if (tool.type === 'opaque' && !custom) return this.#other(tool);
      const spec = tool.type === 'function' ? tool : freeform(custom ?? {}, String(custom?.name));
      // The model sees what the namespace is for once, not with every tool.
      const about = at === 0 && place !== common && typeof description === 'string' ? description.trim() : '';
      const described =
        about === '' ? spec : { ...spec, description: [spec.description, about].filter(Boolean).join('\n\n') };
      return [this.#put(custom ? 'custom' : 'function', described, place, loaded)];
    });
  }

  #other(tool: OpaqueTool): PortableTool[] {
    if (isObject(tool.value) && /^tool_search_tool_/.test(String(tool.value.type))) this.hosted = true;
    else this.others.push(tool);
    return [];
  }

  #put(
    kind: Kind,
    given: ToolSpec,
    namespace: string | undefined,
    loaded: boolean,
    item?: BuiltInTool['item'],
  ): PortableTool {
    const { deferred, ...spec } = withoutDeferral(given);
    const key = keyOf(spec.name, namespace);
    const before = this.#byPlace.get(key);
    const name = before?.spec.name ?? this.#free(flatName(spec.name, namespace));
    const tool = {
      kind,
      spec: { ...spec, name },
      name: spec.name,
      namespace,
      deferred: deferred && !loaded,
      ...(item && { item }),
    };
    this.#byPlace.set(key, tool);
    this.#byName.set(name, tool);
    return tool;
  }

  #free(name: string): string {
    let free = name;
    for (let at = 2; this.#byName.has(free); at += 1) free = `${name}_${at}`;
    return free;
  }
}

/** A missing namespace is the common one. */
const keyOf = (name: string, namespace: string | undefined): string => `${namespace || common} ${name}`;

const flatName = (name: string, namespace: string | undefined): string =>
  !namespace || namespace === common ? name : `${namespace}${namespace.endsWith('__') ? '' : '__'}${name}`;

/** A tool without the field that defers it. */
function withoutDeferral({ passthrough, ...spec }: ToolSpec): ToolSpec & { readonly deferred: boolean } {
  if (!passthrough) return { ...spec, deferred: false };
  const fields = unreadFields(passthrough.fields, ['defer_loading']);
  return {
    ...spec,
    ...(Object.keys(fields).length > 0 && { passthrough: { ...passthrough, fields } }),
    deferred: passthrough.fields.defer_loading === true,
  };
}

/** A tool whose input is free text, as a function with that text as its only argument. */
function freeform({ description, format, defer_loading }: JsonObject, name: string): ToolSpec {
  // The Chat API has the grammar in an object of its own.
  const { grammar: own } = isObject(format) ? format : {};
  const { syntax, definition } = isObject(own) ? own : isObject(format) ? format : {};
  const grammar =
    typeof definition === 'string' ? `\n\nThe input follows this ${String(syntax)} grammar:\n${definition}` : '';
  return {
    type: 'function',
    name,
    description: `${typeof description === 'string' ? description : ''}${grammar}`.trim(),
    schema: {
      type: 'object',
      properties: { input: { type: 'string', description: 'The complete input of the tool as text, not as JSON' } },
      required: ['input'],
      additionalProperties: false,
    },
    ...(defer_loading === true && { passthrough: { format: 'openai-responses', fields: { defer_loading } } }),
  };
}

/** A search for tools that the client runs, as a function. */
const searching = ({ description, parameters }: JsonObject): ToolSpec => ({
  type: 'function',
  name: 'tool_search',
  ...(typeof description === 'string' && { description }),
  schema: isObject(parameters)
    ? parameters
    : { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
});

/** Text as the only argument of a function. */
export const asInput = (input: unknown): string => JSON.stringify({ input: typeof input === 'string' ? input : '' });

/** A call of a plain function as its client expects it. */
export function clientCall(call: CallPart, tool: PortableTool | undefined): AssistantPart {
  if (!tool) return call;
  const { kind, name, namespace } = tool;
  const place: JsonObject = namespace === undefined ? {} : { namespace };
  const head = { call_id: call.id, name, ...place };
  const format = 'openai-responses';
  if (kind === 'chat-custom') {
    const value = { id: call.id, type: 'custom', custom: { name, input: inputOf(call) ?? '' } };
    return { type: 'opaque', format: 'openai-chat', value };
  }
  if (tool.item) return { type: 'opaque', format, value: tool.item(objectOf(call) ?? {}, call.id) };
  if (kind === 'custom') {
    const value = {
      type: 'custom_tool_call',
      id: makeId('ctc_'),
      status: 'completed',
      ...head,
      input: inputOf(call) ?? '',
    };
    return { type: 'opaque', format, value };
  }
  if (kind === 'search') {
    const value = { type: 'tool_search_call', id: makeId('tsc_'), call_id: call.id, status: 'completed' };
    return { type: 'opaque', format, value: { ...value, execution: 'client', arguments: objectOf(call) ?? {} } };
  }
  if (name === call.name && namespace === undefined) return call;
  const fields = { id: makeId('fc_'), status: 'completed', ...place };
  return { ...call, name, ...(namespace !== undefined && { passthrough: { format, fields } }) };
}

/** Whether a call has what its client's item needs. An item can't express that something is missing. */
export function isExpressible(call: CallPart, tool: PortableTool | undefined): boolean {
  if (!tool || tool.kind === 'function') return true;
  if (tool.kind === 'custom' || tool.kind === 'chat-custom') return inputOf(call) !== undefined;
  const given = objectOf(call);
  const { schema } = tool.spec;
  const required = isObject(schema) && Array.isArray(schema.required) ? schema.required : [];
  return given !== undefined && required.every((key) => Object.hasOwn(given, String(key)));
}

/**
 * The free text in a call: the input of the expected object, or what the model wrote instead of JSON. Undefined if it
 * wrote an object that can't be read, because a tool must never get the JSON around its input as its input.
 */
function inputOf(call: CallPart): string | undefined {
  const given = objectOf(call);
  if (given) return typeof given.input === 'string' ? given.input : undefined;
  if (typeof call.arguments !== 'string' || !/\S/.test(call.arguments)) return undefined;
  const value = readValue(call.arguments);
  const text = typeof value === 'string' ? value : call.arguments;
  return value === null || Array.isArray(value) || startsObject.test(text) ? undefined : text;
}

/** The start of a JSON object, also in a fence, quotes or a list, and if its quotes are missing or escaped. */
const startsObject = /^\s*(?:`{3,}\w*\s*)?["'`“[(\s]*\{\s*\\*["'“]?\w+\\*["'”]?\s*[:=]/;

/** A JSON value; undefined if the text is something else. */
function readValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function objectOf({ arguments: given }: CallPart): JsonObject | undefined {
  const value = typeof given === 'string' ? readValue(given) : given;
  return isObject(value) ? value : undefined;
}
