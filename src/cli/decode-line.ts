import type { Outcome } from '../call/outcome.ts';
import { type CallReading, readCalls } from '../dialect/read-calls.ts';
import { isObject } from '../json/value.ts';
import type { ToolboxCache } from './toolbox-cache.ts';

/** What holds for every line that does not say otherwise. */
export interface DecodeOptions {
  readonly dialect?: string | undefined;
  readonly prompted?: boolean | undefined;
  readonly chunk?: number | undefined;
}

/** Answers one line of `{"id","text","tools"?,"dialect"?,"reasoningOpen"?}`. It never throws: a bad line's answer says what is wrong. */
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
  if (typeof asked.text !== 'string') return refused(id, "'text' must be text");
  try {
    const reading = read(asked.text, asked, toolboxes, options);
    return typeof reading === 'string' ? refused(id, reading) : JSON.stringify({ id, ...shown(reading) });
  } catch (error) {
    return refused(id, error instanceof Error ? error.message : String(error));
  }
}

function read(
  text: string,
  { tools, dialect, reasoningOpen }: Record<string, unknown>,
  toolboxes: ToolboxCache,
  options: DecodeOptions,
): CallReading | string {
  if (typeof (dialect ?? '') !== 'string') return "'dialect' must be text";
  const none = tools === undefined || tools === null || (Array.isArray(tools) && tools.length === 0);
  const toolbox = none ? undefined : toolboxes.get(JSON.stringify(tools), tools);
  if (typeof toolbox === 'string') return toolbox;
  const { chunk, prompted } = options;
  return readCalls(text, toolbox, {
    dialect: (dialect as string | undefined) ?? options.dialect ?? 'auto',
    reasoningOpen: reasoningOpen === true,
    ...(prompted && { prompted }),
    ...(chunk && { chunk }),
  });
}

const shown = ({ calls, ...reading }: CallReading): object => ({ ...reading, calls: calls.map(call) });

const call = ({ raw, status, name, input, repairs, problems }: Outcome): object => ({
  ...{ id: raw.id ?? null, status, name, input: input ?? null, repairs, problems },
});

const refused = (id: unknown, error: string): string =>
  JSON.stringify({ id, text: '', dialect: 'content-only', calls: [], error });
