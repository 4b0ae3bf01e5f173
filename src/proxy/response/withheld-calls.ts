import { defaultLimits } from '../../json/limits.ts';
import { isUnclosed, nestingOf } from '../../json/nesting.ts';
import { hasTruncated, type ProblemCode } from '../../json/problem.ts';
import { readJson } from '../../json/read-json.ts';
import { isObject, textAsWritten } from '../../json/value.ts';
import { endedByLength, endedEarly, isUnfinished } from '../../mend/finish-reason.ts';
import type { CheckedCall } from '../../mend/mend-call.ts';
import type { Outcome } from '../../mend/outcome.ts';
import { parseArguments } from '../../mend/parse-arguments.ts';
import type { AssistantPart, FinishReason, TurnResponse } from '../../model/index.ts';
import { finishWith } from '../../provider/text-calls/insert-calls.ts';
import { notePart, truncated } from '../../provider/text-calls/turn-mender.ts';
import type { Note, Withholding } from '../../provider/text-calls/withholding.ts';
import type { Provider } from '../../provider/wire/types.ts';

/** API formats with object arguments, which can't express other text. */
const objects: ReadonlySet<string> = new Set(['anthropic', 'gemini', 'ollama']);

/**
 * The text that replaces a call that the client must not receive, because it would run something the model didn't
 * write; undefined for all other calls. Withheld are truncated calls, which some agents complete themselves; calls in
 * text whose reading is in doubt; calls with two values for a key, because JSON parsers keep the last; and calls with
 * arguments that the client's API format can't express.
 *
 * @param broken whether the upstream broke off before the call was complete
 */
export function withheldNote(judged: CheckedCall, { format, expresses }: Provider, broken = false): Note | undefined {
  const { outcome, part } = judged;
  if (broken) return cutNote(part.name, 'was cut off: the connection to the model broke');
  if (outcome.status !== 'invalid') return undefined;
  const { finishReason } = outcome.raw;
  if (isTruncated(judged))
    return cutNote(
      part.name,
      endedByLength(finishReason)
        ? 'was cut off by the output token limit: its arguments are incomplete'
        : 'was cut off: its arguments are incomplete',
    );
  const [wrong = outcome.problems[0]] = outcome.raw.found ?? [];
  const cannot: Note = {
    text: note(part.name, `could not be passed on. ${plain(wrong?.message ?? 'Its arguments are not a JSON object')}`),
    isCut: false,
  };
  if (isFromText(outcome) && !outcome.problems.every(({ code }) => foundByClients.has(code))) return cannot;
  if (expresses?.(part) === false)
    return endedByLength(finishReason)
      ? cutNote(part.name, 'was cut off by the output token limit: its input is incomplete')
      : cannot;
  const carriesText = typeof part.arguments === 'string' && !objects.has(format);
  if (carriesText ? !hidesKey(part.arguments as string) : isSayable(part.arguments)) return undefined;
  return cannot;
}

/**
 * Problems of a call that the model has made, and that was read without doubt. The client's own validation finds them,
 * and tells the model, as in a native call.
 */
const foundByClients: ReadonlySet<ProblemCode> = new Set([
  'unknown_tool',
  'required',
  'type',
  'enum',
  'const',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
  'pattern',
  'format',
  'multipleOf',
]);

/** Whether a call was read from text, or its reader found a fault that its arguments don't show. */
const isFromText = ({ raw: { found = [], read = [] } }: Outcome): boolean =>
  found.length > 0 || read.some(({ kind }) => kind === 'text');

/** Items of the Responses API that its server runs itself. All other calls are for the client. */
const ranByServer = /^(web_search|file_search|code_interpreter|image_generation|tool_search|mcp)_call$/;

/** Name of a call that isn't a function call, such as a custom tool or a shell action. */
export function opaqueCallName(part: AssistantPart): string | undefined {
  if (part.type !== 'opaque' || !isObject(part.value)) return undefined;
  const { id, type, name, custom } = part.value;
  if (part.format === 'openai-chat' && (typeof id === 'string' || isObject(custom)))
    return String((isObject(custom) ? custom.name : undefined) ?? type);
  if (part.format !== 'openai-responses' || typeof type !== 'string') return undefined;
  if (!type.endsWith('_call') || ranByServer.test(type)) return undefined;
  return typeof name === 'string' ? name : type.replace(/_call$/, '');
}

/**
 * The text that replaces such a call if it was truncated. Free text has no end marker, so it is truncated if its item
 * says so, or if the response was truncated directly after it.
 *
 * @param finish the finish reason, if this is the last part of the response
 * @param broken whether the upstream broke off before the part was complete
 */
