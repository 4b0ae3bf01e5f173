import type { BenchResult, BenchTable } from '../bench-result.ts';
import { markdownTable } from '../report-page.ts';

const markdown = ({ head, rows }: BenchTable): string => markdownTable({ head, rows });

/** Writes the figures into a page, between `<!-- NAME -->` and `<!-- /NAME -->`. */
export function filledPage(
  page: string,
  { tables, losses }: BenchResult,
  { recorded, ordinary }: { readonly recorded: BenchTable | undefined; readonly ordinary: BenchTable },
): string {
  const [summary, usage, recovered, wrong, examples] = tables.map(markdown);
  const parts: Readonly<Record<string, string | undefined>> = {
    ...{ summary, usage, recovered, wrong, examples },
    losses: losses.map((loss) => `- ${loss}`).join('\n'),
    // Without the recorded responses, their earlier figures stay.
    ordinary: markdown(ordinary),
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
