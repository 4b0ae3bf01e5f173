import type { JsonObject } from '../../../json/value.ts';
import { makeId } from '../../../mend/make-id.ts';
import type { TurnResponse } from '../../../model/index.ts';
import { WireError } from '../errors.ts';
import { present } from '../passthrough.ts';
import { completeTurn, type TurnEnd } from '../turn-assembler.ts';
import type { Written } from '../types.ts';
import { mustBeList, mustBeObject } from '../validate.ts';
import { foreignFieldWarnings } from '../warnings.ts';
import { format, layOver, ownFields, passthroughOf } from './fields.ts';
import { dressItem, readItem, writeItems } from './items.ts';
import { readFinish, writeFinish } from './map-finish-reason.ts';
import { readUsage, writeUsage } from './usage.ts';

/** Reads a whole answer. */
export function readResponse(wire: unknown): TurnResponse {
  const body = mustBeObject(wire, '');
  if (body.output === undefined && body.status === undefined) throw new WireError('output', 'must be a list');
  const parts = mustBeList(body.output, 'output').flatMap((item, index) => readItem(item, `output.${index}`));
  return completeTurn(format, readStart(body), parts, readEnd(body));
}

/** What the body of an answer says beside its output. */
export function readEnd(body: JsonObject): TurnEnd {
  const usage = readUsage(body.usage);
  return {
    ...readStart(body),
    finish: readFinish(body),
    usage,
    ...passthroughOf(body, [...known(body), ...(usage ? ['usage'] : [])]),
  };
}

/** Who answers, as the body of an answer tells it. */
export const readStart = ({ id, model }: JsonObject): { id?: string; model?: string } => ({
  ...(typeof id === 'string' && { id }),
  ...(typeof model === 'string' && { model }),
});

const known = ({ id, model }: JsonObject): string[] => [
  'output',
  ...(typeof id === 'string' ? ['id'] : []),
  ...(typeof model === 'string' ? ['model'] : []),
];

/** Writes a whole answer. */
export function writeResponse(response: TurnResponse): Written {
  const losses = foreignFieldWarnings(format, response);
  const output = writeItems(response.message.parts, dressItem, losses, 'message.parts');
  return { wire: { ...writeBody(response, output), ...writeFinish(response) }, losses };
}

/** The body of an answer around its output. */
export function writeBody(
  response: Pick<TurnResponse, 'id' | 'model' | 'usage' | 'passthrough'>,
  output: JsonObject[],
): JsonObject {
  const { id, model, usage } = response;
  const own = present({ id, model, output, usage: usage && writeUsage(usage) });
  return ownFields(response) ? layOver(own, response) : { ...obligatory(), ...own };
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
