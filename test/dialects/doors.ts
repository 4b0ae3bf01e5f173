/** A toolbox with a tool of each effect, whose calls differ in their name alone. */
import { type CallReading, readCalls } from '../../src/dialect/read-calls.ts';
import type { Effect } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import { toolWith } from './toolboxes.ts';

const doorTool = (name: string, effect: Effect) => toolWith(name, { door: { type: 'string' } }, effect);

export const doors = new Toolbox([
  doorTool('find_door', 'read'),
  doorTool('close_door', 'write'),
  doorTool('unlock_door', 'destructive'),
  doorTool('house.close', 'write'),
]);

/** Reads a response of a model whose prompt explains how to call. */
export const readWithDoors = (answer: string): CallReading => readCalls(answer, doors, { prompted: true });
