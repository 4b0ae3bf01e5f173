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
  /** Milliseconds. */
  readonly time: number;
  /** Tools that run at once. */
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
