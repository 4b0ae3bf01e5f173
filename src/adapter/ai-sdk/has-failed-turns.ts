import type { StopCondition } from 'ai';
import { checkArgument } from '../../json/value.ts';
import { defaultBudgets } from '../../run/budgets.ts';

/**
 * For the SDK's `stopWhen`: ends a loop after several turns in a row in which no call could run.
 *
 * @example
 * await generateText({ model, tools, prompt, stopWhen: [isStepCount(50), hasFailedTurns()] });
 */
// The only way to type a condition for tools of any type, as the SDK's own conditions do.
// biome-ignore lint/suspicious/noExplicitAny: as above
export function hasFailedTurns(turns: number = defaultBudgets.failedTurns): StopCondition<any, any> {
  checkArgument(Number.isInteger(turns), 'turns', 'an integer', turns);
  return ({ steps }) =>
    steps.length >= turns &&
    steps
      .slice(-turns)
      .every(({ toolCalls }) => toolCalls.length > 0 && toolCalls.every((call) => 'invalid' in call && call.invalid));
}
