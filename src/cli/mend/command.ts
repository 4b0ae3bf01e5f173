import { parseArgs } from 'node:util';
import { colour } from '../terminal/colour.ts';
import { readAll } from '../terminal/stdin.ts';
import { UsageError } from '../usage-error.ts';
import { mendJsonl } from './mend-jsonl.ts';
import { type MendedText, mendText } from './mend-text.ts';
import { showOutcome } from './show-outcome.ts';

const options = {
  tools: { type: 'string' },
  name: { type: 'string' },
  schema: { type: 'string' },
  'finish-reason': { type: 'string' },
  tries: { type: 'string' },
  json: { type: 'boolean' },
  jsonl: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** `toolmend mend`: mends a call or a text, or with `--jsonl` one per line. */
export async function mendCommand(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options });
  if (values.help) {
    process.stdout.write(mendHelp);
    return 0;
  }
  if (values.jsonl) return mendJsonl(process.stdin, process.stdout);
  if (positionals.length > 1) {
    throw new UsageError(`Expected one TEXT, got ${positionals.length}. Put quotes around it`);
  }
  if (positionals.length === 0 && process.stdin.isTTY) {
    throw new UsageError('No input. Pass TEXT as an argument or on standard input; see toolmend mend --help');
  }
  const text = positionals[0] ?? (await readAll(process.stdin));
  const judged = mendText(text, { ...values, finishReason: values['finish-reason'], tries: triesOf(values.tries) });
  write(judged, text, values.json === true);
  return judged.status === 'invalid' ? 1 : 0;
}

function triesOf(word: string | undefined): number {
  const tries = Number(word ?? 1);
  if (!Number.isInteger(tries) || tries < 1)
    throw new UsageError(`Invalid --tries '${word}': expected an integer of 1 or more`);
  return tries;
}

function write(judged: MendedText, before: string, whole: boolean): void {
  if (whole) process.stdout.write(`${JSON.stringify(judged, null, 2)}\n`);
  else if (process.stdout.isTTY) {
    const page = { paint: colour(process.stdout), width: Math.max(40, Math.min(process.stdout.columns || 80, 120)) };
    process.stdout.write(showOutcome({ ...judged, before }, page));
  } else if (judged.status === 'invalid') process.stderr.write(`${judged.feedback}\n`);
  else {
    process.stdout.write(`${JSON.stringify(judged.input)}\n`);
    if (judged.note) process.stderr.write(`${judged.note}\n`);
  }
}

export const mendHelp = `Usage: toolmend mend [OPTIONS] [TEXT]

Mend the JSON or the tool call that a model wrote. Reads standard input if there is
no TEXT.

Any text that should be JSON:
  $ toolmend mend "{path: 'a.ts',}"
  {"path":"a.ts"}

The arguments of a tool call:
  $ toolmend mend --tools tools.json --name read_file "{path: 'a.ts',}"

Options:
  --tools FILE            tool definitions (MCP, Anthropic, OpenAI or Gemini)
  --name NAME             tool name as the model wrote it (default: the only tool of
                          FILE, or the name in TEXT: {"name": …, "arguments": …})
  --schema FILE           JSON Schema to check TEXT against, instead of --tools
  --finish-reason REASON  finish reason of the response; 'length' if it was truncated
  --tries N               number of the failed attempt, 1 to 3; later attempts get
                          more detailed feedback (default: 1)
  --json                  print the complete outcome as JSON
  --jsonl                 read calls as JSON lines, and write one JSON line for each
  -h, --help              show this help

In a pipe, mend writes the mended JSON to standard output, and feedback for the
model to standard error. In a terminal, it shows both versions side by side, with
all repairs.

Exit codes: 0 valid or mended, 1 invalid, 2 usage error or unreadable file.
`;
