import type { JsonObject } from '../../json/value.ts';
import type { TurnResponse } from '../../turn/turn.ts';
import { passthroughFields } from '../carry.ts';
import { mustBeList, mustBeObject } from '../must-be.ts';
import type { TurnEnd } from '../turn-assembly.ts';
import { wholeTurn } from '../whole-turn.ts';
import { WireError } from '../wire-error.ts';
import { readFinish } from './finish.ts';
import { format } from './format.ts';
import { readItem } from './read-item.ts';
import { readUsage } from './usage.ts';

/** Reads a whole answer. */
export function readResponse(wire: unknown): TurnResponse {
  const body = mustBeObject(wire, '');
  if (body.output === undefined && body.status === undefined) throw new WireError('output', 'must be a list');
  const parts = mustBeList(body.output, 'output').flatMap((item, index) => readItem(item, `output.${index}`));
  return wholeTurn(format, readStart(body), parts, readEnd(body));
}

/** What the body of an answer says beside its output. */
export function readEnd(body: JsonObject): TurnEnd {
  const usage = readUsage(body.usage);
  return {
    ...readStart(body),
    finish: readFinish(body),
    usage,
    ...passthroughFields(format, body, [...known(body), ...(usage ? ['usage'] : [])]),
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
