/** Every benchmark, in the order in which `npm run bench` runs them. */
export interface Benchmark {
  /** The name of its result, and of its script: `npm run bench:NAME`, or `script` if it has another. */
  readonly name: string;
  readonly script?: string;
  /** The file to run. */
  readonly file: string;
  /** Arguments for `--quick`, if a shorter run is still meaningful. */
  readonly quick?: readonly string[];
}

export const benchmarks: readonly Benchmark[] = [
  { name: 'accuracy', file: 'bench/accuracy.ts', quick: ['--trials', '1'] },
  { name: 'feedback', file: 'bench/feedback.ts' },
  { name: 'mend', file: 'bench/mend.ts' },
  { name: 'streaming', file: 'bench/streaming.ts', quick: ['--quick'] },
  { name: 'dialects', file: 'bench/dialects.ts', quick: ['--quick'] },
  { name: 'bfcl', file: 'bench/bfcl.ts' },
  { name: 'providers', file: 'bench/providers.ts' },
  { name: 'run', file: 'bench/run.ts' },
  { name: 'proxy-mend', file: 'bench/proxy-mend.ts' },
  { name: 'proxy', file: 'bench/proxy.ts', quick: ['--minutes', '0', '--streams', '100'] },
  { name: 'adapters', script: 'adapters', file: 'bench/adapters/report.ts' },
  { name: 'entrances', script: 'conformance', file: 'test/entrances/report.ts' },
  {
    name: 'machines',
    file: 'bench/machines.ts',
    quick: ['--runs', '100', '--kills', '4', '--restarts', '1', '--poison', '1', '--commands', '10'],
  },
  { name: 'page', file: 'bench/page.ts' },
  { name: 'size', file: 'bench/size.ts' },
];
