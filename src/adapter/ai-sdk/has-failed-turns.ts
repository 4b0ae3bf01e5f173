import type { StopCondition } from 'ai';
import { defaultBudgets } from '../../run/budgets.ts';

/**
 * For the SDK's `stopWhen`: ends a loop in which so many turns in a row called, and no call of them could run.
 *
 * @example
 * await generateText({ model, tools, prompt, stopWhen: [isStepCount(50), hasFailedTurns()] });
 */
// The SDK's own conditions fit tools of any types, and can say so only like this.
// biome-ignore lint/suspicious/noExplicitAny: as above
export function hasFailedTurns(turns: number = defaultBudgets.failedTurns): StopCondition<any, any> {
  return ({ steps }) =>
    steps.length >= turns &&
    steps
      .slice(-turns)
      .every(({ toolCalls }) => toolCalls.length > 0 && toolCalls.every((call) => 'invalid' in call && call.invalid));
}
