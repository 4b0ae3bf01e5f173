import type { Problem } from '../json/problem.ts';
import { feedback } from '../mend/feedback/feedback.ts';
import { type MessageBefore, mendRepeated } from '../mend/mend-call.ts';
import type { WrittenFinishReason } from '../model/index.ts';
import type { Policy } from '../tools/tool.ts';
import type { Toolbox } from '../tools/toolbox.ts';

/** A call of the history. */
export interface PastCall {
  readonly id: string;
  readonly name: string;
  /** As written by the model: text, or a value if the framework kept no text. */
  readonly arguments: unknown;
  /** Number of its turn: three invalid calls of one tool in one turn are one failure. */
  readonly turn: number;
  /** Finish reason of its response, if the framework kept it. */
  readonly finish?: WrittenFinishReason;
  /** Problems found when it was read from text, which its arguments don't show. */
  readonly found?: readonly Problem[];
}

/**
 * Feedback for the invalid calls of a history, by id. Derived from the history alone, so that nothing must be
 * remembered between requests. It becomes more detailed with each failed turn, as in the agent loop.
 */
export function pastFeedback(
  calls: readonly PastCall[],
  toolbox: Toolbox,
  policy?: Policy,
): ReadonlyMap<string, string> {
  const told = new Map<string, string>();
  const failed = new Map<string, number>();
  const before: MessageBefore[] = [];
  for (const turn of turnsOf(calls)) {
    const outcomes = turn.map(({ id, name, arguments: given, finish, found }) =>
      mendRepeated({ id, name, arguments: given, finishReason: finish, found }, toolbox, policy, before),
    );
    const good = new Set<string>();
    const bad = new Set<string>();
    for (const outcome of outcomes) {
      const tool = outcome.tool?.name ?? '';
      if (outcome.status !== 'invalid') {
        good.add(tool);
        continue;
      }
      bad.add(tool);
      const tries = (failed.get(tool) ?? 0) + 1;
      if (outcome.raw.id !== undefined) told.set(outcome.raw.id, feedback(outcome, { attempt: tries, toolbox }).text);
    }
    before.push({ role: 'assistant', content: '', calls: turn });
    for (const { id } of turn) before.push({ role: 'tool', content: told.get(id) ?? '' });
    for (const tool of good) failed.delete(tool);
    for (const tool of bad) if (!good.has(tool)) failed.set(tool, (failed.get(tool) ?? 0) + 1);
  }
  return told;
}

/** The calls of each turn, in order. */
function turnsOf(calls: readonly PastCall[]): PastCall[][] {
  const turns = new Map<number, PastCall[]>();
  for (const call of calls) turns.set(call.turn, [...(turns.get(call.turn) ?? []), call]);
  return [...turns.values()];
}
