import { feedback } from '../call/feedback.ts';
import type { Outcome } from '../call/outcome.ts';
import { contextFrom } from '../dialect/context.ts';
import { type CallReading, readCalls } from '../dialect/read-calls.ts';
import { isObject } from '../json/value.ts';
import type { Toolbox } from '../tool/toolbox.ts';
import { finishReasonOf } from './finish-reason.ts';
import type { ToolboxCache } from './toolbox-cache.ts';

/** What holds for every line that does not say otherwise. */
export interface DecodeOptions {
  readonly dialect?: string | undefined;
  readonly prompted?: boolean | undefined;
  readonly chunk?: number | undefined;
}

/** Answers one line of `{"id","text","tools"?,"dialect"?,"reasoningOpen"?,"finishReason"?,"context"?}`. It never throws: a bad line's answer says what is wrong. */
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
    const toolbox = toolboxIn(asked, toolboxes);
    if (typeof toolbox === 'string') return refused(id, toolbox);
    const reading = read(asked.text, asked, toolbox, options);
    return typeof reading === 'string' ? refused(id, reading) : JSON.stringify({ id, ...shown(reading, toolbox) });
  } catch (error) {
    return refused(id, error instanceof Error ? error.message : String(error));
  }
}

/** The tools of a line; nothing where it does not say, and a string that says what is wrong with them. */
function toolboxIn({ tools }: Record<string, unknown>, toolboxes: ToolboxCache): Toolbox | string | undefined {
  return tools === undefined || tools === null ? undefined : toolboxes.get(JSON.stringify(tools), tools);
}

function read(
  text: string,
  { dialect, reasoningOpen, finishReason, context: before }: Record<string, unknown>,
  toolbox: Toolbox | undefined,
  options: DecodeOptions,
): CallReading | string {
  if (typeof (dialect ?? '') !== 'string') return "'dialect' must be text";
  if (typeof (finishReason ?? '') !== 'string') return "'finishReason' must be text";
  const context = contextFrom(before);
  if (!context) return "'context' must be messages ({role, content}) or text";
  const { chunk, prompted } = options;
  return readCalls(text, toolbox, {
    dialect: (dialect as string | undefined) ?? options.dialect ?? 'auto',
    reasoningOpen: reasoningOpen === true,
    cut: finishReasonOf(String(finishReason ?? '')) === 'length',
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
    ...{ id: raw.id ?? null, status, name, input: input ?? null, repairs, problems },
    ...(outcome.status === 'invalid' && {
      errorType: outcome.errorType,
      feedback: feedback(outcome, { toolbox }).text,
    }),
  };
};

const refused = (id: unknown, error: string): string =>
  JSON.stringify({ id, text: '', dialect: 'content-only', calls: [], error });
