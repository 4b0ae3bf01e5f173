import type { Problem } from '../json/problem.ts';
import { argumentKeys } from './call-keys.ts';
import type { Member } from './json-body.ts';

const empty = /^(?:\{\s*\}|null|""|)$/;

/**
 * What an object that is a call says twice, or beside its arguments: of two names or two sets of arguments none is
 * surely meant, and a parameter outside the arguments would be lost.
 */
export function callFaults(text: string, members: readonly Member[], beside: readonly string[]): Problem[] {
  const written = ({ start, end }: Member): string => text.slice(start, end).trim();
  const differ = (some: readonly Member[]): boolean => new Set(some.map(written)).size > 1;
  const faults: Problem[] = [];
  const keys = [...new Set(members.map(({ key }) => key))];
  for (const key of keys.filter((one) => differ(members.filter((member) => member.key === one)))) {
    faults.push(fault('duplicate_key', key, 'is given twice with different values'));
  }
  const given = members.filter((one) => isArguments(one.key) && !empty.test(written(one)));
  const [first, second] = given.filter(({ key }, at) => given.findIndex((one) => one.key === key) === at);
  if (first && second && differ([first, second])) {
    faults.push(fault('ambiguous', second.key, `holds other arguments than '${first.key}'`));
  }
  return [...faults, ...beside.map((key) => fault('ambiguous', key, 'stands outside the arguments'))];
}

const isArguments = (key: string): boolean => (argumentKeys as readonly string[]).includes(key);

const fault = (code: 'duplicate_key' | 'ambiguous', key: string, words: string): Problem => ({
  path: [key],
  code,
  message: `Field '${key}' ${words}`,
});
