/** Faults of markers in every dialect: how many calls are recovered, refused or left as text. */
import { faultCases, faultToolbox, markerFaults, type Verdict, verdictOf } from '../test/dialects/marker-faults.ts';

/** The number of texts per verdict. */
export type FaultCounts = Readonly<Record<Verdict, number>>;

/** Reads every faulty text, with the dialect detected and named. */
export function faultCounts(): readonly { readonly name: string; readonly counts: FaultCounts }[] {
  const toolbox = faultToolbox();
  return markerFaults.map(({ name }) => {
    const counts = { recovered: 0, refused: 0, text: 0, wrong: 0 };
    for (const one of faultCases.filter(({ fault }) => fault.name === name))
      for (const dialect of ['auto', one.written.row.name]) counts[verdictOf(one, toolbox, dialect)] += 1;
    return { name, counts };
  });
}

/** All counts together. */
export const totalOf = (all: readonly { readonly counts: FaultCounts }[]): FaultCounts =>
  all.reduce(
    (sum, { counts }) => ({
      recovered: sum.recovered + counts.recovered,
      refused: sum.refused + counts.refused,
      text: sum.text + counts.text,
      wrong: sum.wrong + counts.wrong,
    }),
    { recovered: 0, refused: 0, text: 0, wrong: 0 },
  );

/** The shares of a fault as cells of a table. */
export function sharesOf({ recovered, refused, text, wrong }: FaultCounts): readonly string[] {
  const count = recovered + refused + text + wrong;
  return [recovered, refused, text, wrong].map((part) => `${((100 * part) / count).toFixed(0)} %`);
}
