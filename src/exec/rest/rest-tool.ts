/**
 * Tools that are a request to a service. Settings are plain data, so that they can stand in a file. May import what
 * `exec/` may.
 */
import type { InferOutput } from '../../tool/infer-input.ts';
import { type Tool, type ToolContext, type ToolDefinition, tool } from '../../tool/tool.ts';
import { UnfitArgument } from './argument-text.ts';
import { askService } from './ask-service.ts';
import { blot } from './blot.ts';
import { credentials } from './credentials.ts';
import { readContent } from './read-content.ts';
import { type About, type RestFailure, silenceFailure, statusFailure, unreadyFailure } from './rest-failure.ts';
import { restFaults } from './rest-faults.ts';
import { restOutput } from './rest-output.ts';
import { type RestRequest, restRequest } from './rest-request.ts';
import type { RestAuth, RestSettings } from './rest-settings.ts';
import { urlTemplate } from './template.ts';

export type { RestAuth, RestBreaker, RestMethod, RestResponse, RestRetry, RestSettings } from './rest-settings.ts';

/** What a tool that asks a service is made of. */
export interface RestDefinition<S> extends Omit<ToolDefinition<S>, 'run' | 'executor'> {
  readonly rest: RestSettings;
}

/**
 * Makes a tool of a request: where it goes, what of the arguments stands where, who asks, and what of the answer counts.
 *
 * @example
 * restTool({
 *   name: 'get_user', description: 'Finds a user', effect: 'read', input: z.object({ id: z.string() }),
 *   rest: { url: 'https://api.test/users/{id}', auth: { type: 'bearer', env: 'API_TOKEN' } },
 * })
 */
export function restTool<const S = undefined>(definition: RestDefinition<S>): Tool<InferOutput<S>> {
  const { rest, ...words } = definition;
  const made: Tool<InferOutput<S>> = tool<S>({
    ...(words as ToolDefinition<S>),
    executor: {
      kind: 'rest',
      check: () => restFaults(rest, () => made.schema.json),
      run: (input, context) => ask(made as Tool, rest, input, context),
    },
  });
  return made;
}

async function ask(
  { effect, repeat, saysOnce: once }: Tool,
  rest: RestSettings,
  input: unknown,
  context: ToolContext,
): Promise<unknown> {
  const template = urlTemplate(rest.url);
  if (!template) throw new Error('rest.url is no address with a fixed host');
  const variables = ([rest.auth ?? []].flat() as RestAuth[]).map(({ env }) => env);
  const again = effect === 'read' || repeat === 'idempotent';
  // The origin as the standard has it holds no login.
  const what = `${rest.method ?? 'GET'} ${new URL(template.origin).origin}${template.path}`;
  const about: About = { what, variables, again, once };
  const known = credentials(rest.auth);
  if (known.type !== 'ready') return unreadyFailure(known.type, known.variable, about);
  let request: RestRequest;
  try {
    request = restRequest(rest, template, input);
  } catch (error) {
    if (error instanceof UnfitArgument) return unfit(error);
    throw error;
  }
  const { keyHeader = 'Idempotency-Key' } = rest;
  // What is asked for by the settings comes first, and a key is for what writes.
  if (keyHeader && context.key !== undefined && effect !== 'read' && !request.headers.has(keyHeader)) {
    request.headers.set(keyHeader, encodeURI(context.key.toWellFormed()));
  }
  for (const [name, value] of Object.entries(known.headers)) request.headers.set(name, value);

  const clean = blot(known.secrets);
  const answer = await askService(request, rest, context, again);
  if (answer.type !== 'answered') return clean(silenceFailure(answer, about));
  const { response, body } = answer;
  const content = readContent(response.headers, body);
  if (response.status >= 400) return clean(statusFailure(response, content, about));
  if (body.cut) context.note(`The answer was longer than ${body.bytes.length} bytes, and is cut off there.`);
  return content.type === 'picture'
    ? restOutput(content, {}, context.note)
    : clean(restOutput(content, rest.response, context.note));
}

const unfit = ({ message }: UnfitArgument): RestFailure => ({
  ...{ ok: false, error: message, errorType: 'validation', retryable: false },
  recommendations: ['Change what the field holds, and try again'],
});
