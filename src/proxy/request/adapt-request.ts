import { equal, isObject, type JsonObject, type JsonValue, parseJson, stringifyJson } from '../../json/value.ts';
import type { Format, ReasoningSetting, TurnRequest } from '../../model/index.ts';
import type { LoweringTarget } from '../../provider/compat/lowering-target.ts';
import { estimateTokens } from '../../provider/translation/estimate-tokens.ts';
import { strictTurns } from '../../provider/translation/strict-turns.ts';
import type { Address, Provider, Warning } from '../../provider/wire/types.ts';
import type { Adaptations } from '../upstream/text-mode.ts';

/** API formats whose servers render conversations with the model's chat template. */
const templated: ReadonlySet<Format> = new Set(['openai-chat', 'ollama']);

/** Effort levels that a server doesn't have, and the closest ones that it has. */
const efforts: Readonly<Partial<Record<LoweringTarget, Readonly<Record<string, string>>>>> = {
  plain: { minimal: 'low', xhigh: 'high', max: 'high' },
  openai: { max: 'xhigh' },
};

/** The defaults for a translated request: chat templates are often strict, and local models often don't think. */
export const translationDefaults = (wire: Format, target: LoweringTarget): Adaptations =>
  target === 'plain' && templated.has(wire) ? { strictTurns: true, reasoning: false, ...ownRules(wire) } : {};

/**
 * All servers with the Chat API take the older field for the output limit, except for OpenAI's newer models. Ollama takes
 * `think: false` for every model.
 */
const ownRules = (wire: Format): Adaptations =>
  wire === 'openai-chat' ? { limitField: 'max_tokens' } : { disablesReasoning: true };

/**
 * Adapts a request to a model, and reports what it leaves out.
 *
 * @param target what a translated request is adapted to; undefined for the client's own API format
 */
export function adaptRequest(
  request: TurnRequest,
  adaptations: Adaptations,
  target: LoweringTarget | undefined,
  warnings: Warning[],
): TurnRequest {
  const messages = adaptations.strictTurns ? strictTurns(request.messages, adaptations) : request.messages;
  const maxTokens = fittingTokens(request, adaptations);
  const reasoning = request.reasoning && adaptReasoning(request.reasoning, adaptations, target);
  if (request.reasoning && !reasoning)
    warnings.push({
      where: 'reasoning',
      what: 'Effort and thinking are left out, because the model is not known to think',
    });
  if (messages === request.messages && maxTokens === request.maxTokens && reasoning === request.reasoning)
    return request;
  const { reasoning: _, ...rest } = request;
  return { ...rest, messages, ...(maxTokens !== undefined && { maxTokens }), ...(reasoning && { reasoning }) };
}

function adaptReasoning(
  reasoning: ReasoningSetting,
  { reasoning: thinks, disablesReasoning }: Adaptations,
  target: LoweringTarget | undefined,
): ReasoningSetting | undefined {
  if (thinks === false) return disablesReasoning && !reasoning.enabled ? reasoning : undefined;
  const effort = reasoning.effort === undefined || !target ? undefined : efforts[target]?.[reasoning.effort];
  return effort === undefined ? reasoning : { ...reasoning, effort };
}

/** A body in the client's own API format, adapted to a model. Fields that fit stay as they are written. */
export function adaptBody(client: Provider, body: Buffer, adaptations: Adaptations, address: Address): Buffer {
  const value = parseJson(body.toString('utf8'));
  const request = client.readRequest(value, address);
  const adapted = adaptRequest(request, adaptations, undefined, []);
  if (!isObject(value)) return body;
  const limited = limitedBy(value, adaptations);
  if (adapted === request) return limited === value ? body : Buffer.from(stringifyJson(limited));
  const wire = limitedBy(client.writeRequest(adapted).wire, adaptations);
  for (const key of Object.keys(value)) if (wire[key] === undefined) delete value[key];
  for (const [key, field] of Object.entries(wire)) if (!equal(field, value[key])) value[key] = field;
  return Buffer.from(stringifyJson(value));
}

/** A body of the Chat API with the field for its output limit that the server takes. */
export function limitedBy(body: JsonObject, { limitField }: Adaptations): JsonObject {
  const other = limitField === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens';
  if (limitField === undefined || body[other] === undefined) return body;
  const { [other]: limit, ...rest } = body;
  return { ...rest, [limitField]: body[limitField] ?? (limit as JsonValue) };
}

/** Tokens for what an estimate misses, such as the template's own text. */
const margin = 32;
/** Leaves room for tokenizers with shorter tokens, until a refusal has told the length of a prompt. */
const unmeasured = 1.2;
/** Less than this isn't worth a request, so that the server's refusal reaches the client. */
const leastOutput = 256;

/** The output limit that fits into the context window after the prompt. */
function fittingTokens(
  request: TurnRequest,
  { contextWindow, tokenRatio = unmeasured, maxOutput = Number.POSITIVE_INFINITY }: Adaptations,
): number | undefined {
  const { maxTokens } = request;
  if (maxTokens === undefined) return undefined;
  const most = Math.min(maxTokens, maxOutput);
  if (contextWindow === undefined) return most;
  const room = contextWindow - Math.ceil(estimateTokens(request) * tokenRatio) - margin;
  return Math.min(most, Math.max(room, leastOutput));
}