export function opaqueNote(part: AssistantPart, finish: FinishReason | undefined, broken = false): Note | undefined {
  const name = opaqueCallName(part);
  if (name === undefined) return undefined;
  if (broken) return cutNote(name, 'was cut off: the connection to the model broke');
  if (finish === 'length') return cutNote(name, 'was cut off by the output token limit: its input is incomplete');
  const { status } = (part as { value: { status?: unknown } }).value;
  const isOpen = status === 'incomplete' || (isUnfinished(finish) && status !== 'completed');
  return endedEarly(finish) || isOpen ? cutNote(name, 'was cut off: its input is incomplete') : undefined;
}

/** Whether a response contains such a call. */
export const hasOpenOpaque = ({ message: { parts }, finish }: TurnResponse): boolean =>
  parts.some((part, at) => opaqueNote(part, at === parts.length - 1 ? finish : undefined) !== undefined);

function isTruncated({ outcome, part }: CheckedCall): boolean {
  if (outcome.status !== 'invalid') return false;
  if (outcome.errorType === 'truncated') return true;
  const { raw } = outcome;
  if (typeof part.arguments === 'string' && isUnfinished(raw.finishReason) && isUnclosed(nestingOf(part.arguments)))
    return true;
  const found = raw.found ?? [];
  // Arguments of an unknown tool were parsed but not validated.
  const read = outcome.tool ? [] : parseArguments(raw, undefined, defaultLimits).problems;
  return hasTruncated([...found, ...read]);
}

/** Whether `JSON.parse` accepts a text in which a key has two values, and keeps the last. */
function hidesKey(text: string): boolean {
  try {
    JSON.parse(text);
  } catch {
    return false;
  }
  return readJson(text).problems.some(({ code }) => code === 'duplicate_key');
}

/** Whether the arguments are an object that JSON expresses without loss: no keys with two values, no rounded integers. */
function isSayable(given: unknown): boolean {
  const text = typeof given === 'string' ? given : textAsWritten(given);
  if (text === undefined) {
    const { problems } = parseArguments({ name: '', arguments: given }, undefined, defaultLimits);
    return isObject(given) && problems.length === 0;
  }
  if (text.trim() === '') return true;
  const { value, problems, repairs, marks } = readJson(text, {});
  const isSame = repairs.every(({ kind }) => kind === 'duplicate');
  return isObject(value) && problems.length === 0 && isSame && !marks?.first;
}

const cutNote = (name: string, what: string): Note => ({ text: note(name, what), isCut: true });

const note = (name: string, what: string): string => `[The call to ${quoted(name)} ${what}. It was not run.]`;

/** Removes characters from the model's text that could make it look like a call. */
const plain = (text: string): string =>
  text
    .slice(0, 200)
    .replace(/[<>{}[\]()`|]/g, '?')
    .replace(/\.$/, '');

const quoted = (name: string): string => `'${plain(name.slice(0, 80))}'`;

/** Replaces calls that must not reach the client with text. */
export function withhold(response: TurnResponse, calls: readonly CheckedCall[], client: Provider): TurnResponse {
  const notes = new Map<string, Note>();
  for (const call of calls) {
    const note = withheldNote(call, client);
    if (note) notes.set(call.part.id, note);
  }
  const hasCall = response.message.parts.some((part) => part.type === 'call' && notes.has(part.id));
  if (!hasCall && !hasOpenOpaque(response)) return response;
  let spoken = false;
  let isCut = false;
  const last = response.message.parts.length - 1;
  const parts = response.message.parts.map((part, at): AssistantPart => {
    const note =
      part.type === 'call' ? notes.get(part.id) : opaqueNote(part, at === last ? response.finish : undefined);
    isCut ||= note?.isCut === true;
    const made = note ? notePart(note.text, spoken) : part;
    spoken ||= made.type === 'text' && made.text !== '';
    return made;
  });
  const message = { ...response.message, parts };
  return isCut
    ? truncated({ ...response, message })
    : { ...response, message, finish: finishWith(response.finish, parts) };
}

/** What a stream withholds from a client with an API format. */
export const withholdingFor = (client: Provider): Withholding => ({
  note: (call, broken) => withheldNote(call, client, broken),
  isCall: (part) => opaqueCallName(part) !== undefined,
  opaqueNote,
  isPiece: (value, part) => {
    if (!isObject(value) || typeof value.type !== 'string' || !/_call[_.]/.test(value.type)) return false;
    const id = isObject(part.value) ? part.value.id : undefined;
    return id === undefined || value.item_id === undefined || id === value.item_id;
  },
  response: (response, calls) => withhold(response, calls, client),
});

/** Matches calls and parts of calls in any API format. */
const words = /tool_?calls?|function_?call|tool_?use|_call\b|input_json_delta|partial_?(?:json|args)/i;

/** Whether unreadable bytes may contain a call, and so must not be forwarded. */
export const showsCall = (text: string): boolean => words.test(text);
