import type { ReasoningSetting, TurnRequest } from '../../model/index.ts';
import type { Fitting } from './fitting.ts';
import type { LoweringTarget } from './lowering-target.ts';

/** A setting that would be refused beside others, and why; it is left out where nothing is to take its place. */
interface Refused {
  readonly where: keyof TurnRequest;
  readonly why: string;
  readonly instead?: ReasoningSetting;
}

type Rule = (request: TurnRequest) => readonly Refused[];

/** Each rule sees what the ones before it left. */
const rules: readonly { readonly of: RegExp; readonly rule: Rule }[] = [
  { of: /^(openai|anthropic|gemini)/, rule: withoutTools },
  { of: /^anthropic/, rule: forced },
  { of: /^anthropic/, rule: roomToThink },
  { of: /^anthropic/, rule: drawn },
];

/** Settings that the provider would refuse together, without those that matter less. */
export function fitSettings(request: TurnRequest, target: LoweringTarget, changes: Fitting[]): TurnRequest {
  let fitted = request;
  for (const { of, rule } of rules) {
    if (!of.test(target)) continue;
    for (const { where, why, instead } of rule(fitted)) {
      const { [where]: given, ...rest } = fitted;
      if (given === undefined) continue;
      changes.push({ where, what: why, kind: instead ? 'rewritten' : 'dropped' });
      // Only settings that a request may do without are ever left out.
      fitted = { ...rest, ...(instead && { [where]: instead }) } as TurnRequest;
    }
  }
  return fitted;
}

/** Without tools there is nothing to choose from. */
function withoutTools({ tools }: TurnRequest): Refused[] {
  if (tools?.length) return [];
  return (['toolChoice', 'parallelCalls'] as const).map((where) => ({ where, why: 'there are no tools' }));
}

/** Thinking is asked for; an effort may stand alone there, which a passthrough without fields says. */
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

/** Thoughts need room, and must leave some for the answer. */
function roomToThink(request: TurnRequest): Refused[] {
  const { reasoning, maxTokens = Number.POSITIVE_INFINITY } = request;
  if (!thinks(request) || reasoning?.budget === undefined) return [];
  const where = 'reasoning';
  if (maxTokens <= leastBudget) return [{ where, why: `${maxTokens} tokens are not enough for reasoning` }];
  const budget = Math.min(Math.max(reasoning.budget, leastBudget), maxTokens - 1);
  if (budget === reasoning.budget) return [];
  return [{ where, why: `a budget of ${reasoning.budget} is sent as ${budget}`, instead: { ...reasoning, budget } }];
}

/** How words are drawn is not for others to say while a model thinks. */
function drawn(request: TurnRequest): Refused[] {
  if (!thinks(request)) return [];
  const why = 'the setting cannot be combined with reasoning';
  const { temperature = 1, topP = 1 } = request;
  return [
    ...(temperature === 1 ? [] : [{ where: 'temperature' as const, why }]),
    ...(topP >= 0.95 ? [] : [{ where: 'topP' as const, why }]),
  ];
}
