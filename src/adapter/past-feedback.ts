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
  /** As the model wrote them: text, or a value where the framework kept no text. */
  readonly arguments: unknown;
  /** Calls of one answer share their turn: three bad calls of one tool in one turn are one failure. */
  readonly turn: number;
  /** How its answer ended, where the framework kept that. */
  readonly finish?: WrittenFinishReason;
  /** What was found wrong where it was read from text, which its arguments do not show. */
  readonly found?: readonly Problem[];
}

/**
 * What the model is to read of the calls of a history that could not be mended, by their ids. Found anew from the history,
 * so that nothing has to be remembered between two questions; it grows with each failed turn, as in the loop.
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
