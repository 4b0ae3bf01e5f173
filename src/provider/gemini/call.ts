import type { JsonObject } from '../../json/value.ts';
import type { CallPart } from '../../turn/turn.ts';
import { mendedArguments } from '../mended-arguments.ts';
import { mustBeText } from '../must-be.ts';
import { isEmpty, rest } from '../rest.ts';
import { always, own, ownObject } from './carried.ts';
import { proto } from './proto.ts';
import { readSignature, writeSignature } from './seal.ts';

/**
 * A call of the wire. Where it has no id, ours is empty and an extra says so by being there; where it has one and there is
 * an extra all the same, the id stands in the extra too.
 */
export function readCall(wire: JsonObject, where: string): CallPart {
  const inner = proto(wire.functionCall, `${where}.functionCall`);
  const id = typeof inner.id === 'string' ? inner.id : '';
  const args = inner.args ?? {};
  const left = {
    ...rest(inner, ['name', 'args', ...(id === '' ? ['id'] : [])]),
    ...((inner.args === undefined || inner.args === null) && { args: null }),
  };
  const fields = rest(wire, ['functionCall', 'thoughtSignature']);
  const plain = id !== '' && isEmpty(fields) && Object.keys(left).length === 1;
  return {
    type: 'call',
    id,
    name: mustBeText(inner.name, `${where}.functionCall.name`),
    arguments: args,
    ...readSignature(wire),
    ...(!plain && always({ ...fields, ...(!isEmpty(left) && { functionCall: left }) })),
  };
}

/** Whether the wire gave the call an id: results of those that have none go by name and order. */
export const hasId = (part: CallPart): boolean => !own(part) || ownObject(part, 'functionCall')?.id !== undefined;

/** A call for the wire, and what was done to its arguments where they could not be said. */
export function writeCall(part: CallPart): { wire: JsonObject; what?: string } {
  const { object: args, ...told } = mendedArguments(part.arguments);
  const { args: none, ...left } = ownObject(part, 'functionCall') ?? {};
  const bare = none === null && isEmpty(args);
  const functionCall = {
    ...left,
    ...(hasId(part) && { id: part.id }),
    name: part.name,
    ...(!bare && { args }),
  };
  return { wire: { ...own(part), functionCall, ...writeSignature(part) }, ...told };
}
