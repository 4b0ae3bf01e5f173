import { readJson } from '../../json/read-json.ts';
import type { Repair } from '../../json/repair.ts';
import { isObject } from '../../json/value.ts';
import { feedback } from '../../mend/feedback/feedback.ts';
import { parseFinishReason } from '../../mend/finish-reason.ts';
import { mend } from '../../mend/mend.ts';
import { mendValue } from '../../mend/mend-value.ts';
import type { Outcome } from '../../mend/outcome.ts';
import { parseDefinitions } from '../../tools/parse-definitions.ts';
import { toolFromMcp } from '../../tools/tool-from-mcp.ts';
import { Toolbox } from '../../tools/toolbox.ts';
import { readJsonFile } from '../shared/read-json-file.ts';
import { UsageError } from '../usage-error.ts';

interface MendTextOptions {
  readonly tools?: string | undefined;
  readonly name?: string | undefined;
  readonly schema?: string | undefined;
  readonly finishReason?: string | undefined;
  readonly tries?: number | undefined;
}

/** The printable parts of a result. */
export interface MendedText extends Pick<Outcome, 'status' | 'input' | 'repairs' | 'problems'> {
  readonly name?: string;
  readonly errorType?: string;
  readonly feedback?: string;
  readonly note?: string;
}

/** Mends a text with the options of `toolmend mend`: as a tool's call, with a schema, or as any JSON. */
export function mendText(text: string, options: MendTextOptions): MendedText {
  if (options.tools === undefined) return judgeValue(text, options);
  if (options.schema !== undefined) throw new UsageError('Use either --schema or --tools, not both');
  const toolbox = toolboxOf(options.tools);
  const ended = options.finishReason === undefined ? {} : { finishReason: parseFinishReason(options.finishReason) };
  const only = toolbox.size === 1 ? toolbox.list()[0]?.name : undefined;
  const known = options.name ?? only;
  const call = known === undefined ? readCall(text) : { name: known, arguments: text, repairs: [] };
  if (!call) throw new UsageError('Missing tool name. Use --name, or pass a call {"name": …, "arguments": …}');
  const outcome = mend({ name: call.name, arguments: call.arguments, ...ended }, toolbox);
  const repairs = [...call.repairs, ...outcome.repairs];
  const status = outcome.status === 'ok' && repairs.length > 0 ? 'mended' : outcome.status;
  const { name, input, problems } = outcome;
  return {
    status,
    name,
    input,
    repairs,
    problems,
    ...(outcome.status === 'invalid'
      ? { errorType: outcome.errorType, feedback: feedback(outcome, { attempt: options.tries ?? 1, toolbox }).text }
      : outcome.note !== undefined && { note: outcome.note }),
  };
}

function toolboxOf(file: string): Toolbox {
  const found = parseDefinitions(readJsonFile(file).value);
  const named = found.filter(({ definition }) => typeof definition.name === 'string');
  if (named.length === 0) throw new UsageError(`${file}: no tool definitions found`);
  const tools = named.map(({ definition }) => toolFromMcp(definition, { trusted: true }));
  return new Toolbox(tools, { validate: false });
}

function judgeValue(text: string, options: MendTextOptions): MendedText {
  if (options.name !== undefined) throw new UsageError('--name requires --tools FILE');
  const inputSchema = options.schema === undefined ? undefined : readJsonFile(options.schema).value;
  const finishReason = options.finishReason === undefined ? undefined : parseFinishReason(options.finishReason);
  const out = mendValue(text, inputSchema, { finishReason });
  const { status, input, repairs, problems } = out;
  if (out.status !== 'invalid') return { status, input, repairs, problems };
  const { text: words } = feedback(out, { attempt: options.tries ?? 1 });
  return { status, input, repairs, problems, errorType: out.errorType, feedback: words };
}

const argumentKeys = ['arguments', 'parameters', 'input', 'args'];

/** A complete written call. */
interface WrittenCall {
  readonly name: string;
  readonly arguments: unknown;
  /** Repairs outside of the arguments. */
  readonly repairs: readonly Repair[];
}

/** Reads `{"name": …, "arguments": …}`, also within OpenAI's `function`; undefined for other text. */
function readCall(text: string): WrittenCall | undefined {
  const { value, problems, repairs } = readJson(text);
  if (problems.length > 0 || !isObject(value)) return undefined;
  const call = isObject(value.function) ? value.function : value;
  const key = argumentKeys.find((each) => Object.hasOwn(call, each));
  if (typeof call.name !== 'string') return undefined;
  return { name: call.name, arguments: key === undefined ? undefined : call[key], repairs };
}
