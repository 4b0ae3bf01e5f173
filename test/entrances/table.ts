import type { Case, CaseClass } from './case.ts';
import type { Cell } from './cell.ts';
import type { Aspect, Entrance } from './entrance.ts';

/** Knows each cell of the table. */
export type CellOf = (entrance: Entrance, one: Case) => Cell;

/** The table as Markdown: what each entrance shows, every case at every entrance, and the reasons by their numbers. */
export function tableOf(classes: readonly CaseClass[], entrances: readonly Entrance[], cellOf: CellOf): string {
  const reasons = new Map<string, number>();
  const number = (why: string): number => {
    const known = reasons.get(why) ?? reasons.size + 1;
    reasons.set(why, known);
    return known;
  };
  const columns = [...new Set(entrances.map(({ column }) => column))];
  const cell = (column: string, one: Case): string =>
    joined(
      entrances.filter((entrance) => entrance.column === column).map((entrance) => cellOf(entrance, one)),
      number,
    );
  const shown = summary(classes, entrances, cellOf, number);
  const rows = classes.flatMap(({ name, cases }) => [
    `| **${name}** |${' |'.repeat(columns.length)}`,
    ...cases.map((one) => `| ${titleOf(one)} | ${columns.map((column) => cell(column, one)).join(' | ')} |`),
  ]);
  return [
    ...shown,
    '',
    `| case | ${columns.join(' | ')} |`,
    `| --- |${' :-: |'.repeat(columns.length)}`,
    ...rows,
    '',
    ...[...reasons].map(([why, at]) => `${at}. ${why.charAt(0).toUpperCase()}${why.slice(1)}.`),
  ].join('\n');
}

const titleOf = ({ name, rows = [] }: Case): string =>
  [name, ...(rows.length > 0 ? [`(${rows.join(', ')})`] : [])].join(' ');

/** A column may stand for two entrances, one of which can't do it. */
function joined(cells: readonly Cell[], number: (why: string) => number): string {
  if (cells.some(({ type }) => type === 'wrong')) return '✗';
  const same = cells.some(({ type }) => type === 'same') ? ['✓'] : [];
  const whys = cells.flatMap((cell) =>
    'why' in cell ? [`${cell.type === 'differs' ? '≠ ' : ''}${number(cell.why)}`] : [],
  );
  return [...same, ...new Set(whys)].join(' ');
}

const aspects: Readonly<Record<Aspect, string>> = {
  verdict: 'outcome',
  repairs: 'repairs',
  call: 'call',
  run: "tool's input",
  feedback: 'feedback',
  result: 'result',
};

function summary(
  classes: readonly CaseClass[],
  entrances: readonly Entrance[],
  cellOf: CellOf,
  number: (why: string) => number,
): string[] {
  const names = Object.keys(aspects) as Aspect[];
  const lines = entrances.map((entrance) => {
    const cells = classes.flatMap(({ cases }) => cases.map((one) => cellOf(entrance, one).type));
    const tried = cells.filter((type) => type !== 'cannot').length;
    const same = cells.filter((type) => type === 'same').length;
    const shown = names.map((aspect) => (entrance.hides[aspect] === undefined ? '✓' : number(entrance.hides[aspect])));
    return `| ${entrance.name} | ${tried} | ${same} | ${shown.join(' | ')} |`;
  });
  const heads = names.map((aspect) => aspects[aspect]).join(' | ');
  return [
    `| entry point | cases | same result | ${heads} |`,
    `| --- | ---: | ---: |${' :-: |'.repeat(names.length)}`,
    ...lines,
  ];
}
