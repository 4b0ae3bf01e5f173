import { messageOf } from '../../execute/tool-result.ts';
import { ToolmendError } from '../../json/toolmend-error.ts';
import { checkArgument } from '../../json/value.ts';
import type { RunState } from '../../log/state.ts';
import type { Usage } from '../../model/index.ts';

/** A run after a step whose calls have results. */
export interface StepsSoFar {
  /** Number of steps of the run. */
  readonly steps: number;
  /** Names of the tools that the last step called. */
  readonly lastCalls: readonly string[];
  readonly usage: Usage;
  /** What the run has cost, if the agent has `prices`. */
  readonly cost: number | undefined;
}

/** Whether to end the run instead of sending the results to the model. */
export type StopCondition = (run: StepsSoFar) => boolean | Promise<boolean>;

/** Stops after this many steps. Unlike the budget `steps`, it isn't a failure. */
export function stepCountIs(count: number): StopCondition {
  checkArgument(Number.isInteger(count) && count > 0, 'count', 'an integer of 1 or more', count);
  return ({ steps }) => steps >= count;
}

/** Stops after a step that called one of these tools. */
export function hasToolCall(...names: readonly string[]): StopCondition {
  checkArgument(names.length > 0 && names.every((name) => typeof name === 'string'), 'names', 'names of tools', names);
  return ({ lastCalls }) => lastCalls.some((name) => names.includes(name));
}

/** Whether one of the conditions is met. */
export async function isMet(conditions: readonly StopCondition[], state: RunState): Promise<boolean> {
  const { turn: steps, usage, cost } = state;
  const lastCalls = [...state.calls.values()].filter(({ turn }) => turn === steps).map(({ name }) => name);
  try {
    for (const condition of conditions) if (await condition({ steps, lastCalls, usage, cost })) return true;
    return false;
  } catch (error) {
    throw new ToolmendError('hook_failed', `stopWhen failed: ${messageOf(error)}`, { cause: error });
  }
}
