import type { BenchResult, BenchTable } from '../bench-result.ts';
import { markdownTable } from '../report-page.ts';
import type { StructuredResults } from './structured/structured-table.ts';

const markdown = ({ head, rows }: BenchTable): string => markdownTable({ head, rows });

/** The tables of the page that aren't at the start of the result. */
interface PageTables {
  readonly recorded: BenchTable | undefined;
  readonly ordinary: BenchTable;
  readonly structured: StructuredResults['tables'];
}

/** Writes the figures into a page, between `<!-- NAME -->` and `<!-- /NAME -->`. */
export function filledPage(
  page: string,
  { tables, losses }: BenchResult,
  { recorded, ordinary, structured }: PageTables,
): string {
  const [summary, usage, recovered, wrong, examples] = tables.map(markdown);
  const [structuredSummary, structuredUsage, structuredKinds] = structured.map(markdown);
  const parts: Readonly<Record<string, string | undefined>> = {
    summary,
    usage,
    recovered,
    wrong,
    examples,
    losses: losses.map((loss) => `- ${loss}`).join('\n'),
    // Without the recorded responses, their earlier figures stay.
    ordinary: markdown(ordinary),
    structured: structuredSummary,
    'structured-usage': structuredUsage,
    'structured-kinds': structuredKinds,
    recorded: recorded && `${recorded.title}.\n\n${markdown(recorded)}`,
  };
  return Object.entries(parts).reduce(
    (text, [name, part]) =>
      part === undefined
        ? text
        : text.replace(
            new RegExp(`(<!-- ${name} -->\n).*(<!-- /${name} -->)`, 's'),
            (_, open, close) => `${open}${part}\n${close}`,
          ),
    page,
  );
}
