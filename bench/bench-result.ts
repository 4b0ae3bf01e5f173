/** The result of a benchmark for the report: `.bench/results/NAME.json`. */
import { mkdirSync, writeFileSync } from 'node:fs';

/** A table of text: as many cells in each row as in the head. */
export interface BenchTable {
  readonly title?: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** A target, and the figure that was measured. */
export interface BenchBar {
  readonly what: string;
  readonly figure: string;
  readonly bar: string;
  readonly met: boolean;
}

/** A picture for the report; `file` is its name in the report's folder, such as `streaming.svg`. */
export interface BenchChart {
  readonly file: string;
  readonly alt: string;
  readonly svg: string;
}

export interface BenchResult {
  /** As in `npm run bench -- NAME`. */
  readonly name: string;
  readonly title: string;
  /** The command that creates it. */
  readonly command: string;
  /** What is measured and how, in two or three sentences. */
  readonly about: string;
  readonly tables: readonly BenchTable[];
  readonly bars: readonly BenchBar[];
  readonly charts: readonly BenchChart[];
  /** Where a peer does better, as sentences with figures. */
  readonly losses: readonly string[];
  /** Of the peers in it. */
  readonly versions: Readonly<Record<string, string>>;
}

/** The folder of the results. */
export const resultsFolder = new URL('../.bench/results/', import.meta.url);

type Test = (value: unknown) => boolean;
const isText: Test = (value) => typeof value === 'string';
const isWords: Test = (value) => typeof value === 'string' && value.trim() !== '';
const listOf =
  (test: Test): Test =>
  (value) =>
    Array.isArray(value) && value.every(test);
const fields =
  (tests: Readonly<Record<string, Test>>): Test =>
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    Object.entries(tests).every(([key, test]) => test((value as Record<string, unknown>)[key]));

const isTable: Test = (value) => {
  if (!fields({ title: (title) => title === undefined || isWords(title), head: listOf(isText) })(value)) return false;
  const { head, rows } = value as BenchTable;
  return listOf(listOf(isText))(rows) && head.length > 0 && rows.every((row) => row.length === head.length);
};

const shape: Readonly<Record<keyof BenchResult, Test>> = {
  name: (value) => isText(value) && /^[a-z][a-z0-9-]*$/.test(value as string),
  title: isWords,
  command: (value) => isText(value) && /^(npm run|node) /.test(value as string),
  about: isWords,
  tables: listOf(isTable),
  bars: listOf(fields({ what: isWords, figure: isWords, bar: isWords, met: (value) => typeof value === 'boolean' })),
  charts: listOf(
    fields({
      file: (value) => isText(value) && /^[a-z0-9-]+\.svg$/.test(value as string),
      alt: isWords,
      svg: (value) => isText(value) && (value as string).startsWith('<svg'),
    }),
  ),
  losses: listOf(isWords),
  versions: (value) => typeof value === 'object' && value !== null && Object.values(value).every(isWords),
};

/** The invalid fields of a result. */
export const faultsOfResult = (value: unknown): string[] =>
  Object.entries(shape)
    .filter(([key, test]) => !test((value as Record<string, unknown> | null | undefined)?.[key]))
    .map(([key]) => key);

/** Stores a benchmark's result for the report. Throws if its shape is invalid. */
export function writeResult(result: BenchResult): void {
  const faults = faultsOfResult(result);
  if (faults.length > 0) throw new Error(`The result of ${result.name} has faults in: ${faults.join(', ')}`);
  mkdirSync(resultsFolder, { recursive: true });
  writeFileSync(new URL(`${result.name}.json`, resultsFolder), `${JSON.stringify(result, null, 2)}\n`);
}
