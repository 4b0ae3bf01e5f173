import { expect, it } from 'vitest';
import { until } from '../../../test/until.ts';
import type { TakenRun } from './queue.ts';
import { sendHeartbeats } from './worker.ts';

it('F20 sends one heartbeat for all runs of a worker, without those that ended or that another worker took over', async () => {
  const [mine, lost, over] = ['mine', 'lost', 'over'].map((run) => ({ job: run, claim: 0, run })) as [
    ...[TakenRun, TakenRun, TakenRun],
  ];
  const told: string[][] = [];
  const touch = async (taken: readonly TakenRun[]): Promise<readonly TakenRun[]> => {
    told.push(taken.map(({ run }) => run));
    // What does not arrive changes nothing.
    if (told.length === 1) throw new Error('The database does not answer');
    return taken.filter((one) => one !== lost);
  };
  const alive = sendHeartbeats({ touch }, 1);
  for (const one of [mine, lost, over]) alive.add(one);
  await until(() => told.length > 1);
  alive.drop(over);
  const before = told.length;
  await until(() => told.length > before + 1);
  alive.end();
  expect(told.slice(0, 2)).toEqual([
    ['mine', 'lost', 'over'],
    ['mine', 'lost', 'over'],
  ]);
  expect(told.at(-1)).toEqual(['mine']);
});
