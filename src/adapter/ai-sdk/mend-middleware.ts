import type { LanguageModelMiddleware } from 'ai';
import { ToolmendError } from '../../json/toolmend-error.ts';
import { checkArgument, isObject } from '../../json/value.ts';
import { mendContent } from './mend-content.ts';
import { mendingOutput, mendOutput, requestedSchema } from './mend-output.ts';
import type { MiddlewareOptions, StreamPart } from './options.ts';
import { PartMender } from './part-mender.ts';
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
