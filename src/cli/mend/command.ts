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

/** `toolmend mend`: mends a call or a text, or with `--jsonl` line after line. */
export async function mendCommand(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options });
  if (values.help) {
    process.stdout.write(mendHelp);
    return 0;
  }
  if (values.jsonl) return mendJsonl(process.stdin, process.stdout);
  if (positionals.length > 1) {
    throw new UsageError(`one text is expected, ${positionals.length} were given; put quotes around it`);
  }
  if (positionals.length === 0 && process.stdin.isTTY) {
    throw new UsageError('there is nothing to mend; give a text or pipe one in (toolmend mend --help)');
  }
  const text = positionals[0] ?? (await readAll(process.stdin));
  const judged = mendText(text, { ...values, finishReason: values['finish-reason'], tries: triesOf(values.tries) });
  write(judged, text, values.json === true);
  return judged.status === 'invalid' ? 1 : 0;
}

function triesOf(word: string | undefined): number {
  const tries = Number(word ?? 1);
  if (!Number.isInteger(tries) || tries < 1) throw new UsageError(`--tries is a number from 1, not '${word}'`);
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

export const mendHelp = `toolmend mend [TEXT]

Mends what a model wrote. TEXT is an argument, or comes on standard input.

Any text that should be JSON:
  $ toolmend mend "{path: 'a.ts',}"
  {"path":"a.ts"}

A call of a tool:
  $ toolmend mend --tools tools.json --name read_file "{path: 'a.ts',}"

  --tools FILE            tool definitions (MCP, Anthropic, OpenAI or Gemini)
  --name NAME             the tool's name as the model wrote it; without it TEXT
                          is a call {"name": …, "arguments": …}, or FILE holds
                          one tool
  --schema FILE           a JSON Schema for TEXT, instead of tools
  --finish-reason REASON  how the message ended; 'length' if it was cut off
  --tries N               which failed try this is (1 to 3): later ones are told
                          more
  --json                  print the whole outcome
  --jsonl                 read calls as JSON lines, answer each with a line
  -h, --help              show this

Into a pipe only the mended JSON is written, and what the model is told goes to
standard error. On a terminal, before and after stand side by side, with why.
Exit code: 0 sound or mended, 1 invalid, 2 the command or a file can't be used.
`;
