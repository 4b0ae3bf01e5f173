import { describe, expect, it } from 'vitest';
import { areMentioned } from '../../src/dialect/call/check-call.ts';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import type { PlacedRow } from './placed-row.ts';
import { besideRows, markedRows, neverRows, spokenRows } from './placed-rows.ts';
import { containerRows, hiddenRows, lastRows, lineRows, listedRows, namedBareRows, specialRows } from './shown-rows.ts';
import { bareRows, strippedRows, unchangedRows } from './unmarked-rows.ts';

const toolbox = new Toolbox([
  tool({
    name: 'delete_file',
    description: 'Deletes a file for good',
    inputSchema: {
      type: 'object',
      properties: { path: { type: 'string' } },
      required: ['path'],
      additionalProperties: false,
    },
    effect: 'destructive',
  }),
]);

function readsAs({ text, calls, left = text, dialect, cut, certainty }: PlacedRow): void {
  for (const chunk of [undefined, 1, 7]) {
    const read = readCalls(text, toolbox, {
      ...(dialect && { dialect }),
      ...(cut && { truncated: cut }),
      ...(chunk && { chunk }),
    });
    // Words that may only mention their calls keep them.
    const kept = areMentioned(read.calls) ? text.replace(/^(?:<think>.*<\/think>\s*|Thought: .*\n)/, '') : left;
    expect({ calls: read.calls.map(({ name }) => name), left: read.text }).toEqual({ calls, left: kept });
    const made = read.calls.flatMap(({ raw }) => raw.read ?? []).filter(({ kind }) => kind === 'text');
    if (certainty) expect(made.map((one) => one.certainty)).toEqual(calls.map(() => certainty));
  }
}

function table(title: string, rows: readonly PlacedRow[]): void {
  for (const held of [false, true]) {
    const named = rows.filter((row) => (row.held ?? false) === held).map((row) => [row.where, row] as const);
    if (named.length > 0)
      describe(held ? `guard: ${title}` : title, () => it.each(named)('%s', (_, row) => readsAs(row)));
  }
}

table('never a call', neverRows);
table('beside what is never a call', besideRows);
table('calls with markers', markedRows);
table('calls that are spoken of', spokenRows);
table('calls without markers', bareRows);
table('an answer without calls leaves as it came', unchangedRows);
table('markers that are changed, stripped or missing', strippedRows);
table('calls in what shows somebody else’s text', containerRows);
table('calls in lists, tables and transcripts', listedRows);
table('special tokens where no dialect is named', specialRows);
table('special tokens at the end of a sentence where no dialect is named', lastRows);
table('calls without markers in a dialect that is named', namedBareRows);
table('calls without markers in a message of one line', lineRows);
table('calls behind a tag that only looks like a block', hiddenRows);
