import type { BenchTable } from '../bench-result.ts';
import type { Judged } from './judged.ts';
import type { Case } from './sample.ts';

const shown = 110;
/** A table cell can't contain a line break, nor a code span a backtick. */
const printable = ({ call: { arguments: text } }: Case): boolean => text.length <= shown && !/[`|\n\r]/.test(text);
const code = (value: unknown): string => `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;
const namesOf = (some: readonly Judged[]): string => some.map(({ contestant }) => contestant.name).join(', ') || '–';

/**
 * Ten cases by a fixed rule, so that nobody picks them, of those short enough to print: in seven families the one on which
 * most contestants ran something wrong, and the first three kinds that one recovered and ours refused.
 */
export function examplesTable(all: readonly Judged[], ours: Judged, cases: readonly Case[]): BenchTable {
  const verdict = (judged: Judged, index: number) => judged.results[index]?.verdict;
  const wrong = (index: number) => all.filter((one) => ['wrong', 'lucky'].includes(verdict(one, index) ?? ''));
  const recovered = (index: number) => all.filter((one) => verdict(one, index) === 'recovered');
  const indices = cases.flatMap((one, index) => (printable(one) ? [index] : []));
  const firstOf = (some: readonly number[], what: 'family' | 'kind'): number[] =>
    some.filter((index, at) => some.findIndex((other) => cases[other]?.[what] === cases[index]?.[what]) === at);
  const byWrong = indices
    .filter((index) => wrong(index).length > 0)
    .sort((one, other) => wrong(other).length - wrong(one).length);
  const worst = firstOf(byWrong, 'family').slice(0, 7);
  const lost = indices.filter((index) => verdict(ours, index) === 'refused' && recovered(index).length > 0);
  const rows = [...worst, ...firstOf(lost, 'kind').slice(0, 3)].map((index) => {
    const { kind, tool, call, meant } = cases[index] as Case;
    const others = new Map<string, Judged[]>();
    for (const one of wrong(index)) {
      const ran = code(one.results[index]?.ran[0]?.input);
      others.set(ran, [...(others.get(ran) ?? []), one]);
    }
    return [
      kind,
      `${tool.name} ${code(call.arguments)}`,
      meant.readings === 'none' ? 'unclear' : code(meant.input),
      namesOf(recovered(index)),
      [...others].map(([ran, some]) => `${ran} by ${namesOf(some)}`).join('; ') || '–',
    ];
  });
  return { head: ['damage', 'written', 'intended', 'recovered by', 'wrong, or correct by chance'], rows };
}
