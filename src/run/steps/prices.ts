import { callListeners } from '../../log/subscribe.ts';
import type { Usage } from '../../model/index.ts';
import { ConfigurationValidationError } from '../../tools/config-error.ts';

/** Prices of a model per million tokens, in any currency. */
export interface Price {
  readonly input: number;
  readonly output: number;
  /**
   * Input that was read from a cache.
   * @default input
   */
  readonly cached?: number;
  /**
   * Input that was written to a cache.
   * @default input
   */
  readonly cacheWritten?: number;
}

/** Prices by the name of the model, or a function for the cost of a response. Undefined, or an error, means that it is unknown. */
export type Prices =
  | Readonly<Record<string, Price>>
  | ((usage: Usage, model: { readonly name: string; readonly provider: string }) => number | undefined);

const million = 1_000_000;

/** The cost of a response; undefined if its price or usage is unknown. */
export function costOf(
  usage: Usage | undefined,
  model: { readonly name: string; readonly provider: string },
  prices: Prices,
): number | undefined {
  if (!usage) return undefined;
  let cost: unknown;
  const compute = (): unknown => {
    cost = typeof prices === 'function' ? prices({ ...usage }, model) : byPrice(usage, prices[model.name]);
    return cost;
  };
  // An unknown cost is no reason to lose the response.
  callListeners([compute], undefined);
  return typeof cost === 'number' && Number.isFinite(cost) ? cost : undefined;
}

function byPrice({ input = 0, output = 0, cached = 0, cacheWritten = 0 }: Usage, price: Price | undefined) {
  if (!price) return undefined;
  const plain = Math.max(0, input - cached - cacheWritten);
  const read = cached * (price.cached ?? price.input) + cacheWritten * (price.cacheWritten ?? price.input);
  return (plain * price.input + read + output * price.output) / million;
}

const required = ['input', 'output'] as const;

/** Throws for prices that aren't numbers. */
export function checkPrices(prices: Prices): void {
  if (typeof prices === 'function') return;
  for (const [name, price] of Object.entries(prices)) {
    for (const [field, value] of [...required, ...Object.keys(price)].map(
      (field) => [field, price[field as keyof Price]] as const,
    )) {
      if (typeof value === 'number' && value >= 0) continue;
      throw new ConfigurationValidationError(
        `Invalid price ${field} ${String(value)} of ${name}: expected a number of 0 or more, per million tokens.`,
        { configType: 'agent', field: `prices.${name}.${field}` },
      );
    }
  }
}
