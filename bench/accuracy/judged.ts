import type { Contestant, ToolRun } from './contestant.ts';
import type { Case } from './sample.ts';
import { type Verdict, verdictOf } from './verdict.ts';

/** The result of one case, or undefined if it was skipped. */
export type Judgement = { readonly verdict: Verdict; readonly ran: readonly ToolRun[] } | undefined;

/** A contestant and the results of all cases, in order. */
export interface Judged {
  readonly contestant: Contestant;
  readonly results: readonly Judgement[];
  /** The number of skipped cases by reason. */
  readonly leftOut: Readonly<Record<string, number>>;
}

/** Gives every case to one contestant. */
export async function judged(contestant: Contestant, cases: readonly Case[]): Promise<Judged> {
  const results: Judgement[] = [];
  const leftOut: Record<string, number> = {};
  for (const { tools, tool, call, meant } of cases) {
    const reason = contestant.unable?.(tool, meant.input);
    if (reason !== undefined) {
      leftOut[reason] = (leftOut[reason] ?? 0) + 1;
      results.push(undefined);
      continue;
    }
    const ran = await contestant.answer(tools, call);
    results.push({ ran, verdict: verdictOf(ran, meant, contestant.nullIsAbsent) });
  }
  return { contestant, results, leftOut };
}
