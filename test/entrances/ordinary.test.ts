/** C29 The same ordinary answers through every entrance: none is a call, and each arrives as it was written. */
import { expect, it } from 'vitest';
import { ordinaryAnswers } from '../../bench/accuracy/ordinary/ordinary-answers.ts';
import { toolboxes } from '../../bench/accuracy/ordinary/toolboxes.ts';
import { isLong } from '../sample.ts';
import type { CaseTool } from './case.ts';
import { wordDoors } from './word-doors.ts';

const plain = ordinaryAnswers.filter(({ context }) => context.length === 0);
const count = isLong ? 40 : 20;
const step = Math.floor(plain.length / count);
const some = plain.filter((_, at) => at % step === 0).slice(0, count);

it.each(wordDoors.map((door) => [door.name, door] as const))('through the %s', async (_, door) => {
  expect(some).toHaveLength(count);
  for (const { toolbox, text: answer } of some) {
    const tools = toolboxes[toolbox] as readonly CaseTool[];
    expect(await door.ask({ tools, user: 'Go on.', answer }), answer).toEqual({ calls: [], text: answer });
  }
});
