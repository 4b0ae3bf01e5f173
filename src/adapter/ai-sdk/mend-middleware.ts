import type { LanguageModelMiddleware, StopCondition, ToolCallRepairFunction, ToolSet } from 'ai';
import { ToolmendError } from '../../json/toolmend-error.ts';
import { checkArgument, isObject } from '../../json/value.ts';
import { mendCall } from '../../mend/mend-call.ts';
import { defaultBudgets } from '../../run/budgets.ts';
import { Toolbox } from '../../tools/toolbox.ts';
import { toolWithSchema } from '../tool-with-schema.ts';
import { aiToolSchema } from './ai-tool-schema.ts';
import { mendingOutput, mendOutput, requestedSchema } from './mend-output.ts';
import type { MiddlewareOptions, StreamPart } from './options.ts';
import { place } from './outgoing-call.ts';
import { mendContent, PartMender } from './part-mender.ts';
import { promptFeedback } from './prompt-feedback.ts';
import { type VisibleTools, visibleTools } from './visible-tools.ts';

/**
 * Middleware for AI SDK models: mends the calls and the structured output of complete and streamed responses, reads
 * calls in text, drops calls without a name, and gives the model feedback about calls that can't be mended.
 *
 * @example
 * const model = wrapLanguageModel({ model: openai('some-model'), middleware: mendMiddleware() });
 */
export function mendMiddleware(options: MiddlewareOptions = {}): LanguageModelMiddleware {
  checkArgument(isObject(options), 'options', 'an object', options);
  return {
    specificationVersion: 'v4',
    async transformParams({ params }) {
      const shown = visibleTools(params, options);
      return shown ? promptFeedback(params, shown) : params;
    },
    async wrapGenerate({ doGenerate, params, model }) {
      checkVersion(model);
      const shown = visibleTools(params, options, model);
      const output = requestedSchema(params);
      const result = await doGenerate();
      const mended = shown ? { ...result, ...mendContent(result, shown) } : result;
      return output ? mendOutput(mended, output) : mended;
    },
    async wrapStream({ doStream, params, model }) {
      checkVersion(model);
      const shown = visibleTools(params, options, model);
      const output = requestedSchema(params);
      const result = await doStream();
      const stream = shown ? result.stream.pipeThrough(mending(shown)) : result.stream;
      return { ...result, stream: output ? stream.pipeThrough(mendingOutput(output)) : stream };
    },
  };
}

/** Models of version 4 and before have another shape. Nothing else shows the version, because `ai` isn't imported. */
function checkVersion(model: { readonly specificationVersion?: string } | undefined): void {
  if (model?.specificationVersion === 'v1')
    throw new ToolmendError(
      'unsupported',
      'toolmend/ai-sdk requires AI SDK 5, 6 or 7, but this model is from an earlier version. Update ai and the packages of its providers.',
    );
}

function mending(shown: VisibleTools): TransformStream<StreamPart, StreamPart> {
  const mender = new PartMender(shown);
  return new TransformStream({
    transform(part, controller) {
      for (const one of mender.take(part)) controller.enqueue(one);
    },
    flush(controller) {
      for (const one of mender.end()) controller.enqueue(one);
    },
  });
}

const made = new WeakMap<ToolSet, Promise<Toolbox>>();

/**
 * For the SDK's option of the same name: mends a call that the SDK refused. The finish reason isn't available here, so
 * an unclosed call counts as truncated and is never completed.
 *
 * @example
 * await generateText({ model, tools, prompt, repairToolCall });
 */
export const repairToolCall: ToolCallRepairFunction<ToolSet> = async (failed) => {
  checkArgument(isObject(failed?.tools), 'argument', '{ toolCall, tools }, as the AI SDK passes it', failed);
  const { toolCall, tools } = failed;
  const known = made.get(tools) ?? toolboxOf(tools);
  made.set(tools, known);
  const { toolCallId: id, toolName: name, input, providerMetadata } = toolCall;
  // The middleware has already checked it, with a policy that isn't known here.
  if (providerMetadata?.[place]?.input !== undefined) return null;
  const { part, changed } = mendCall({ type: 'call', id, name, arguments: input }, await known, undefined, 'length');
  return changed ? { ...toolCall, toolName: part.name, input: String(part.arguments) } : null;
};

async function toolboxOf(tools: ToolSet): Promise<Toolbox> {
  const own = Object.entries(tools).filter(([, one]) => one.type !== 'provider');
  const known = own.map(async ([name, one]) => {
    const description = typeof one.description === 'string' ? one.description : '';
    return toolWithSchema(name, description, (await aiToolSchema(one)).input);
  });
  return new Toolbox(await Promise.all(known), { validate: false });
}

/**
 * For the SDK's `stopWhen`: ends a loop after several turns in a row in which no call could run.
 *
 * @example
 * await generateText({ model, tools, prompt, stopWhen: [isStepCount(50), hasFailedTurns()] });
 */
// The only way to type a condition for tools of any type, as the SDK's own conditions do.
// biome-ignore lint/suspicious/noExplicitAny: as above
export function hasFailedTurns(turns: number = defaultBudgets.failedTurns): StopCondition<any, any> {
  checkArgument(Number.isInteger(turns), 'turns', 'an integer', turns);
  return ({ steps }) =>
    steps.length >= turns &&
    steps
      .slice(-turns)
      .every(({ toolCalls }) => toolCalls.length > 0 && toolCalls.every((call) => 'invalid' in call && call.invalid));
}
