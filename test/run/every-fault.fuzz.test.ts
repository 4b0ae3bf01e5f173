/**
 * A model that makes every fault of the damage table, in turn and mixed, is brought to success or to a named end.
 * `TOOLMEND_TRIES` (trials of each kind) and `TOOLMEND_SEED` widen or repeat it.
 */
import { afterEach, describe, expect, it } from 'vitest';
import { runEnds } from '../../src/log/events.ts';
import type { Model, ModelRequest, ResultPart } from '../../src/model/index.ts';
import { scripted } from '../../src/provider/scripted/scripted.ts';
import { hasErrorText } from '../../src/provider/wire/errors.ts';
import { damages } from '../damage/damages.ts';
import type { Kind } from '../damage/kind.ts';
import { type Random, randomFrom } from '../damage/random.ts';
import { subjects } from '../damage/schemas.ts';
import { allTrials } from '../damage/tally.ts';
import { type Trial, trialOf } from '../damage/trial.ts';
import { valid } from '../damage/valid.ts';
import { clientFor, closeServers, serving } from '../provider/clients.ts';
import { isLong } from '../sample.ts';
import { damagedCall, faultsOf, finishOf, goodCall, type Received, trialRun } from './trial-agent.ts';

const tries = Number(process.env.TOOLMEND_TRIES ?? (isLong ? 12 : 1));
const seed = Number(process.env.TOOLMEND_SEED ?? 1);
const long = { timeout: 120_000 + tries * 10_000 };

afterEach(closeServers);

const lastResults = ({ messages }: ModelRequest): ResultPart[] =>
  (messages.at(-1)?.parts ?? []).filter((part): part is ResultPart => part.type === 'result');
/** Some wires have no mark for an error, and its text says it. */
const isFailed = ({ isError, content }: ResultPart): boolean =>
  isError === true || content.some((part) => part.type === 'text' && hasErrorText(part.text));
const failed = (results: readonly ResultPart[]): boolean => results.some(isFailed);

/** Trials of a kind over tools far apart; all there are where more are asked for than that. */
function someTrials(kind: Kind, most: number): Trial[] {
  const all = allTrials(kind, Math.ceil(most / 20), seed);
  const step = Math.max(1, Math.floor(all.length / most));
  return all.filter((_, at) => at % step === seed % step).slice(0, most);
}

/** Says the damaged call first, and the good one when it is told of an error. */
const corrects = (trial: Trial): Parameters<typeof scripted>[0] => {
  return (question, turn) => {
    if (turn === 0) return { calls: [damagedCall(trial, 'bad')], ...finishOf(trial) };
    const results = lastResults(question);
    if (results.length > 0 && !failed(results)) return 'Done.';
    return valid(trial.expected, trial.tool.inputSchema) ? { calls: [goodCall(trial, `good${turn}`)] } : 'I give up.';
  };
};

const intendedOf = (trial: Trial) => {
  const meant = { name: trial.tool.name, input: trial.expected };
  return new Map(['bad', 'good1', 'good2', 'good3'].map((id) => [id, meant]));
};

function judgeCorrected(trial: Trial, received: readonly Received[], firstRan: boolean): string[] {
  const faults: string[] = [];
  if (trial.want === 'refuse' && firstRan) faults.push('it ran, and had to be refused');
  if (valid(trial.expected, trial.tool.inputSchema) && received.length !== 1) faults.push(`${received.length} runs`);
  return faults;
}

async function corrected(trial: Trial, model: Model): Promise<string[]> {
  const { run, received } = trialRun(trial.tools, model);
  const { end } = await run.result;
  const firstRan = received.some(({ callId }) => callId === 'bad');
  const faults = [...faultsOf(run, received, intendedOf(trial)), ...judgeCorrected(trial, received, firstRan)];
  if (end !== 'done') faults.push(`it ended as ${end}`);
  return faults.map((fault) => `${trial.kind.name}, ${trial.tool.name}, seed ${trial.seed}: ${fault}`);
}

describe('one after the other', () => {
  it(
    `recovers from each of ${damages.length} kinds: the damaged call, the feedback, the valid call, success`,
    long,
    async () => {
      const faults: string[] = [];
      let runs = 0;
      for (const kind of damages) {
        for (const trial of someTrials(kind, tries)) {
          runs += 1;
          faults.push(...(await corrected(trial, scripted(corrects(trial)))));
        }
      }
      expect(faults.slice(0, 10)).toEqual([]);
      expect(runs).toBeGreaterThan((damages.length * tries) / 2);
    },
  );

  it('does the same over an API format with arguments as text', async () => {
    const faults: string[] = [];
    for (const kind of damages) {
      const [trial] = someTrials(kind, 1).filter(({ call }) => typeof call.arguments === 'string' && call.name !== '');
      if (!trial) continue;
      const model = clientFor('openai-chat', await serving(corrects(trial)));
      faults.push(...(await corrected(trial, model)));
      await closeServers();
    }
    expect(faults.slice(0, 10)).toEqual([]);
  });

  it('ends with a named reason if the model never corrects its call, and runs nothing wrong', async () => {
    const faults: string[] = [];
    const ends = new Map<string, number>();
    for (const kind of damages) {
      const [trial] = someTrials(kind, 1);
      if (!trial) continue;
      let turns = 0;
      const model = scripted((question) => {
        const results = lastResults(question);
        if (results.length > 0 && !failed(results)) return 'Done.';
        turns += 1;
        return { calls: [damagedCall(trial, `bad${turns}`)], ...finishOf(trial) };
      });
      const { run, received } = trialRun(trial.tools, model);
      const { end } = await run.result;
      const meant = { name: trial.tool.name, input: trial.expected };
      const intended = new Map(Array.from({ length: 10 }, (_, at) => [`bad${at}`, meant]));
      faults.push(...faultsOf(run, received, intended).map((fault) => `${kind.name}: ${fault}`));
      if (end !== 'done' && turns < 3) faults.push(`${kind.name}: ended as ${end} after ${turns} turns`);
      ends.set(end, (ends.get(end) ?? 0) + 1);
    }
    expect(faults.slice(0, 10)).toEqual([]);
    expect([...ends.keys()].sort()).toEqual(['done', 'empty', 'invalid_calls']);
  });
});

