import type { Policy } from '../../tool/policy.ts';
import type { Toolbox } from '../../tool/toolbox.ts';
import type { FinishReason } from '../../turn/turn.ts';
import { type PastCall, tellPast } from '../tell-past.ts';
import type { BadCall } from './mend-output.ts';
import type { CorrectedCall } from './told-call.ts';

/** What the model is to be told of the bad calls of its answers, one answer after the other: more each time. */
export function tellBad(
  past: readonly PastCall[],
  toolbox: Toolbox,
  policy?: Policy,
): (bad: readonly BadCall[], finish: FinishReason | undefined) => CorrectedCall[] {
  let calls = past;
  let turn = past.at(-1)?.turn ?? 0;
  return (bad, finish) => {
    turn += 1;
    calls = [...calls, ...bad.map((one, at) => asPast(one, turn, at === bad.length - 1 ? finish : undefined))];
    const texts = tellPast(calls, toolbox, policy);
    return bad.map(({ item }) => ({ item, text: texts.get(item.callId) ?? '' }));
  };
}

const asPast = ({ item, part }: BadCall, turn: number, finish: FinishReason | undefined): PastCall => ({
  ...{ id: item.callId, name: part.name, arguments: part.arguments, turn },
  ...(part.found && { found: part.found }),
  ...(finish && { finish }),
});
