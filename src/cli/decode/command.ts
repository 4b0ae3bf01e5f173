import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { parseArgs } from 'node:util';
import { rowsFor } from '../../dialect/detect.ts';
import { dialects } from '../../dialect/dialects/index.ts';
import { contextFrom } from '../../dialect/echo/context.ts';
import { type CallReading, readCalls } from '../../dialect/read-calls.ts';
import { isObject } from '../../json/value.ts';
import { harmless } from '../../log/shown/visible.ts';
import { feedback } from '../../mend/feedback/feedback.ts';
import { parseFinishReason } from '../../mend/finish-reason.ts';
import type { Outcome } from '../../mend/outcome.ts';
import { preview } from '../../mend/preview.ts';
import type { Toolbox } from '../../tools/toolbox.ts';
import { loadTools } from '../run/load-tools.ts';
import { describeRepair } from '../shared/describe-repair.ts';
import { ToolboxCache } from '../shared/toolbox-cache.ts';
import { type Colours, colour } from '../terminal/colour.ts';
import { wrap } from '../terminal/layout.ts';
import { readAll, readLines } from '../terminal/stdin.ts';
import { processTerminal, type Terminal, widthOf } from '../terminal/terminal.ts';
import { UsageError } from '../usage-error.ts';

const options = {
  dialect: { type: 'string' },
  prompted: { type: 'boolean' },
  chunk: { type: 'string' },
  tools: { type: 'string', multiple: true },
  list: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** `toolmend decode`: reads calls from a text, or from JSON lines in a pipe. */
export async function decodeCommand(args: readonly string[], terminal: Terminal = processTerminal()): Promise<number> {
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options });
  const { input, output, errors, env } = terminal;
  if (values.help || values.list) {
    output.write(values.help ? decodeHelp : listed());
    return 0;
  }
  if (positionals.length > 1)
    throw new UsageError(`Expected one TEXT, got ${positionals.length}. Put quotes around it`);
  const given = { dialect: dialectNamed(values.dialect), prompted: values.prompted, chunk: chunkOf(values.chunk) };
  const [written] = positionals;
  if (written === undefined && !input.isTTY) {
    if (values.tools) throw new UsageError('--tools needs TEXT. In JSON lines, each line has its own "tools"');
    return decodeStream(input, output, given);
  }
  if (written === undefined) errors.write('Paste what the model wrote, then press Ctrl-D on an empty line.\n');
  const toolbox = values.tools && (await loadTools(values.tools)).toolbox;
  const reading = read(written ?? (await readAll(input)), {}, toolbox, given) as CallReading;
  const paint = colour(output, env);
  output.write(
    output.isTTY
      ? showReading(reading, toolbox, paint, widthOf(output, 120))
      : `${JSON.stringify(shown(reading, toolbox))}\n`,
  );
  return 0;
}

/** The calls and the remaining text for a person. */
export function showReading(
  { text, reasoning, dialect, note, calls }: CallReading,
  toolbox: Toolbox | undefined,
  paint: Colours,
  width: number,
): string {
  const part = (label: string, words: string): string[] =>
    wrap(harmless(words.trim()), width - 11).map(
      (line, at) => `${paint.dim((at === 0 ? label : '').padEnd(11))}${line}`,
    );
  const lines = [
    ...part('dialect', note ? `${dialect} (${note})` : dialect),
    ...(reasoning ? part('reasoning', reasoning) : []),
    ...(text.trim() === '' ? [] : part('text', text)),
    ...calls.flatMap((call) => [
      '',
      `${call.status === 'invalid' ? paint.red('✗') : paint.green('✓')} ${paint.bold(harmless(call.name))} ${harmless(preview(call.input, 400))}`,
      ...call.repairs.flatMap((repair) => part('', `${describeRepair(repair)} (${repair.certainty})`)),
      ...(call.status === 'invalid' ? part('', feedback(call, { toolbox }).text) : []),
    ]),
    ...(calls.length === 0 ? ['', 'no calls'] : []),
  ];
  return `${lines.join('\n')}\n`;
}

/** Writes one line per input line, in order, as they arrive. */
export async function decodeStream(input: Readable, output: Writable, given: DecodeOptions): Promise<number> {
  const toolboxes = new ToolboxCache();
  for await (const lines of readLines(input)) {
    for (const line of lines) {
      if (line?.trim() === '') continue;
      if (!output.write(`${decodeLine(line, toolboxes, given)}\n`)) await once(output, 'drain');
    }
  }
  return 0;
}

const listed = (): string => `${dialects.map(({ name, families }) => `${name.padEnd(22)}${families}`).join('\n')}\n`;

