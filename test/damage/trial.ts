/** One trial: a valid call, damaged, and what has to come of it. */
import { isDeepStrictEqual } from 'node:util';
import type { JsonValue } from '../../src/json/value.ts';
import type { FinishReason, RawCall } from '../../src/model/index.ts';
import { type Definition, effectOf, type Sample, type Subject } from './definition.ts';
import type { Kind } from './kind.ts';
import { randomFrom, seedOf } from './random.ts';
import { valid } from './valid.ts';

export interface Trial {
  readonly kind: Kind;
  readonly seed: number;
  readonly tools: readonly Definition[];
  readonly tool: Definition;
  readonly call: RawCall & { readonly finishReason?: FinishReason };
  readonly expected: JsonValue;
  /** `recover`: exactly `expected`; `refuse`: nothing may run; `either`: never anything but `expected`. */
  readonly want: 'recover' | 'refuse' | 'either';
}

const plain = (value: unknown): unknown => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)));
/** Equal as JSON: the order of keys and the sign of zero make no difference. */
export const sameJson = (one: unknown, other: unknown): boolean => isDeepStrictEqual(plain(one), plain(other));

const strictly = (sent: unknown): { readonly value: unknown } | undefined => {
  if (typeof sent !== 'string') return { value: sent };
  try {
    return { value: JSON.parse(sent) };
  } catch {
    return undefined;
  }
};

/** Whether plain reading takes the damaged call for something valid that is not what was meant: nobody could tell. */
const undetectable = (trial: Trial): boolean => {
  const read = strictly(trial.call.arguments);
  if (
    read === undefined ||
    trial.kind.passesStrictly ||
    trial.call.name !== trial.tool.name ||
    trial.call.finishReason === 'length'
  )
    return false;
  return (
    valid(read.value, trial.tool.inputSchema) && (trial.want === 'refuse' || !sameJson(read.value, trial.expected))
  );
};

const wanted = (kind: Kind, tool: Definition): Trial['want'] => {
  if (kind.expect === 'refused') return 'refuse';
  if (kind.expect === 'safe') return 'either';
  if (effectOf(tool) !== 'destructive' || kind.expect === 'ok' || kind.expect === 'lossless') return 'recover';
  return kind.expect === 'inferred' ? 'refuse' : 'either';
};

/** Builds the trial of one seed, or undefined where the kind does not apply to that call. */
export const trialOf = (kind: Kind, subject: Subject, pool: readonly Subject[], seed: number): Trial | undefined => {
  const random = randomFrom(seedOf(kind.name, subject.name, seed));
  // Every tool is now and then taken for a destructive one, to see which certainty its repairs claim.
  const { make, ...given } = subject;
  const tool: Definition = random.chance(0.2) ? { ...given, annotations: { destructiveHint: true } } : given;
  const tools = pool.map((other) => (other.name === tool.name ? tool : other));
  const sample: Sample = {
    tool,
    input: make(random),
    others: tools.filter((other) => other !== tool).map((other) => other.name),
  };
  const damaged = kind.apply(sample, random);
  if (damaged === undefined) return undefined;
  const expected = damaged.expected ?? sample.input;
  const want = wanted(kind, tool);
  if (want !== 'refuse' && !valid(expected, tool.inputSchema))
    throw new Error(`${kind.name} expects an invalid call to ${tool.name}, seed ${seed}`);
  const { name = tool.name, finishReason, arguments: sent } = damaged;
  const call: Trial['call'] = { id: `t${seed}`, name, arguments: sent, ...(finishReason && { finishReason }) };
  const trial: Trial = { kind, seed, tools, tool, call, expected, want };
  return undetectable(trial) ? undefined : trial;
};
