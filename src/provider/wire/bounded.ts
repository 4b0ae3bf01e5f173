import { WireError } from './errors.ts';
import type { Provider } from './types.ts';
import { deepest, isTooDeep } from './validate.ts';

/** The same wire, which refuses bodies so deep that reading or writing them would overflow the stack. */
export function bounded(wire: Provider): Provider {
  return {
    ...wire,
    readRequest: (body, address) => wire.readRequest(shallow(body), address),
    readTools: (tools) => wire.readTools(shallow(tools)),
    readResponse: (body) => wire.readResponse(shallow(body)),
    readError: (status, body) => wire.readError(status, isTooDeep(body) ? `The body ${tooDeep}` : body),
  };
}

const tooDeep = `is nested deeper than ${deepest} levels`;

function shallow<T>(body: T): T {
  if (isTooDeep(body)) throw new WireError('', tooDeep);
  return body;
}
