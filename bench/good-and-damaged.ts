/** A valid call compared with `JSON.parse` and ajv, and a damaged one compared with jsonrepair, `JSON.parse` and ajv. */
import { mend } from '../src/mend/mend.ts';
import { toolFromMcp } from '../src/tools/tool-from-mcp.ts';
import { Toolbox } from '../src/tools/toolbox.ts';
import type { Subject } from '../test/damage/definition.ts';
import { type Call, largeCalls, repairable, smallCalls } from './calls.ts';
import { measure } from './measure.ts';
import { type Check, compiled, parseAndCheck, repairAndCheck } from './peers.ts';
import type { Result } from './result.ts';

interface Ready extends Call {
  readonly box: Toolbox;
  readonly check: Check;
}

const boxOf = ({ name, description, inputSchema }: Subject): Toolbox =>
  new Toolbox([toolFromMcp({ name, description, inputSchema }, { trusted: true })], { validate: false });

const ready = (call: Call): Ready => ({ ...call, box: boxOf(call.subject), check: compiled(call.subject.inputSchema) });

const mended = (call: Ready, text: string): string =>
  mend({ name: call.subject.name, arguments: text }, call.box).status;

const good = (name: string, calls: readonly Ready[], most: number): Result => {
  for (const call of calls)
    if (mended(call, call.text) !== 'ok') throw new Error(`a good call to ${call.subject.name} was not ok`);
  const { ours = 0, peer = 0 } = measure({
    ours: () => calls.forEach((call) => void mended(call, call.text)),
    peer: () => calls.forEach((call) => void parseAndCheck(call.text, call.check)),
  });
  const each = calls.length;
  return {
    group: 'good call',
    name,
    ours: ours / each,
    peer: peer / each,
    peerName: 'JSON.parse + ajv',
    figure: ours / peer,
    unit: 'x slower',
    bar: { most },
  };
};

const repairs = (call: Ready, text: string): boolean => {
  try {
    repairAndCheck(text, call.check);
    return true;
  } catch {
    return false;
  }
};

const damaged = (size: string, calls: readonly Ready[]): Result[] => {
  const results = Object.entries(repairable).flatMap(([name, damage]): Result[] => {
    const pairs = calls
      .map((call) => ({ call, text: damage(call) }))
      .filter(({ call, text }) => mended(call, text) === 'mended' && repairs(call, text));
    if (pairs.length === 0) return [];
    const { ours = 0, peer = 0 } = measure(
      {
        ours: () => pairs.forEach(({ call, text }) => void mended(call, text)),
        peer: () => pairs.forEach(({ call, text }) => void repairAndCheck(text, call.check)),
      },
      { rounds: 5 },
    );
    const each = pairs.length;
    const note = `${each} of ${calls.length} calls that both mend`;
    return [
      {
        group: 'damaged call',
        name: `${size}, ${name}`,
        ours: ours / each,
        peer: peer / each,
        peerName: 'jsonrepair + JSON.parse + ajv',
        figure: peer / ours,
        unit: 'x faster',
        note,
      },
    ];
  });
  const mean = Math.exp(results.reduce((sum, one) => sum + Math.log(one.figure), 0) / results.length);
  const total = (of: (one: Result) => number): number => results.reduce((sum, one) => sum + of(one), 0);
  const all: Result = {
    group: 'damaged call',
    name: `${size}, all kinds`,
    ours: total((one) => one.ours) / results.length,
    peer: total((one) => one.peer ?? 0) / results.length,
    peerName: 'jsonrepair + JSON.parse + ajv',
    figure: mean,
    unit: 'x faster',
    bar: { least: 3 },
    note: 'geometric mean of the kinds',
  };
  return [...results, all];
};

/** All lines about complete calls. */
export const goodAndDamaged = (): Result[] => {
  const small = smallCalls().map(ready);
  const [middle, large] = [largeCalls(4_000).map(ready), largeCalls(100_000).map(ready)];
  return [
    good('200 B', small, 2),
    good('100 KB', large, 2.5),
    ...damaged('200 B', small),
    ...damaged('4 KB', middle),
    ...damaged('100 KB', large),
  ];
};
