import { isObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import type { Message, TurnRequest } from '../../turn/turn.ts';
import { present } from '../carry.ts';
import { foreignFieldWarnings } from '../foreign-losses.ts';
import type { Written } from '../wire.ts';
import { format, lay, lose, newPen, ours, type Pen } from './pen.ts';
import { writeEffort, writeOutput, writeThinking, writeToolChoice } from './settings.ts';
import { writeTools } from './tools.ts';
import { writeContent } from './write-block.ts';

/** The wire insists on a limit. Every current model takes this one, and it is room enough for a long file in a call. */
const defaultMaxTokens = 16_384;

/** Writes the body of a request to the Messages API. */
export function writeRequest(request: TurnRequest): Written {
  const pen = newPen();
  const { model, messages, tools, reasoning, stop, maxTokens, temperature, topP, stream } = request;
  const spoken = messages.findIndex((message) => message.role !== 'system' || ours(message));
  const leading = spoken < 0 ? messages.length : spoken;
  const written = present({
    model,
    max_tokens: maxTokens ?? defaultMaxTokens + (reasoning?.budget ?? 0),
    system: writeSystem(pen, messages.slice(0, leading)),
    messages: messages.slice(leading).flatMap((message, index) => writeMessage(pen, leading + index, message)),
    tools: tools && writeTools(tools),
    tool_choice: writeToolChoice(request),
    thinking: writeThinking(reasoning),
    temperature,
    top_p: topP,
    stop_sequences: stop && [...stop],
    stream,
  });
  return {
    wire: laySettings({ ...written, ...writeForm(pen, request) }, request),
    losses: [...foreignFieldWarnings(format, request), ...pen.losses],
  };
}

/** Several leading messages become one: the wire has one place for them. */
function writeSystem(pen: Pen, messages: readonly Message[]): JsonValue | undefined {
  const written = messages.map(({ parts }, index) => writeContent(pen, `messages.${index}.parts`, parts));
  if (written.length <= 1) return written[0];
  return written.flatMap((content) => (typeof content === 'string' ? [{ type: 'text', text: content }] : content));
}

function writeMessage(pen: Pen, index: number, message: Message): JsonObject[] {
  const where = `messages.${index}`;
  const content = writeContent({ ...pen, assistant: message.role === 'assistant' }, `${where}.parts`, message.parts);
  const empty = content.length === 0 && typeof content !== 'string';
  if (empty && !ours(message)) {
    lose(pen, where, 'A message with nothing in it is refused, left out');
    return [];
  }
  return [lay(present({ role: message.role, content: empty ? undefined : content }), message)];
}

/** The form of the answer stands where it was found, and beside the effort otherwise. */
function writeForm(pen: Pen, request: TurnRequest): JsonObject {
  const form = writeOutput(pen, request.output);
  const older = ours(request) && isObject(request.extra?.fields.output_format);
  const effort = writeEffort(pen, request.reasoning?.effort);
  const config = present({ effort, format: older ? undefined : form });
  return present({
    output_config: Object.keys(config).length > 0 ? config : undefined,
    output_format: older ? form : undefined,
  });
}

/** Objects that hold settings of ours and others are laid over field by field, and never hide a setting that changed. */
function laySettings(written: JsonObject, request: TurnRequest): JsonObject {
  const laid = lay(written, request);
  for (const key of ['tool_choice', 'output_config', 'output_format']) {
    const [mine, over] = [written[key], laid[key]];
    if (isObject(mine) && isObject(over)) laid[key] = { ...over, ...mine };
  }
  return laid;
}
