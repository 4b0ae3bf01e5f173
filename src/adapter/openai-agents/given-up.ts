import type { CorrectedCall } from './told-call.ts';

/** What is said at the end of a turn in which no call could be made. */
export function gaveUpMessage(answers: number, told: readonly CorrectedCall[]): string {
  const names = [...new Set(told.map(({ item }) => `'${item.name}'`))].join(', ');
  const what = names === '' ? 'a call without a name' : `a call of ${names} that can't be run`;
  const times = answers === 1 ? 'the answer held' : `${answers} answers in a row held`;
  return [`Nothing was run: ${times} ${what}.`, ...told.map(({ text }) => text)].join('\n\n');
}
