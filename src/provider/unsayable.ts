import type { TurnRequest } from '../turn/turn.ts';
import type { Warning } from './wire.ts';

/** Settings that wires without words for strictness and single calls leave out. */
export function unsayable({ parallelCalls, tools, output }: TurnRequest): Warning[] {
  const losses: Warning[] = [];
  if (parallelCalls === false)
    losses.push({ where: 'parallelCalls', what: 'Several calls at a time can not be forbidden' });
  for (const [index, tool] of tools?.entries() ?? []) {
    if (tool.type === 'function' && tool.strict !== undefined) {
      losses.push({ where: `tools.${index}.strict`, what: 'Single tools can not be held to their schema' });
    }
  }
  if (output?.type !== 'schema') return losses;
  for (const key of ['name', 'description', 'strict'] as const) {
    if (output[key] !== undefined) losses.push({ where: `output.${key}`, what: 'Schemas of answers stand alone here' });
  }
  return losses;
}