describe('`{}` to a tool with required fields', () => {
  const required = subjects.filter(({ inputSchema }) => !valid({}, inputSchema));

  it('S4.6 is detected, reported and retried at least twice before the run ends', async () => {
    expect(required.length).toBeGreaterThan(20);
    for (const subject of required) {
      let asked = 0;
      const model = scripted(() => {
        asked += 1;
        return { calls: [{ name: subject.name, arguments: '{}' }] };
      });
      const { run, received } = trialRun([subject], model);
      expect((await run.result).end).toBe('invalid_calls');
      expect(asked, subject.name).toBeGreaterThanOrEqual(3);
      expect(received).toEqual([]);
    }
  });

  it('S4.6 succeeds if the third attempt is valid', async () => {
    for (const subject of required) {
      const input = subject.make(randomFrom(seed));
      const model = scripted((_, turn) => {
        if (turn > 2) return 'Done.';
        return { calls: [{ name: subject.name, arguments: turn < 2 ? '{}' : JSON.stringify(input) }] };
      });
      const { run, received } = trialRun([subject], model);
      expect((await run.result).end, subject.name).toBe('done');
      expect(received.map((one) => one.input)).toEqual([input]);
    }
  });
});

describe('mixed', () => {
  const shared = damages.filter((kind) => kind.subjects === undefined);

  it('handles all kinds of faults together: one result for each call, and nothing wrong runs', long, async () => {
    const faults: string[] = [];
    let done = 0;
    const rounds = Math.max(2, tries) * 25;
    const random = randomFrom(seed);
    for (let round = 0; round < rounds; round += 1) {
      const { model, tools, intended } = mixture(random, round);
      const { run, received } = trialRun(tools, model);
      const { end } = await run.result;
      faults.push(...faultsOf(run, received, intended).map((fault) => `round ${round}: ${fault}`));
      if (end === 'done') done += 1;
      if (!(end in runEnds) || end === 'storage' || end === 'model') faults.push(`round ${round}: ended as ${end}`);
    }
    expect(faults.slice(0, 10)).toEqual([]);
    expect(done).toBeGreaterThan(rounds * 0.8);
  });

  /** A model that says up to four damaged calls in each of a few turns, and says those again well that were refused. */
  function mixture(random: Random, round: number) {
    const trials: Trial[] = [];
    const byName = new Map<string, Trial['tool']>();
    for (let drawn = 0; drawn < 40 && trials.length < 12; drawn += 1) {
      const trial = trialOf(random.pick(shared), random.pick(subjects), subjects, seed + round);
      if (!trial) continue;
      // One toolbox serves all: a tool can't be destructive in one call and harmless in another.
      const effect = JSON.stringify(byName.get(trial.tool.name)?.annotations);
      if (byName.has(trial.tool.name) && effect !== JSON.stringify(trial.tool.annotations)) continue;
      byName.set(trial.tool.name, trial.tool);
      trials.push(trial);
    }
    const intended = new Map<string, { name: string; input: unknown }>();
    const waiting = [...trials];
    const open = new Map<string, Trial>();
    const model = scripted((question, turn) => {
      const again = lastResults(question).flatMap(({ callId, isError }) => {
        const trial = isError ? open.get(callId) : undefined;
        return trial && valid(trial.expected, trial.tool.inputSchema) ? [{ trial, good: true }] : [];
      });
      const fresh = waiting.splice(0, random.between(1, 4)).map((trial) => ({ trial, good: false }));
      // Only the last call of a message can have been cut off by its length.
      const last = fresh.findIndex(({ trial }) => trial.call.finishReason === 'length');
      const said = [...again, ...(last < 0 ? fresh : fresh.slice(0, last + 1))];
      if (last >= 0) waiting.unshift(...fresh.slice(last + 1).map(({ trial }) => trial));
      if (said.length === 0) return 'Done.';
      const calls = said.map(({ trial, good }, at) => {
        const id = `c${turn}_${at}`;
        intended.set(id, { name: trial.tool.name, input: trial.expected });
        if (!good) open.set(id, trial);
        return good ? goodCall(trial, id) : damagedCall(trial, id);
      });
      return { calls, ...(last >= 0 && { finish: 'length' as const }) };
    });
    const tools = subjects.map((subject) => byName.get(subject.name) ?? subject);
    return { model, tools, intended };
  }
});
