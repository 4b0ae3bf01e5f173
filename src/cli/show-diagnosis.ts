import { checks, type Diagnosis, type Finding, type Grade } from '../proxy/doctor/finding.ts';
import { type Colours, harmless } from './colour.ts';
import { wrap } from './wrap.ts';

const marks: Readonly<Record<Grade, readonly [mark: string, tint: keyof Colours]>> = {
  good: ['✓', 'green'],
  fair: ['~', 'yellow'],
  bad: ['✗', 'red'],
  open: ['?', 'yellow'],
};

const labelWidth = Math.max(...Object.values(checks).map((label) => label.length));

/** One row of the table: what, result, what to do. Without a width it is one line, for a pipe. */
export function showFinding({ check, verdict, said, advice }: Finding, paint: Colours, width?: number): string {
  const [mark, tint] = marks[verdict];
  const label = checks[check].padEnd(labelWidth);
  if (width === undefined) {
    const then = advice ? ` — ${harmless(advice)}` : '';
    return `${verdict.padEnd(4)}  ${label}  ${harmless(inLine(said))}${then}\n`;
  }
  const indent = ' '.repeat(labelWidth + 4);
  const room = width - indent.length;
  const [first = '', ...rest] = wrap(harmless(inLine(said)), room);
  const then = advice ? wrap(harmless(advice), room).map((line) => indent + paint.dim(line)) : [];
  return [
    `${paint[tint](mark)} ${paint.bold(label)}  ${first}`,
    ...rest.map((line) => indent + line),
    ...then,
    '',
  ].join('\n');
}

const inLine = (text: string): string => text.replace(/\s*\n\s*/g, ' ');

const endings: Readonly<Record<Diagnosis['calls'], string>> = {
  native: 'Calls work.',
  text: 'Calls work only as text: a client needs what is said below.',
  none: 'No call can be made here as it is.',
};

/** What it comes to: whether calls work, and the settings that are missing. */
export function showDiagnosis({ calls, findings, dialect }: Diagnosis, paint: Colours, width?: number): string {
  const settings = [...new Set(findings.flatMap(({ setting }) => setting ?? []))];
  const ours = settings.filter((setting) => setting.startsWith('toolmend '));
  const theirs = settings.filter((setting) => !ours.includes(setting));
  const listed = (head: string, lines: readonly string[]): string[] =>
    lines.length > 0 ? [head, ...lines.map((line) => `  ${paint.cyan(harmless(line))}`)] : [];
  const tint = { native: paint.green, text: paint.yellow, none: paint.red }[calls];
  const family = dialect === undefined || calls === 'native' ? '' : ` The model writes ${dialect}.`;
  return [
    '',
    ...wrap(endings[calls] + family, width ?? Number.MAX_SAFE_INTEGER).map(tint),
    ...listed('Missing there:', theirs),
    ...listed(theirs.length > 0 ? 'Or, with nothing changed there:' : 'Put before it:', ours),
    '',
  ].join('\n');
}
