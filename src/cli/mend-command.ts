import { parseArgs } from 'node:util';
import { colour } from './colour.ts';
import { type MendedText, mendText } from './judge-text.ts';
import { mendHelp } from './mend-help.ts';
import { mendJsonl } from './mend-jsonl.ts';
import { readAll } from './read-all.ts';
import { showOutcome } from './show-outcome.ts';
import { UsageError } from './usage-error.ts';

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
