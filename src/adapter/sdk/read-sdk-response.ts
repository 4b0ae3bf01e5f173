import { ToolmendError } from '../../json/toolmend-error.ts';
import { isObject, type JsonObject, type JsonValue, typeName } from '../../json/value.ts';
import type { Format, TurnEvent, TurnResponse } from '../../model/index.ts';
import { WireError } from '../../provider/wire/errors.ts';
import { wires } from '../../provider/wire/route.ts';

/** A response of an SDK, and the API it is from. */
export interface SdkTurn {
  readonly format: Format;
  readonly response: TurnResponse;
}

/** Reads the response object of an SDK. */
export function readSdkResponse(response: object): SdkTurn {
  const wire = plain(response);
  const format = formatOf(wire);
  if (format === undefined) throw unknownShape('response', wire);
  return { format, response: wires[format].readResponse(wire) };
}

/** Reads the events of an SDK's stream, copied as they arrive, because an SDK may add to them later. */
export async function readSdkStream(stream: AsyncIterable<unknown>): Promise<SdkTurn> {
  const frames: JsonValue[] = [];
  for await (const event of stream) frames.push(plain(event));
  return readSdkEvents(frames);
}

/** Reads the event objects of an SDK's stream. */
export function readSdkEvents(events: readonly unknown[]): SdkTurn {
  const frames = events.map(plain).map(asStarted);
  const format = frames.map(formatOf).find((one) => one !== undefined);
  if (format === undefined) throw unknownShape('stream events', frames[0]);
  let last: TurnEvent | undefined;
  const reader = wires[format].readStream((event) => {
    last = event;
  });
  for (const frame of frames) reader.frame(frame);
  reader.end();
  if (last?.type === 'turn.finished') return { format, response: last.response };
  throw new WireError('stream', last?.type === 'turn.failed' ? last.error.message : 'must not be empty');
}

/** The start of a message, without the content that Anthropic's helper adds to it as more events arrive. */
const asStarted = (frame: JsonValue): JsonValue =>
  isObject(frame) && frame.type === 'message_start' && isObject(frame.message)
    ? { ...frame, message: { ...frame.message, content: [] } }
    : frame;

/** What an SDK adds to the API's fields: values that it parsed, which no longer match a mended call. */
const parsed = new Set(['parsed', 'parsed_arguments', 'output_parsed']);

/** The fields of the API, from an object that may be an instance of a class. */
const plain = (value: unknown): JsonValue => {
  const text = JSON.stringify(value, function (this: unknown, key, field: unknown) {
    return parsed.has(key) && isObject(this) && isParsed(this) ? undefined : field;
  });
  return text === undefined ? null : (JSON.parse(text) as JsonValue);
};

/** Whether an object is one that `openai` adds parsed values to, and not the arguments of a call. */
const isParsed = (value: object): boolean =>
  ('name' in value && 'arguments' in value) ||
  ('role' in value && 'content' in value) ||
  'output' in value ||
  'text' in value;

type Shape = readonly [format: Format, is: (fields: JsonObject) => boolean];

/** How responses and stream events of each API are recognized. */
const shapes: readonly Shape[] = [
  ['openai-chat', ({ choices }) => Array.isArray(choices)],
  ['openai-responses', ({ object, output }) => object === 'response' || Array.isArray(output)],
  ['openai-responses', ({ type }) => typeof type === 'string' && type.startsWith('response.')],
  ['anthropic', ({ type, content }) => type === 'message' && Array.isArray(content)],
  ['anthropic', ({ type }) => typeof type === 'string' && /^(?:message|content_block)_/.test(type)],
  ['ollama', ({ message, done }) => isObject(message) && typeof done === 'boolean'],
  [
    'gemini',
    (fields) => ['candidates', 'usageMetadata', 'promptFeedback', 'modelVersion'].some((field) => field in fields),
  ],
];

const formatOf = (value: JsonValue): Format | undefined =>
  isObject(value) ? shapes.find(([, is]) => is(value))?.[0] : undefined;

const unknownShape = (name: string, value: unknown): ToolmendError =>
  new ToolmendError(
    'invalid_option',
    `Invalid ${name}: expected an object of openai, @anthropic-ai/sdk, @google/genai or ollama, got ${shapeOf(value)}.`,
  );

const shapeOf = (value: unknown): string =>
  isObject(value) ? `an object with ${Object.keys(value).slice(0, 5).join(', ') || 'no fields'}` : typeName(value);
