/** Tools that send an HTTP request. Settings are plain data, so that they can come from a file. */

import { type Redact, redactSecrets } from '../../json/redact-secrets.ts';
import { hasCode, ToolmendError } from '../../json/toolmend-error.ts';
import type { InferOutput } from '../../schema/infer.ts';
import { checkIsDefinition, type Tool, type ToolContext, type ToolDefinition, tool } from '../../tools/tool.ts';
import { type About, noResponseFailure, type RestFailure, statusFailure, unreadyFailure } from './failure.ts';
import { type RestRequest, restRequest } from './request.ts';
import { readContent, restOutput } from './response.ts';
import { restFaults } from './rest-faults.ts';
import { askService, credentials, type ServiceReply } from './send.ts';
import type { RestAuth, RestSettings } from './settings.ts';
import { type UrlTemplate, urlTemplate } from './template.ts';

export type { RestAuth, RestBreaker, RestMethod, RestResponse, RestRetry, RestSettings } from './settings.ts';

/** Definition of a REST tool. */
export interface RestDefinition<S, Name extends string = string>
  extends Omit<ToolDefinition<S, unknown, Name>, 'execute' | 'executor'> {
  readonly rest: RestSettings;
}

/**
 * Creates a tool from an HTTP request: its URL, where arguments go, authentication, and what to return from the
 * response.
 *
 * @example
 * restTool({
 *   name: 'get_user', description: 'Finds a user', effect: 'read', inputSchema: z.object({ id: z.string() }),
 *   rest: { url: 'https://api.test/users/{id}', auth: { type: 'bearer', env: 'API_TOKEN' } },
 * })
 */
export function restTool<const S = undefined, const Name extends string = string>(
  definition: RestDefinition<S, Name>,
): Tool<InferOutput<S>, unknown, Name, S> {
  checkIsDefinition(definition);
  const { rest, ...words } = definition;
  const made: Tool<InferOutput<S>, unknown, Name, S> = tool<S, unknown, Name>({
    ...(words as ToolDefinition<S, unknown, Name>),
    executor: {
      kind: 'rest',
      check: () => restFaults(rest, () => made.schema.json),
      execute: (input, context) => ask(made as Tool, rest, input, context),
    },
  });
  return made;
}

async function ask(tool: Tool, rest: RestSettings, input: unknown, context: ToolContext): Promise<unknown> {
  const template = urlTemplate(rest.url);
  if (!template)
    throw new ToolmendError(
      'invalid_tool',
      `Invalid rest.url of the tool '${tool.name}': expected a URL with a fixed host.`,
    );
  const about = aboutOf(tool, rest, template);
  const known = credentials(rest.auth);
  if (known.type !== 'ready') return unreadyFailure(known.type, known.variable, about);
  let request: RestRequest;
  try {
    request = restRequest(rest, template, input);
  } catch (error) {
    if (hasCode(error, 'invalid_input')) return unfit(error);
    throw error;
  }
  addKey(request.headers, tool, rest, context);
  for (const [name, value] of Object.entries(known.headers)) request.headers.set(name, value);
  const answer = await askService(request, rest, context, about.again);
  return tell(answer, rest, about, redactSecrets(known.secrets), context);
}

/** Converts a response to the tool's result, without the credentials. */
function tell(answer: ServiceReply, rest: RestSettings, about: About, clean: Redact, { note }: ToolContext): unknown {
  if (answer.type !== 'answered') return cleaned(noResponseFailure(answer, about), clean);
  const { response, body } = answer;
  const content = readContent(response.headers, body, clean);
  if (response.status >= 400) return cleaned(statusFailure(response, content, about), clean);
  if (body.cut) note(`The response was longer than ${body.bytes.length} bytes, and is truncated there.`);
  return restOutput(content, rest.response, note);
}

const cleaned = (failure: RestFailure, clean: Redact): RestFailure => ({ ...failure, error: clean(failure.error) });

function aboutOf({ effect, repeat, saysOnce: once }: Tool, rest: RestSettings, { origin, path }: UrlTemplate): About {
  const variables = ([rest.auth ?? []].flat() as RestAuth[]).map(({ env }) => env);
  // `URL.origin` contains no credentials.
  const what = `${rest.method ?? 'GET'} ${new URL(origin).origin}${path}`;
  return { what, variables, again: effect === 'read' || repeat === 'idempotent', once };
}

/** Adds an idempotency key to requests that write. A header in the settings has precedence. */
function addKey(
  headers: Headers,
  { effect }: Tool,
  { keyHeader = 'Idempotency-Key' }: RestSettings,
  { key }: ToolContext,
): void {
  if (!keyHeader || key === undefined || effect === 'read' || headers.has(keyHeader)) return;
  headers.set(keyHeader, encodeURI(key.toWellFormed()));
}

const unfit = ({ message }: ToolmendError): RestFailure => ({
  ok: false,
  error: message,
  errorType: 'validation',
  retryable: false,
  recommendations: ['Change the value of the field, and try again'],
});
