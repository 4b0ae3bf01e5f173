import { isObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import type { OutputForm, ReasoningSetting, TurnRequest } from '../../turn/turn.ts';
import { mustBeObject, mustBeText } from '../must-be.ts';
import { isEmpty, rest } from '../rest.ts';
import type { Address } from '../wire.ts';
import { carried } from './carried.ts';
import { readOptions } from './options.ts';
import { readMessages } from './read-messages.ts';
import { readTools } from './tools.ts';

/** A request of the wire, which streams unless it says that it does not. */
export function readRequest(value: unknown, address: Address = {}): TurnRequest {
  const wire = mustBeObject(value, '');
  const { settings, left } = readOptions(wire.options);
  const output = readFormat(wire.format);
  const reasoning = readThink(wire.think);
  const { stream } = wire;
  const known = ['model', 'messages', 'tools', 'options', 'stream', output && 'format', reasoning && 'think'];
  const fields: JsonObject = {
    ...rest(
      wire,
      known.filter((key) => key !== undefined),
    ),
    ...((!isEmpty(left) || (isObject(wire.options) && isEmpty(wire.options))) && { options: left }),
    ...(typeof stream !== 'boolean' && { stream: null }),
  };
  return {
    model: mustBeText(wire.model ?? address.model, 'model'),
    messages: readMessages(wire.messages),
    ...(Array.isArray(wire.tools) ? { tools: readTools(wire.tools) } : {}),
    ...settings,
    ...(output && { output }),
    ...(reasoning && { reasoning }),
    ...(stream !== false && { stream: true }),
    ...carried(fields),
  };
}

/** `json`, or a schema; other words are carried along. */
function readFormat(format: JsonValue | undefined): OutputForm | undefined {
  if (format === 'json') return { type: 'json' };
  return isObject(format) ? { type: 'schema', schema: format as JsonSchema } : undefined;
}

/** True, false, or a word of the model's own for how much. */
function readThink(think: JsonValue | undefined): ReasoningSetting | undefined {
  if (typeof think === 'boolean') return { enabled: think };
  return typeof think === 'string' && think !== '' ? { enabled: true, effort: think } : undefined;
}
