import type { BenchTable } from '../bench-result.ts';
import type { Contestant, ToolRun } from './contestant.ts';
import { type Recorded, recordedAnswers } from './recorded.ts';

/** The result of a recorded response. */
type Ending = 'right' | 'other' | 'nothing' | 'left out';

/** The table, and the responses that only a peer reads correctly, and not ours (the first contestant). */
export interface RecordedResults {
  readonly table: BenchTable;
  readonly losses: readonly string[];
}

/** Valid responses among damaged ones, to detect a reader that damages valid calls. */
const soundOnes = 200;

/** Gives recorded responses to every contestant, and checks what ran by the leaderboard's own rules. */
export async function recordedTable(contestants: readonly Contestant[]): Promise<RecordedResults> {
  const all = await recordedAnswers();
  const faulty = all.filter(({ sound }) => !sound);
  const good = all.filter(({ sound }) => sound);
  const step = Math.max(1, Math.floor(good.length / soundOnes));
  const some = good.filter((_, at) => at % step === 0).slice(0, soundOnes);
  const endings: { readonly name: string; readonly bad: readonly Ending[]; readonly fine: readonly Ending[] }[] = [];
  for (const one of contestants)
    endings.push({ name: one.name, bad: await endingsOf(one, faulty), fine: await endingsOf(one, some) });
  const times = (list: readonly Ending[], ending: Ending): number => list.filter((one) => one === ending).length;
  const figures = (list: readonly Ending[]): number[] =>
    (['right', 'other', 'nothing'] as const).map((ending) => times(list, ending));
  const columns = (words: string): string[] =>
    ['accepted', 'something else ran', 'nothing ran'].map((what) => `${words}: ${what}`);
  const ours = endings[0];
  return {
    table: {
      title: `Recorded calls: ${all.length} responses of several models, ${faulty.length} of them not valid as written`,
      head: ['library', ...columns(`${faulty.length} faulty`), ...columns(`${some.length} sound`), 'left out'],
      rows: endings.map(({ name, bad, fine }) => {
        const leftOut = times([...bad, ...fine], 'left out');
        return [name, ...[...figures(bad), ...figures(fine), leftOut].map(String)];
      }),
    },
    losses: endings.flatMap(({ name, bad }) => {
      const better = bad.filter((ending, at) => ending === 'right' && ours?.bad[at] !== 'right').length;
      const what = `Recorded calls: ${better} of the ${faulty.length} faulty responses are accepted`;
      return better === 0 ? [] : [`${what} with ${name} but not with ${ours?.name}`];
    }),
  };
}

async function endingsOf(contestant: Contestant, answers: readonly Recorded[]): Promise<Ending[]> {
  const endings: Ending[] = [];
  for (const { tools, calls, accepts } of answers) {
    const unable = calls.some((call) => {
      const tool = tools.find(({ name }) => name === call.name);
      return tool && contestant.unable?.(tool, {}) !== undefined;
    });
    const ran: ToolRun[] = [];
    if (!unable) for (const call of calls) ran.push(...(await contestant.answer(tools, call)));
    endings.push(unable ? 'left out' : ran.length === 0 ? 'nothing' : accepts(ran) ? 'right' : 'other');
  }
  return endings;
}
