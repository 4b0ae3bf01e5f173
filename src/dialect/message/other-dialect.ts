import { cached } from '../../json/text-cache.ts';
import type { Toolbox } from '../../tools/toolbox.ts';
import { rowsFor } from '../detect.ts';
import { grammarOf } from '../grammar/grammar.ts';
import { endMachine } from '../machine/run.ts';
import { type Machine, newMachine } from '../machine/state.ts';
import { isTemplate } from '../placement/template.ts';
import type { Dialect } from '../types.ts';
import { isIndented, namesTool, readCompleteMessage } from './complete-message.ts';

/**
 * Reads a response in which a named dialect has no call as if no dialect were named, because models also write other
 * dialects than their template teaches. Undefined if anything but valid calls of existing tools results.
 */
export function readOtherDialect(text: string, cut: boolean, toolbox: Toolbox): Machine | undefined {
  if (cut || isIndented(text) || !namesTool(text, toolbox)) return undefined;
  const names = toolbox.list().map(({ name }) => name);
  const m = newMachine(grammarOf(rowsFor('auto').rows, names), toolbox, false);
  Object.assign(m, { buffer: text, sure: false });
  endMachine(m);
  return [m, readCompleteMessage(text, false, toolbox)].find((read) => read && isOnlyCalls(read));
}

function isOnlyCalls({ calls, events }: Machine): boolean {
  const isText = events.some((event) => event.type === 'text' && /\S/.test(event.text));
  const isSure = ({ status, input, tool }: Machine['calls'][number]): boolean =>
    status !== 'invalid' && tool !== undefined && !isTemplate(input, tool.schema.json);
  return calls.length > 0 && !isText && calls.every(isSure);
}

const lists = new WeakMap<readonly Dialect[], readonly Dialect[]>();

/** The rows of a named dialect with all others; created once because markers are cached by their list. */
export const withOthers = (named: readonly Dialect[]): readonly Dialect[] =>
  cached(lists, named, () => [...named, ...rowsFor('auto').rows]);
