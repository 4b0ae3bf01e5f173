import type { ToolSet } from 'ai';
import { type ToolOutput, toolOutput } from '../../execute/tool-result.ts';
import { ToolmendError } from '../../json/toolmend-error.ts';
import { checkArgument, isObject } from '../../json/value.ts';
import { type Tool, type ToolContext, tool } from '../../tools/tool.ts';
import { Toolbox } from '../../tools/toolbox.ts';
import { toolWithSchema } from '../tool-with-schema.ts';
import { type AiTool, aiToolSchema, type Validate } from './ai-tool-schema.ts';
import type { ModelOutput } from './to-ai-tools.ts';

/**
 * Creates a toolbox from AI SDK tools, to mend their calls and run them with `invoke()` or an agent. Provider tools are
 * omitted, because they can't run here. Effects are unknown, so each tool counts as a write. A call that needs the
 * SDK's approval doesn't run.
 *
 * @example
 * const toolbox = await fromAiTools({ weather });
 */
export async function fromAiTools(tools: ToolSet): Promise<Toolbox> {
  checkArgument(isObject(tools), 'tools', 'AI SDK tools by name', tools);
  const own = Object.entries(tools).filter(([, one]) => one.type !== 'provider');
  return new Toolbox(await Promise.all(own.map(([name, one]) => fromAiTool(name, one))), { validate: false });
}

async function fromAiTool(name: string, one: AiTool): Promise<Tool> {
  const { input, validate: own } = await aiToolSchema(one);
  const { execute, toModelOutput, needsApproval } = one;
  const description = typeof one.description === 'string' ? one.description : '';
  const { inputSchema: schema } = toolWithSchema(name, description, input);
  const validate = schema === input ? own : waiting(input as Standard);
  const metadata = one.title === undefined ? {} : { title: one.title };
  if (!execute) return tool({ name, description, inputSchema: schema, metadata });
  const run = async (given: unknown, context: ToolContext): Promise<unknown> => {
    const { callId: toolCallId = '', signal: abortSignal } = context;
    const checked = await validate?.(given);
    if (checked && !checked.success) return { ok: false, errorType: 'validation', error: checked.error.message };
    const value = checked ? checked.value : given;
    const about = { toolCallId, messages: [], context: {} };
    if (typeof needsApproval === 'function' ? await needsApproval(value, about) : needsApproval)
      return {
        ok: false,
        errorType: 'logical',
        error: 'It needs approval, which is only possible in a run of the SDK',
      };
    const output = await lastOf(execute(value, { ...about, abortSignal }));
    return toModelOutput ? toolOutputOf(await toModelOutput({ toolCallId, input: value, output }), output) : output;
  };
  return tool({ name, description, inputSchema: schema, metadata, execute: run });
}

interface Standard {
  readonly '~standard': {
    validate(value: unknown): PromiseLike<{ value?: unknown; issues?: readonly { readonly message: string }[] }>;
  };
}

/** An asynchronous check, which runs with the tool. */
const waiting =
  ({ '~standard': standard }: Standard): Validate =>
  async (given) => {
    const { value, issues } = await standard.validate(given);
    if (!issues) return { success: true, value };
    return {
      success: false,
      error: new ToolmendError('invalid_input', issues.map(({ message }) => message).join('\n')),
    };
  };

/** A tool's output; the last one if it yields several. */
async function lastOf(output: unknown): Promise<unknown> {
  if (output === null || typeof output !== 'object' || !(Symbol.asyncIterator in output)) return output;
  let last: unknown;
  for await (const one of output as AsyncIterable<unknown>) last = one;
  return last;
}

/** The model's version of a result, as the tool defines it. */
function toolOutputOf(output: ModelOutput, structured: unknown): ToolOutput {
  const text = (words: string) => ({ type: 'text', text: words }) as const;
  const isError = output.type === 'error-text' || output.type === 'error-json';
  if (output.type === 'execution-denied') {
    return toolOutput({ content: [text(output.reason ?? 'It was not allowed')], isError: true });
  }
  if (output.type !== 'content') {
    const words = typeof output.value === 'string' ? output.value : JSON.stringify(output.value);
    return toolOutput({ content: [text(words)], structured, ...(isError && { isError }) });
  }
  const content = output.value.flatMap((piece): ToolOutput['content'] => {
    if (piece.type === 'text') return [text(piece.text)];
    if (piece.type !== 'file') return [];
    const { data, mediaType } = piece;
    if (data.type === 'text') return [text(data.text)];
    const source =
      data.type === 'data' ? { data: base64(data.data) } : data.type === 'url' ? { url: String(data.url) } : undefined;
    return source ? [{ type: 'media', mediaType, source }] : [];
  });
  return toolOutput({ content, structured });
}

/** Encodes bytes without Node APIs. */
function base64(data: string | Uint8Array | ArrayBuffer): string {
  if (typeof data === 'string') return data;
  let text = '';
  for (const byte of new Uint8Array(data)) text += String.fromCharCode(byte);
  return btoa(text);
}
