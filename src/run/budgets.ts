import { ConfigurationValidationError } from '../tool/configuration-validation-error.ts';

/** How much a loop may use before it is ended; counted anew from each message that was sent to an idle run. */
export interface Budgets {
  /** Turns of the model. */
  readonly steps: number;
  /** Turns on one tool, or in a row, without a valid call. The last of them is asked for that tool alone. */
  readonly failedTurns: number;
  /** The same call with the same result. */
  readonly identicalCalls: number;
  /** Answers with nothing in them, in a row. */
  readonly emptyTurns: number;
  /** Times one turn is asked again after it broke off. */
  readonly brokenTurns: number;
  /** Tokens read and written. */
  readonly tokens: number;
  /** Milliseconds, less those a person took to decide. What is under way when they are over is stopped. */
  readonly time: number;
  /** Tools that run at once, one at least. */
  readonly parallel: number;
}

export const defaultBudgets: Budgets = {
  steps: 50,
  failedTurns: 4,
  identicalCalls: 5,
  emptyTurns: 3,
  brokenTurns: 2,
  tokens: Number.POSITIVE_INFINITY,
  time: Number.POSITIVE_INFINITY,
  parallel: 3,
};

/** The budgets with their defaults. One that is no number would never be used up, so that it is refused. */
export function settleBudgets(given: Partial<Budgets> = {}): Budgets {
  const settled: Record<string, number> = { ...defaultBudgets };
  for (const [field, value] of Object.entries(given)) {
    if (value === undefined) continue;
    if (typeof value !== 'number' || !(value >= 0)) {
      throw new ConfigurationValidationError(
        `The budget ${field} is ${String(value)}. Give it a number that is not negative.`,
        { configType: 'agent', field: `budgets.${field}` },
      );
    }
    settled[field] = value;
  }
  return settled as unknown as Budgets;
}
