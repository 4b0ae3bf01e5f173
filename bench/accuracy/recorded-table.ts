import type { BenchTable } from '../bench-result.ts';
import type { Contestant, ToolRun } from './contestant.ts';
import { type Recorded, recordedAnswers } from './recorded.ts';

interface Row {
  right: number;
  other: number;
  nothing: number;
  leftOut: number;
}

/** Sound answers among those that are not, so that a reader who harms good calls shows. */
const soundOnes = 200;

/** Puts recorded answers to every contestant and has the leaderboard's own rules judge what ran. */
export async function recordedTable(contestants: readonly Contestant[]): Promise<BenchTable> {
  const all = await recordedAnswers();
  const faulty = all.filter(({ sound }) => !sound);
  const good = all.filter(({ sound }) => sound);
  const step = Math.max(1, Math.floor(good.length / soundOnes));
  const some = good.filter((_, at) => at % step === 0).slice(0, soundOnes);
  const rows: string[][] = [];
  for (const contestant of contestants) {
    const [bad, fine] = [await rowOf(contestant, faulty), await rowOf(contestant, some)];
    const figures = [bad, fine].flatMap(({ right, other, nothing }) => [right, other, nothing]);
    rows.push([contestant.name, ...[...figures, bad.leftOut + fine.leftOut].map(String)]);
  }
  const columns = (words: string): string[] =>
    ['accepted', 'something else ran', 'nothing ran'].map((what) => `${words}: ${what}`);
  return {
    title: `Recorded calls: ${all.length} answers of several models, ${faulty.length} of them not valid as written`,
    head: ['contestant', ...columns(`${faulty.length} faulty`), ...columns(`${some.length} sound`), 'left out'],
    rows,
  };
}

async function rowOf(contestant: Contestant, answers: readonly Recorded[]): Promise<Row> {
  const row: Row = { right: 0, other: 0, nothing: 0, leftOut: 0 };
  for (const { tools, calls, accepts } of answers) {
    const unable = calls.some((call) => {
      const tool = tools.find(({ name }) => name === call.name);
      return tool && contestant.unable?.(tool, {}) !== undefined;
    });
    if (unable) {
      row.leftOut += 1;
      continue;
    }
    const ran: ToolRun[] = [];
    for (const call of calls) ran.push(...(await contestant.answer(tools, call)));
    row[ran.length === 0 ? 'nothing' : accepts(ran) ? 'right' : 'other'] += 1;
  }
  return row;
}