function dialectNamed(name: string | undefined): string | undefined {
  try {
    rowsFor(name);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
  return name;
}

function chunkOf(word: string | undefined): number | undefined {
  if (word === undefined) return undefined;
  const size = Number(word);
  if (!Number.isInteger(size) || size < 1)
    throw new UsageError(`Invalid --chunk '${word}': expected an integer of 1 or more`);
  return size;
}

export const decodeHelp = `Usage: toolmend decode [OPTIONS] [TEXT]

Extract the tool calls that a model wrote as text. In a terminal, pass TEXT or paste
it:

  $ toolmend decode '<tool_call>{"name": "now"}</tool_call>'

In a pipe, reads JSON lines from standard input, and writes one JSON line for each:

  $ echo '{"id": 1, "text": "<tool_call>{\\"name\\": \\"now\\"}</tool_call>"}' | toolmend decode

Input:   {"id", "text", "tools"?, "dialect"?, "reasoningOpen"?, "finishReason"?,
         "context"?}
Output:  {"id", "text", "reasoning"?, "dialect", "note"?, "calls": [{"id",
         "status", "name", "input", "repairs", "problems", "errorType"?,
         "feedback"?}]}

Without "tools", decode doesn't check calls. "context" is the conversation before
the text: messages ({"role", "content", "tool_calls"?}), strings, or one string. A call
that only repeats a user message or a tool result stays text, and the output has
"note": "echo".

Options:
  --tools FILE     check the calls in TEXT: tools, as for 'toolmend run'
  --dialect NAME   dialect of TEXT, and of lines that name none (default: auto)
  --prompted       the prompt told the models to respond with calls
  --chunk N        read each text in chunks of N characters
  --list           list the dialects
  -h, --help       show this help

Exit codes: 0 success, 2 usage error. For a line that can't be used, the output
has an "error".
`;

/** Defaults for all lines. */
export interface DecodeOptions {
  readonly dialect?: string | undefined;
  readonly prompted?: boolean | undefined;
  readonly chunk?: number | undefined;
}

/**
 * Processes a line `{"id","text","tools"?,"dialect"?,"reasoningOpen"?,"finishReason"?,"context"?}`. Never throws: the
 * result for an invalid line says what is wrong.
 */
export function decodeLine(line: string | undefined, toolboxes: ToolboxCache, options: DecodeOptions): string {
  if (line === undefined) return refused(null, 'the line is too long');
  let asked: unknown;
  try {
    asked = JSON.parse(line.replace(/^\uFEFF/, ''));
  } catch (error) {
    return refused(null, `the line is not JSON: ${(error as Error).message}`);
  }
  if (!isObject(asked)) return refused(null, 'the line is not a JSON object');
  const id = asked.id ?? null;
  if (typeof asked.text !== 'string') return refused(id, "'text' must be a string");
  try {
    const toolbox = toolboxIn(asked, toolboxes);
    if (typeof toolbox === 'string') return refused(id, toolbox);
    const reading = read(asked.text, asked, toolbox, options);
    return typeof reading === 'string' ? refused(id, reading) : JSON.stringify({ id, ...shown(reading, toolbox) });
  } catch (error) {
    return refused(id, error instanceof Error ? error.message : String(error));
  }
}

/** The tools of a line; undefined if there are none, or an error message. */
function toolboxIn({ tools }: Record<string, unknown>, toolboxes: ToolboxCache): Toolbox | string | undefined {
  return tools === undefined || tools === null ? undefined : toolboxes.get(JSON.stringify(tools), tools);
}

function read(
  text: string,
  { dialect, reasoningOpen, finishReason, context: before }: Record<string, unknown>,
  toolbox: Toolbox | undefined,
  options: DecodeOptions,
): CallReading | string {
  if (typeof (dialect ?? '') !== 'string') return "'dialect' must be a string";
  if (typeof (finishReason ?? '') !== 'string') return "'finishReason' must be a string";
  const context = contextFrom(before);
  if (!context) return "'context' must be messages ({role, content}) or a string";
  const { chunk, prompted } = options;
  return readCalls(text, toolbox, {
    dialect: (dialect as string | undefined) ?? options.dialect ?? 'auto',
    reasoningOpen: reasoningOpen === true,
    truncated: parseFinishReason(String(finishReason ?? '')) === 'length',
    ...(context.length > 0 && { context }),
    ...(prompted && { prompted }),
    ...(chunk && { chunk }),
  });
}

const shown = ({ calls, ...reading }: CallReading, toolbox: Toolbox | undefined): object => ({
  ...reading,
  calls: calls.map((call) => callOf(call, toolbox)),
});

const callOf = (outcome: Outcome, toolbox: Toolbox | undefined): object => {
  const { raw, status, name, input, repairs, problems } = outcome;
  return {
    id: raw.id ?? null,
    status,
    name,
    input: input ?? null,
    repairs,
    problems,
    ...(outcome.status === 'invalid' && {
      errorType: outcome.errorType,
      feedback: feedback(outcome, { toolbox }).text,
    }),
  };
};

const refused = (id: unknown, error: string): string =>
  JSON.stringify({ id, text: '', dialect: 'content-only', calls: [], error });
