import type { Dialect } from './dialect.ts';
import { rowsFor } from './rows-for.ts';

/** What came of a call, for a model that has no messages for it. */
export interface RenderedResult {
  readonly name: string;
  readonly id?: string;
  /** The result as text. */
  readonly result: string;
}

const plain = '<tool_response>\n{result}\n</tool_response>';

/** Writes the results of calls in a dialect, to be sent back as text. */
export function renderResults(results: readonly RenderedResult[], dialect: string | Dialect): string {
  const template = rowsFor(dialect).rows[0]?.result ?? plain;
  return results
    .map(({ name, id = '', result }) => {
      const holes: Record<string, string> = { name, id, result };
      return template.replace(/\{(name|id|result)\}/g, (_, hole: string) => holes[hole] as string);
    })
    .join('\n');
}
