import type { ReasoningSetting, TurnRequest } from '../../model/index.ts';
import type { LoweringTarget } from './lowering-target.ts';
import type { Fitting } from './schema/state.ts';

/** A setting that the provider rejects in combination with others, and its replacement. Without one it is dropped. */
interface Refused {
  readonly where: keyof TurnRequest;
  readonly why: string;
  readonly instead?: ReasoningSetting;
}

type Rule = (request: TurnRequest) => readonly Refused[];

/** Rules apply in order, each to the result of the previous one. */
const rules: readonly { readonly of: RegExp; readonly rule: Rule }[] = [
  { of: /^(openai|anthropic|gemini)/, rule: withoutTools },
  { of: /^anthropic/, rule: forced },
  { of: /^anthropic/, rule: roomToThink },
  { of: /^anthropic/, rule: drawn },
];

/** Removes or replaces settings that a provider rejects in combination. */
export function fitSettings(request: TurnRequest, target: LoweringTarget, changes: Fitting[]): TurnRequest {
  let fitted = request;
  for (const { of, rule } of rules) {
    if (!of.test(target)) continue;
    for (const { where, why, instead } of rule(fitted)) {
      const { [where]: given, ...rest } = fitted;
      if (given === undefined) continue;
      changes.push({ where, what: why, kind: instead ? 'rewritten' : 'dropped' });
      // Rules only name optional settings.
      fitted = { ...rest, ...(instead && { [where]: instead }) } as TurnRequest;
    }
  }
  return fitted;
}

/** Tool settings require tools. */
function withoutTools({ tools }: TurnRequest): Refused[] {
  if (tools?.length) return [];
  return (['toolChoice', 'parallelCalls'] as const).map((where) => ({ where, why: 'there are no tools' }));
}

/** Whether reasoning is enabled. Anthropic also accepts an effort alone, which is recorded as an empty passthrough. */
const thinks = ({ reasoning }: TurnRequest): boolean =>
  reasoning?.enabled === true &&
  !(reasoning.passthrough?.format === 'anthropic' && Object.keys(reasoning.passthrough.fields).length === 0);

function forced(request: TurnRequest): Refused[] {
  const { toolChoice } = request;
  const must = typeof toolChoice === 'object' || toolChoice === 'required';
  return must && thinks(request)
    ? [{ where: 'reasoning', why: 'reasoning cannot be combined with a required call' }]
    : [];
}

const leastBudget = 1024;

/** The reasoning budget must leave tokens for the response. */
function roomToThink(request: TurnRequest): Refused[] {
  const { reasoning, maxTokens = Number.POSITIVE_INFINITY } = request;
  if (!thinks(request) || reasoning?.budget === undefined) return [];
  const where = 'reasoning';
  if (maxTokens <= leastBudget) return [{ where, why: `${maxTokens} tokens are not enough for reasoning` }];
  const budget = Math.min(Math.max(reasoning.budget, leastBudget), maxTokens - 1);
  if (budget === reasoning.budget) return [];
  return [{ where, why: `a budget of ${reasoning.budget} is sent as ${budget}`, instead: { ...reasoning, budget } }];
}

/** Sampling settings can't be combined with reasoning. */
function drawn(request: TurnRequest): Refused[] {
  if (!thinks(request)) return [];
  const why = 'the setting cannot be combined with reasoning';
  const { temperature = 1, topP = 1 } = request;
  return [
    ...(temperature === 1 ? [] : [{ where: 'temperature' as const, why }]),
    ...(topP >= 0.95 ? [] : [{ where: 'topP' as const, why }]),
  ];
}
