import type { Format } from '../turn/turn.ts';
import type { ServerReply } from './ask-json.ts';
import { rootPath, wires } from './wire-of.ts';

/** A wire, and the status that an empty request in it got. */
export interface ServedWire {
  readonly format: Format;
  readonly status: number;
}

/** The wires a server speaks, as far as it shows them. */
export interface ServedWires {
  readonly wires: readonly ServedWire[];
  /** The status with which what is not there is refused too, where a key is wanted before anything is shown. */
  readonly wall: number | undefined;
  /** All that was said, in whatever words. */
  readonly heard: readonly ServerReply[];
}

const nowhere = '/v1/toolmend/nothing-is-here';
const absent = new Set([301, 302, 303, 307, 308, 404, 405, 501]);
const closed = new Set([401, 403]);

/**
 * Finds the wires a server speaks: an empty request is refused where one is spoken, and otherwise than where nothing is. It
 * costs no token.
 *
 * @param ask sends an empty object to a path, with what the wire wants beside it
 */
export async function wiresServed(
  ask: (path: string, format: Format) => Promise<ServerReply>,
  formats: readonly [Format, ...Format[]],
  model = '',
): Promise<ServedWires> {
  const pathOf = (format: Format): string => rootPath(wires[format], wires[format].pathOf({ model, messages: [] }));
  const [none, ...heard] = await Promise.all([
    ask(nowhere, formats[0]),
    ...formats.map((format) => ask(pathOf(format), format)),
  ]);
  const wall = closed.has(statusOf(none)) ? statusOf(none) : undefined;
  const isServed = (said: ServerReply): boolean =>
    said.type === 'answered' &&
    !absent.has(said.status) &&
    !(said.status < 400 && !said.body) &&
    (said.status === wall || said.status !== statusOf(none));
  const served = formats.flatMap((format, at) => {
    const said = heard[at];
    return said && isServed(said) ? [{ format, status: statusOf(said) }] : [];
  });
  return { wires: served, wall, heard: [none, ...heard] };
}

const statusOf = (heard: ServerReply): number => (heard.type === 'answered' ? heard.status : 0);
