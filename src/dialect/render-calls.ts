import { equal } from '../json/equal.ts';
import { tool } from '../tool/tool.ts';
import { Toolbox } from '../tool/toolbox.ts';
import type { Dialect } from './dialect.ts';
import { readCalls } from './read-calls.ts';
import { rowsFor } from './rows-for.ts';
import { writeCalls } from './write-calls.ts';
import type { WrittenCall } from './written-call.ts';

/**
 * Writes calls in a dialect, as the history of a model that writes them so. What is written reads back as what was
 * given; calls that the dialect can't express are refused with a `RangeError`.
 *
 * @param toolbox the tools, whose schemas tell text from numbers where the dialect does not
 * @example
 * renderCalls([{ name: 'now', arguments: {} }], 'hermes')
 * // <tool_call>\n{"name":"now","arguments":{}}\n</tool_call>
 */
export function renderCalls(calls: readonly WrittenCall[], dialect: string | Dialect, toolbox?: Toolbox): string {
  const row = rowsFor(dialect).rows[0] as Dialect;
  const form = row.forms.find(({ readOnly }) => !readOnly);
  const text = calls.length === 0 ? '' : writeCalls(calls, row, form);
  const read = readCalls(text, toolbox ?? named(calls), { dialect });
  const same =
    read.calls.length === calls.length &&
    read.text.trim() === '' &&
    calls.every(({ name, arguments: given }, index) => {
      const call = read.calls[index];
      const cut = call?.status === 'invalid' && call.errorType === 'truncated';
      return call?.name === name && !cut && equal(call.input, given);
    });
  if (!same) throw new RangeError(`The dialect '${row.name}' can't express these calls: they would be read as others.`);
  return text;
}

/** Tools of these names, so that a dialect that writes nothing else can be read. */
function named(calls: readonly WrittenCall[]): Toolbox {
  const names = [...new Set(calls.map(({ name }) => name))];
  return new Toolbox(
    names.map((name) => tool({ name, description: '' })),
    { definitions: 'given' },
  );
}
