import type { JsonObject } from '../../json/value.ts';
import type { TurnEvent, TurnResponse } from '../../turn/turn.ts';
import { carry } from '../carry.ts';
import { TurnAssembly, type TurnEnd } from '../turn-assembly.ts';
import { WireError } from '../wire-error.ts';
import { expectList, expectObject } from './expect.ts';
import { readFinish } from './finish.ts';
import { format } from './format.ts';
import { readItem } from './read-item.ts';
import { readUsage } from './usage.ts';

/** Reads a whole answer. */
export function readResponse(wire: unknown): TurnResponse {
  const body = expectObject(wire, '');
  if (body.output === undefined && body.status === undefined) throw new WireError('output', 'must be a list');
  const events: TurnEvent[] = [];
  const assembly = new TurnAssembly(format, (event) => events.push(event));
  expectList(body.output, 'output').forEach((item, index) => {
    for (const part of readItem(item, `output.${index}`)) assembly.add(part);
  });
  assembly.finish(readEnd(body));
  const last = events.at(-1);
  if (last?.type !== 'turn.finished') throw new WireError('', 'must be a whole answer');
  return last.response;
}

/** What the body of an answer says beside its output. */
export function readEnd(body: JsonObject): TurnEnd {
  const usage = readUsage(body.usage);
  return {
    ...readStart(body),
    finish: readFinish(body),
    usage,
    ...carry(format, body, [...known(body), ...(usage ? ['usage'] : [])]),
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
