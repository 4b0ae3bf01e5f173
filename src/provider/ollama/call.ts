import type { JsonObject } from '../../json/value.ts';
import type { CallPart } from '../../turn/turn.ts';
import { argumentsObject } from '../carry.ts';
import { mustBeObject, mustBeText } from '../must-be.ts';
import { isEmpty, rest } from '../rest.ts';
import { carried, own, ownObject } from './carried.ts';

/** A call of the wire. Servers of before gave it no id: ours is empty then, to be made. */
export function readCall(value: unknown, where: string): CallPart {
  const wire = mustBeObject(value, where);
  const inner = mustBeObject(wire.function, `${where}.function`);
  const id = typeof wire.id === 'string' ? wire.id : '';
  const left = {
    ...rest(inner, ['name', 'arguments']),
    ...((inner.arguments === undefined || inner.arguments === null) && { arguments: null }),
  };
  return {
    type: 'call',
    id,
    name: mustBeText(inner.name, `${where}.function.name`),
    arguments: inner.arguments ?? {},
    ...carried({
      ...rest(wire, ['id', 'function']),
      ...(id === '' && { id: null }),
      ...(!isEmpty(left) && { function: left }),
    }),
  };
}

/** Whether the wire gave the call an id: results of those that have none go by name and order. */
export const hasId = (part: CallPart): boolean => own(part)?.id !== null;

/** A call for the wire, and whether its arguments could be said. */
export function writeCall(part: CallPart): { wire: JsonObject; readable: boolean } {
  const args = argumentsObject(part.arguments);
  const { id: _, function: __, ...outer } = own(part) ?? {};
  const { arguments: none, ...inner } = ownObject(part, 'function') ?? {};
  const bare = none === null && args !== undefined && isEmpty(args);
  return {
    wire: {
      ...(hasId(part) && { id: part.id }),
      ...outer,
      function: { ...inner, name: part.name, ...(!bare && { arguments: args ?? {} }) },
    },
    readable: args !== undefined,
  };
}
