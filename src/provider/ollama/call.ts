import type { JsonObject } from '../../json/value.ts';
import type { CallPart } from '../../turn/turn.ts';
import { mendedArguments } from '../mended-arguments.ts';
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

/** A call for the wire, and what was done to its arguments where they could not be said. */
export function writeCall(part: CallPart): { wire: JsonObject; what?: string } {
  const { object: args, ...told } = mendedArguments(part.arguments);
  const { id: _, function: __, ...outer } = own(part) ?? {};
  const { arguments: none, ...inner } = ownObject(part, 'function') ?? {};
  const bare = none === null && isEmpty(args);
  return {
    wire: {
      ...(hasId(part) && { id: part.id }),
      ...outer,
      function: { ...inner, name: part.name, ...(!bare && { arguments: args }) },
    },
    ...told,
  };
}
