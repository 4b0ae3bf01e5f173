import { feedback } from '../call/feedback.ts';
import { mend } from '../call/mend.ts';
import { mendValue } from '../call/mend-value.ts';
import type { Outcome } from '../call/outcome.ts';
import { toolFromMcp } from '../tool/mcp.ts';
import { readDefinitions } from '../tool/read-definitions.ts';
import { Toolbox } from '../tool/toolbox.ts';
import { finishReasonOf } from './finish-reason.ts';
import { readCall } from './read-call.ts';
import { readJsonFile } from './read-json-file.ts';
import { UsageError } from './usage-error.ts';

export interface MendTextOptions {
  readonly tools?: string | undefined;
  readonly name?: string | undefined;
  readonly schema?: string | undefined;
  readonly finishReason?: string | undefined;
  readonly tries?: number | undefined;
}

/** What came of a text: the parts of an outcome that can be printed. */
export interface MendedText extends Pick<Outcome, 'status' | 'input' | 'repairs' | 'problems'> {
  readonly name?: string;
  readonly errorType?: string;
  readonly feedback?: string;
  readonly note?: string;
}

/** Mends a text as the options of `toolmend mend` say: as a tool's call, by a schema, or as JSON of any form. */
export function mendText(text: string, options: MendTextOptions): MendedText {
  if (options.tools === undefined) return judgeValue(text, options);
  if (options.schema !== undefined) throw new UsageError('--schema and --tools exclude each other');
  const toolbox = toolboxOf(options.tools);
  const ended = options.finishReason === undefined ? {} : { finishReason: finishReasonOf(options.finishReason) };
  const only = toolbox.size === 1 ? toolbox.list()[0]?.name : undefined;
  const known = options.name ?? only;
  const call = known === undefined ? readCall(text) : { name: known, arguments: text, repairs: [] };
  if (!call) throw new UsageError('which tool? Use --name, or give a call {"name": …, "arguments": …}');
  const outcome = mend({ name: call.name, arguments: call.arguments, ...ended }, toolbox);
  const repairs = [...call.repairs, ...outcome.repairs];
  const status = outcome.status === 'ok' && repairs.length > 0 ? 'mended' : outcome.status;
  const { name, input, problems } = outcome;
  return {
    ...{ status, name, input, repairs, problems },
    ...(outcome.status === 'invalid'
      ? { errorType: outcome.errorType, feedback: feedback(outcome, { tries: options.tries ?? 1, toolbox }).text }
      : outcome.note !== undefined && { note: outcome.note }),
  };
}

function toolboxOf(file: string): Toolbox {
  const found = readDefinitions(readJsonFile(file).value);
  const named = found.filter(({ definition }) => typeof definition.name === 'string');
  if (named.length === 0) throw new UsageError(`${file}: there are no tool definitions in it`);
  const tools = named.map(({ definition }) => toolFromMcp(definition, { trusted: true }));
  return new Toolbox(tools, { definitions: 'given' });
}

function judgeValue(text: string, options: MendTextOptions): MendedText {
  if (options.name !== undefined) throw new UsageError('--name needs --tools FILE, the definitions to look it up in');
  const inputSchema = options.schema === undefined ? undefined : readJsonFile(options.schema).value;
  const finishReason = options.finishReason === undefined ? undefined : finishReasonOf(options.finishReason);
  const { status, input, repairs, problems } = mendValue(text, inputSchema, { finishReason: options.finishReason });
  if (status !== 'invalid') return { status, input, repairs, problems };
  const errorType = problems.some(({ code }) => code === 'truncated') ? 'truncated' : 'validation';
  const tool = toolFromMcp({ name: 'value', inputSchema });
  const raw = { name: '', arguments: text, finishReason };
  const told = feedback(
    { status, errorType, raw, tool, name: '', input, repairs, problems },
    { tries: options.tries ?? 1 },
  );
  return { status, input, repairs, problems, errorType, feedback: told.text };
}
