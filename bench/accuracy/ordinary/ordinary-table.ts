import { type Definition, effectOf } from '../../../test/damage/definition.ts';
import type { BenchBar, BenchTable } from '../../bench-result.ts';
import type { Peers } from '../../install-peers.ts';
import { ordinaryAnswers } from './ordinary-answers.ts';
import { textReaders } from './text-readers.ts';
import { toolboxes } from './toolboxes.ts';

/** What each reader ran from responses that make no call. */
export interface OrdinaryResults {
  readonly table: BenchTable;
  readonly bar: BenchBar;
  readonly missing: readonly string[];
  readonly packages: readonly string[];
}

/** Gives every ordinary response to every reader of calls in text. */
export async function ordinaryTable(peers: Peers): Promise<OrdinaryResults> {
  const { readers, missing } = await textReaders(peers);
  const kinds = [...new Set(ordinaryAnswers.map(({ kind }) => kind))];
  const rows: string[][] = [];
  let ours = 0;
  for (const [index, reader] of readers.entries()) {
    const ran: { readonly kind: string; readonly destroys: boolean }[] = [];
    for (const answer of ordinaryAnswers) {
      const runs = await reader.runs(answer);
      const tools: readonly Definition[] = toolboxes[answer.toolbox];
      const destroys = runs.some(({ name }) =>
        tools.some((tool) => tool.name === name && effectOf(tool) === 'destructive'),
      );
      if (runs.length > 0) ran.push({ kind: answer.kind, destroys });
    }
    if (index === 0) ours = ran.length;
    rows.push([
      reader.name,
      String(ran.length),
      String(ran.filter(({ destroys }) => destroys).length),
      ...kinds.map((kind) => String(ran.filter((one) => one.kind === kind).length)),
      reader.how,
    ]);
  }
  return {
    table: {
      title: `Responses without a call that ran a tool, of ${ordinaryAnswers.length}`,
      head: ['reader', 'ran a tool', 'a destructive one', ...kinds, 'used as'],
      rows,
    },
    bar: { what: 'responses without a call that run a tool', figure: String(ours), bar: '0', met: ours === 0 },
    missing,
    packages: readers.flatMap((one) => one.packages),
  };
}
