import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { scanSpans } from '../../json/spans.ts';
import { isObject } from '../../json/value.ts';
import { feedback } from '../../mend/feedback/feedback.ts';
import { parseFinishReason } from '../../mend/finish-reason.ts';
import { mend } from '../../mend/mend.ts';
import type { Outcome } from '../../mend/outcome.ts';
import type { Fault } from '../../tools/config-error.ts';
import { ToolboxCache } from '../shared/toolbox-cache.ts';
import { longestLine, readLines } from '../terminal/stdin.ts';

/** `toolmend mend --jsonl`: writes one line per input line, in order, as they arrive. */
export async function mendJsonl(input: Readable, output: Writable): Promise<number> {
  const toolboxes = new ToolboxCache();
  for await (const lines of readLines(input)) {
    for (const line of lines) {
      if (line?.trim() === '') continue;
      const answer = mendLine(line, toolboxes, longestLine);
      if (!output.write(`${answer}\n`)) await once(output, 'drain');
    }
  }
  return 0;
}

/**
 * Processes a line `{"id","tools","name","arguments"}`. Never throws: the result for an invalid line says what is
 * wrong.
 */
export function mendLine(line: string | undefined, toolboxes: ToolboxCache, longest: number): string {
  if (line === undefined) return resultLine(refused(null, '', `the line is longer than ${longest} characters`));
  const text = line.replace(/^\uFEFF/, '');
  let asked: unknown;
  try {
    asked = JSON.parse(text);
  } catch (error) {
    return resultLine(refused(null, '', `the line is not JSON: ${(error as Error).message}`));
  }
  if (!isObject(asked)) return resultLine(refused(null, '', 'the line is not a JSON object'));
  const sources = topLevel(text);
  const id = typeof asked.id === 'number' ? asWritten(sources.get('id') as string) : (asked.id ?? null);
  const name = typeof asked.name === 'string' ? asked.name : '';
  try {
    const judged = judge(asked, sources, toolboxes);
    return resultLine(typeof judged === 'string' ? refused(id, name, judged) : { id, ...judged });
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    return resultLine(refused(id, name, `the call could not be checked: ${said}`));
  }
}

/** A number as written, so that an id beyond 2^53 is preserved. */
const asWritten = (source: string): unknown =>
  // Missing in the compiler's library, but available in the oldest supported Node.
  (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(source);

/** The result of the call, or an error message about the line. */
function judge(
  { name, arguments: args, finishReason, tries, tools }: Record<string, unknown>,
  sources: ReadonlyMap<string, string>,
  toolboxes: ToolboxCache,
): Omit<ResultLine, 'id'> | string {
  if (typeof name !== 'string') return "'name' must be a string";
  if (typeof (finishReason ?? '') !== 'string') return "'finishReason' must be a string";
  const toolbox = toolboxes.get(sources.get('tools') ?? '', tools);
  if (typeof toolbox === 'string') return toolbox;
  const ended = typeof finishReason === 'string' ? { finishReason: parseFinishReason(finishReason) } : {};
  const outcome = mend({ name, arguments: argumentsOf(args, sources), ...ended }, toolbox);
  const warnings = outcome.tool ? toolbox.warnings(outcome.name) : [];
  const { status, input, repairs, problems } = outcome;
  return {
    status,
    name: outcome.name,
    input,
    repairs,
    problems,
    ...(outcome.status === 'invalid' && {
      errorType: outcome.errorType,
      feedback: feedback(outcome, { toolbox, attempt: typeof tries === 'number' ? tries : 1 }).text,
    }),
    ...(outcome.status === 'mended' && outcome.note !== undefined && { note: outcome.note }),
    ...(warnings.length > 0 && { warnings }),
  };
}

/** The source text of each value in the line's object; the last of duplicate keys, as in `JSON.parse`. */
function topLevel(line: string): Map<string, string> {
  const sources = new Map<string, string>();
  scanSpans(line, (path, start, end) => {
    if (path.length === 1) sources.set(String(path[0]), line.slice(start, end));
  });
  return sources;
}

/** Objects and lists are read from their source, because parsing hides duplicate keys and rounds large integers. */
const argumentsOf = (value: unknown, sources: ReadonlyMap<string, string>): unknown =>
  typeof value === 'object' && value !== null ? (sources.get('arguments') ?? value) : value;

const refused = (id: unknown, name: string, error: string): ResultLine => ({
  id,
  status: 'invalid',
  name,
  input: null,
  repairs: [],
  problems: [{ path: [], code: 'other', message: error }],
  errorType: 'validation',
  feedback: error,
  error,
});

/** A line of `--jsonl` output. */
interface ResultLine {
  readonly id: unknown;
  readonly status: Outcome['status'];
  readonly name: string;
  readonly input: unknown;
  readonly repairs: Outcome['repairs'];
  readonly problems: Outcome['problems'];
  readonly errorType?: string;
  readonly feedback?: string;
  /** A note for the model with the result, for example about a dropped key. */
  readonly note?: string;
  /** Faults of the tool's definition, which was accepted without validation. */
  readonly warnings?: readonly Fault[];
  /** Why the input line is invalid. */
  readonly error?: string;
}

/** A result as one line of JSON. What can't be serialized is omitted. */
function resultLine(answer: ResultLine): string {
  const whole = { ...answer, input: answer.input ?? null };
  return written(whole) ?? written(plain(whole)) ?? written({ ...plain(whole), id: null, repairs: [] }) ?? '{}';
}

function written(answer: ResultLine): string | undefined {
  try {
    return JSON.stringify(answer, (_, value) => (typeof value === 'bigint' ? String(value) : value));
  } catch {
    // Nested too deeply, or a cycle.
    return undefined;
  }
}

/** The result without external values, which alone can be nested too deeply. */
const plain = (answer: ResultLine): ResultLine => ({
  ...answer,
  input: null,
  repairs: answer.repairs.map(({ path, kind, certainty }) => ({ path, kind, before: null, certainty })),
  problems: answer.problems.map(({ received: _, ...problem }) => problem) as unknown as ResultLine['problems'],
});
