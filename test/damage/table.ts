/** The table as text, and failures as something that can be tried again. */
import { type Failure, type Row, recovery } from './tally.ts';

const percent = (share: number): string => `${(share * 100).toFixed(2)} %`;

/** A compact table: what was tried, what came of it. */
export const tableOf = (rows: readonly Row[]): string => {
  const head = ['damage', 'expect', 'trials', 'recovered', 'refused', 'missed', 'wrong', 'mislabelled'];
  const cells = rows.map(({ kind, trials, counts }) =>
    [
      kind.name,
      kind.expect,
      trials,
      counts.recovered,
      counts.refused,
      counts.missed,
      counts.wrong,
      counts.mislabelled,
    ].map(String),
  );
  const widths = head.map((title, at) => Math.max(title.length, ...cells.map((row) => row[at]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    row.map((cell, at) => (at < 2 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join('  ');
  const total = (of: (row: Row) => number): number => rows.reduce((sum, row) => sum + of(row), 0);
  return [
    line(head),
    ...cells.map(line),
    '',
    `${rows.length} kinds, ${total((row) => row.trials)} trials; recovered ${percent(recovery(rows))} of ${total((row) => row.recoverable)}; silently wrong ${total((row) => row.counts.wrong)}`,
  ].join('\n');
};

/** One failure in few lines. */
export const failureText = ({ trial, answer, verdict }: Failure): string =>
  [
    `${verdict}: ${trial.kind.name} (${trial.kind.expect}, ${trial.tool.name}, seed ${trial.seed})`,
    `  sent      ${JSON.stringify({ ...(trial.call.name !== trial.tool.name && { name: trial.call.name }), arguments: trial.call.arguments, finishReason: trial.call.finishReason })}`,
    `  expected  ${trial.want === 'refuse' ? 'refused' : JSON.stringify(trial.expected)}${trial.tool.annotations?.destructiveHint ? ' (destructive)' : ''}`,
    `  got       ${answer.status} ${answer.errorType ?? ''} ${JSON.stringify(answer.input)}`,
    ...(answer.status === 'invalid' ? [`  problems  ${answer.problems.map((one) => one.message).join(' | ')}`] : []),
    ...(answer.repairs.length > 0
      ? [`  repairs   ${answer.repairs.map((one) => `${one.kind}/${one.certainty}`).join(', ')}`]
      : []),
  ].join('\n');
