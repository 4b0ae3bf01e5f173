import type { ToolSet } from 'ai';
import { resultPart, resultText } from '../../execute/result-part.ts';
import { isToolOutput, type ToolResult } from '../../execute/tool-result.ts';
import { hasCode, ToolmendError } from '../../json/toolmend-error.ts';
import { feedback } from '../../mend/feedback/feedback.ts';
import { mend } from '../../mend/mend.ts';
import type { MediaPart, ResultPart } from '../../model/index.ts';
import { invoke } from '../../run/invoke/invoke.ts';
import type { InvokeOptions } from '../../run/invoke/types.ts';
import type { Tool } from '../../tools/tool.ts';
import { checkIsToolbox, offeredTools, type Toolbox } from '../../tools/toolbox.ts';
import { schemaWithEffects } from '../tool-effects.ts';
import type { AiTool } from './ai-tool-schema.ts';
import type { Prompt } from './options.ts';
import { promptContext } from './prompt-context.ts';

/** How tools run: the options of `invoke()`, except for those that the SDK provides. */
export type AiToolsOptions = Omit<InvokeOptions, 'toolbox' | 'signal' | 'finish' | 'decision' | 'before'>;

/** The SDK recognizes its schemas by this symbol, across copies of its packages. */
const mark = Symbol.for('vercel.ai.schema');

/** Maximum number of results kept until the SDK requests the model's version, which it does immediately. */
const kept = 1000;

/**
 * Converts a toolbox to AI SDK tools: calls are mended and validated before the SDK accepts them, and run with
 * `invoke()`.
 *
 * @example
 * await generateText({ model, tools: toAiTools(toolbox), prompt });
 */
export function toAiTools(toolbox: Toolbox, options: AiToolsOptions = {}): ToolSet {
  checkIsToolbox(toolbox);
  return Object.fromEntries(offeredTools(toolbox).map((tool) => [tool.name, aiTool(tool, toolbox, options)]));
}

function aiTool(tool: Tool, toolbox: Toolbox, options: AiToolsOptions): AiTool {
  const { name, description } = tool;
  /** The original arguments by the mended ones, so that the run can report what changed. */
  const written = new WeakMap<object, unknown>();
  const results = new Map<string, { readonly output: unknown; readonly shaped: ResultPart }>();
  // Whether a call repeats one that was refused for doubtful values is only known when it runs, with the conversation.
  const validate = (value: unknown) => {
    const outcome = mend({ name, arguments: value, repeated: true }, toolbox, options.policy);
    if (outcome.status === 'invalid') {
      return { success: false, error: new ToolFailure(feedback(outcome, { toolbox }).text) } as const;
    }
    const { input } = outcome;
    if (outcome.status === 'mended' && typeof input === 'object' && input !== null) written.set(input, value);
    return { success: true, value: input } as const;
  };
  return {
    description,
    inputSchema: { [mark]: true, jsonSchema: schemaWithEffects(tool), validate },
    async execute(input: object, { toolCallId: id, abortSignal: signal, messages = [] }: ExecuteOptions) {
      const call = { id, name, arguments: written.get(input) ?? input };
      const { result, value } = await invoke(call, {
        ...options,
        toolbox,
        signal,
        before: () => promptContext(messages),
      });
      if (!result || !value?.ok)
        throw new ToolFailure(result ? wordsOf(result) : 'The call is waiting for approval', value);
      const output: unknown = isToolOutput(value.data) ? (value.data.structured ?? value.data.content) : value.data;
      results.set(id, { output, shaped: result });
      if (results.size > kept) results.delete(results.keys().next().value as string);
      return output;
    },
    async toModelOutput({ toolCallId: callId, output: data }: { toolCallId: string; output: unknown }) {
      const known = results.get(callId);
      // Another conversation may have a call with the same id.
      if (known && known.output === data) return modelOutput(known.shaped);
      const { part } = await resultPart({ callId, name }, { ok: true, data }, options.results);
      return modelOutput(part);
    },
    // The SDK types schemas with a symbol that it doesn't export.
  } as unknown as AiTool;
}

/** What the SDK passes when a call runs. */
interface ExecuteOptions {
  readonly toolCallId: string;
  readonly abortSignal?: AbortSignal;
  /** The conversation without the response that made the call. */
  readonly messages?: Prompt;
}

const wordsOf = ({ content }: ResultPart): string =>
  content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');

/** A result for the model, in the SDK's format. */
export type ModelOutput = Awaited<ReturnType<NonNullable<AiTool['toModelOutput']>>>;
type Piece = Extract<ModelOutput, { type: 'content' }>['value'][number];

/** Converts a result: to text if there is only text. */
function modelOutput({ content }: ResultPart): ModelOutput {
  const value = resultText(content);
  return value === undefined ? { type: 'content', value: content.flatMap(pieceOf) } : { type: 'text', value };
}

function pieceOf(part: ResultPart['content'][number]): Piece[] {
  if (part.type === 'text') return [{ type: 'text', text: part.text }];
  if (part.type !== 'media') return [];
  const { mediaType, name } = part;
  const data = dataOf(part.source);
  return data ? [{ type: 'file', data, mediaType, ...(name !== undefined && { filename: name }) }] : [];
}

function dataOf(source: MediaPart['source']): Extract<Piece, { type: 'file' }>['data'] | undefined {
  if ('data' in source) return { type: 'data', data: source.data };
  if ('url' in source) return URL.canParse(source.url) ? { type: 'url', url: new URL(source.url) } : undefined;
  return undefined;
}

/**
 * Thrown to the SDK if a tool fails. The SDK uses an error's `toString`, and the model should only read this message.
 */
export class ToolFailure extends ToolmendError {
  override readonly name = 'ToolFailure';
  /** The failure as a value. */
  readonly result: ToolResult | undefined;

  constructor(message: string, result?: ToolResult) {
    super('tool_failed', message);
    this.result = result;
  }

  /** Whether a value is such an error, including one from another copy of this package. */
  static override isInstance(error: unknown): error is ToolFailure {
    return hasCode(error, 'tool_failed');
  }

  override toString(): string {
    return this.message;
  }
}
