import type { JsonObject } from '../../json/value.ts';
import type { TurnResponse } from '../../turn/turn.ts';
import { layOver, present } from '../carry.ts';
import { foreignFieldWarnings } from '../foreign-losses.ts';
import { makeId } from '../make-id.ts';
import type { Written } from '../wire.ts';
import { dressItem } from './dress-item.ts';
import { writeFinish } from './finish.ts';
import { format, ownFields } from './format.ts';
import { writeUsage } from './usage.ts';
import { writeItems } from './write-items.ts';

/** Writes a whole answer. */
export function writeResponse(response: TurnResponse): Written {
  const losses = foreignFieldWarnings(format, response);
  const output = writeItems(response.message.parts, dressItem, losses, 'message.parts');
  return { wire: { ...writeBody(response, output), ...writeFinish(response) }, losses };
}

/** The body of an answer around its output. */
export function writeBody(
  response: Pick<TurnResponse, 'id' | 'model' | 'usage' | 'extra'>,
  output: JsonObject[],
): JsonObject {
  const { id, model, usage } = response;
  const own = present({ id, model, output, usage: usage && writeUsage(usage) });
  return ownFields(response) ? layOver(format, own, response) : { ...obligatory(), ...own };
}

/** What every answer of this wire has, where nothing better is known. */
const obligatory = (): JsonObject => ({
  id: makeId('resp_'),
  object: 'response',
  created_at: Math.floor(Date.now() / 1000),
  status: 'completed',
  error: null,
  incomplete_details: null,
  instructions: null,
  max_output_tokens: null,
  metadata: {},
  model: '',
  parallel_tool_calls: true,
  previous_response_id: null,
  temperature: null,
  text: { format: { type: 'text' } },
  tool_choice: 'auto',
  tools: [],
  top_p: null,
  usage: null,
});
