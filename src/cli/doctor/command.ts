import { parseArgs } from 'node:util';
import { harmless } from '../../log/shown/visible.ts';
import type { Format } from '../../model/index.ts';
import { services } from '../../provider/client/services.ts';
import { diagnose } from '../../proxy/doctor/diagnose.ts';
import { type Check, checks, type Diagnosis, type Finding, type Grade, rootOf } from '../../proxy/doctor/types.ts';
import { LiveLines } from '../run/run-screen.ts';
import { type Colours, colour } from '../terminal/colour.ts';
import { wrap } from '../terminal/layout.ts';
import { canRedraw, processTerminal, type Terminal, widthOf } from '../terminal/terminal.ts';
import { UsageError } from '../usage-error.ts';

/** `toolmend doctor`: diagnoses why a model server's tool calls don't work. */
export async function doctorCommand(args: readonly string[], terminal: Terminal = processTerminal()): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      upstream: { type: 'string' },
      model: { type: 'string' },
      format: { type: 'string' },
      'key-env': { type: 'string' },
      timeout: { type: 'string' },
      'max-tokens': { type: 'string' },
      json: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  const { output, env } = terminal;
  if (values.help) {
    output.write(doctorHelp);
    return 0;
  }
  const { upstream, model } = values;
  if (upstream === undefined)
    throw new UsageError('Missing --upstream. Usage: toolmend doctor --upstream URL --model NAME');
  if (model === undefined) throw new UsageError('Missing --model. Usage: toolmend doctor --upstream URL --model NAME');
  const root = rootOf(upstream);
  if (!root)
    throw new UsageError('Invalid --upstream: expected a URL such as http://127.0.0.1:11434, without a password');
  const seconds = numberOf(values.timeout, 60, '--timeout');
  const paint = colour(output, env);
  const width = output.isTTY ? widthOf(output, 120) : undefined;
  const live = new LiveLines((text) => output.write(text), values.json !== true && canRedraw(output, env));
  const diagnosis = await diagnose({
    root,
    model,
    timeout: seconds * 1000,
    maxTokens: numberOf(values['max-tokens'], 1024, '--max-tokens'),
    apiKey: keyOf(values['key-env'], root, env),
    format: formatOf(values.format),
    signal: AbortSignal.timeout(12 * seconds * 1000),
    onCheck: (check: Check) => live.draw([`… ${checks[check]}`]),
    onFinding: (finding: Finding) => {
      live.clear();
      if (values.json !== true) output.write(showFinding(finding, paint, width));
    },
  });
  live.clear();
  output.write(values.json ? `${JSON.stringify(diagnosis, null, 2)}\n` : showDiagnosis(diagnosis, paint, width));
  return diagnosis.calls === 'none' ? 1 : 0;
}

function numberOf(given: string | undefined, otherwise: number, name: string): number {
  if (given === undefined) return otherwise;
  const number = Number(given);
  if (!Number.isInteger(number) || number < 1 || number > 100_000)
    throw new UsageError(`Invalid ${name} '${given}': expected an integer from 1 to 100000`);
  return number;
}

/** The key in the given variable. By default, a provider's own key for that provider's own URL. */
function keyOf(name: string | undefined, root: URL, env: NodeJS.ProcessEnv): string | undefined {
  if (name !== undefined) {
    const key = env[name]?.trim();
    if (!key) throw new UsageError(`The environment variable ${name} is not set or empty`);
    return key;
  }
  const home = Object.values(services).find(({ base, needsKey }) => needsKey && new URL(base).origin === root.origin);
  return home?.keyVariables.map((variable) => env[variable]?.trim()).find((key) => key);
}

function formatOf(name: string | undefined): Format | undefined {
  if (name === undefined) return undefined;
  const format = Object.hasOwn(formats, name) ? formats[name] : undefined;
  if (!format) throw new UsageError(`Unknown format '${name}'. Expected one of: ${Object.keys(formats).join(', ')}`);
  return format;
}

/** API formats by their common names. */
export const formats: Readonly<Record<string, Format>> = {
  openai: 'openai-chat',
  'openai-chat': 'openai-chat',
  'openai-responses': 'openai-responses',
  anthropic: 'anthropic',
  gemini: 'gemini',
  ollama: 'ollama',
};

export const doctorHelp = `Usage: toolmend doctor [OPTIONS] --upstream URL --model NAME

Send a few small requests to a model server and report what works: API formats,
tool calls (complete, streamed, nested and parallel), tool results, calls written
as text, structured output and the context size. For each failure, show the
missing setting.

Options:
  --upstream URL   address of the server, such as http://127.0.0.1:11434
  --model NAME     name of the model
  --format NAME    check this API format only: openai, openai-responses, anthropic,
                   gemini or ollama
  --key-env NAME   environment variable with the API key; the key is sent to the
                   server and never shown
  --timeout N      seconds to wait for each response (default: 60)
  --max-tokens N   maximum tokens of each response (default: 1024)
  --json           print the results as JSON
  -h, --help       show this help

Exit codes: 0 tool calls work natively or as text, 1 they don't, 2 usage error.
`;

const marks: Readonly<Record<Grade, readonly [mark: string, tint: keyof Colours]>> = {
  good: ['✓', 'green'],
  fair: ['~', 'yellow'],
  bad: ['✗', 'red'],
  open: ['?', 'yellow'],
};

const labelWidth = Math.max(...Object.values(checks).map((label) => label.length));

/** A row of the table: check, result, advice. Without a width, a single line for pipes. */
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
  native: 'Tool calls work.',
  text: 'Tool calls work only as text. Use one of the settings below.',
  none: "Tool calls don't work here.",
};

/** The summary: whether calls work, and the missing settings. */
export function showDiagnosis({ calls, findings, dialect }: Diagnosis, paint: Colours, width?: number): string {
  const settings = [...new Set(findings.flatMap(({ setting }) => setting ?? []))];
  const ours = settings.filter((setting) => setting.startsWith('toolmend '));
  const theirs = settings.filter((setting) => !ours.includes(setting));
  const listed = (head: string, lines: readonly string[]): string[] =>
    lines.length > 0 ? [head, ...lines.map((line) => `  ${paint.cyan(harmless(line))}`)] : [];
  const tint = { native: paint.green, text: paint.yellow, none: paint.red }[calls];
  const family = dialect === undefined || calls === 'native' ? '' : ` The model uses the dialect ${dialect}.`;
  return [
    '',
    ...wrap(endings[calls] + family, width ?? Number.MAX_SAFE_INTEGER).map(tint),
    ...listed('Missing server settings:', theirs),
    ...listed(theirs.length > 0 ? 'Or leave the server unchanged, and run:' : 'Run:', ours),
    '',
  ].join('\n');
}
