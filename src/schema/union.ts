import { typeName } from '../json/value.ts';
import type { Fault } from './describe.ts';
import { sameValue } from './same-value.ts';

const isChoice = (fault: Fault): fault is Extract<Fault, { code: 'enum' | 'const' }> =>
  fault.code === 'enum' || fault.code === 'const';
const isRoot = (fault: Fault): boolean => fault.path.length === 0;
const tagOf = (fault: Fault): string | number | undefined =>
  fault.path.length === 1 && isChoice(fault) ? fault.path[0] : undefined;

/** One choice between everything that several choices allow. */
const merged = (choices: readonly Fault[]): Fault | undefined => {
  const [first] = choices;
  if (first === undefined) return undefined;
  const allowed = choices.flatMap((fault) => (isChoice(fault) ? fault.want : []));
  return { path: first.path, code: 'enum', want: [...new Set(allowed)], received: first.received };
};

/** The branch that a tag picks: a key whose fixed value all branches but one reject, or that all reject. */
const byTag = (branches: readonly (readonly Fault[])[]): readonly Fault[] | undefined => {
  const tags = new Set(branches.flat().flatMap((fault) => tagOf(fault) ?? []));
  for (const tag of tags) {
    const open = branches.filter((faults) => !faults.some((fault) => tagOf(fault) === tag));
    if (open.length === 1) return open[0];
    if (open.length > 0) continue;
    const one = merged(branches.flatMap((faults) => faults.find((fault) => tagOf(fault) === tag) ?? []));
    return one === undefined ? undefined : [one];
  }
  return undefined;
};

const place = (fault: Fault): string => JSON.stringify([fault.code, fault.path]);
/** Faults of one kind at one place are one where they want the same, or where what they want can be joined. */
const joined = (same: readonly Fault[]): Fault | undefined => {
  const [first] = same;
  if (first === undefined || first.code === 'required' || first.code === 'union') return first;
  if (first.code === 'type') {
    const want = [...new Set(same.flatMap((fault) => (fault.code === 'type' ? fault.want : [])))];
    return { ...first, want };
  }
  return same.every((fault) => sameValue(fault.want, first.want)) ? first : undefined;
};

/** What is wrong whichever branch was meant. */
const sharedByAll = (branches: readonly (readonly Fault[])[]): readonly Fault[] => {
  const [first = [], ...others] = branches;
  const tables = others.map((faults) => new Map(faults.map((fault) => [place(fault), fault])));
  return first.flatMap((fault) => {
    const same = tables.map((table) => table.get(place(fault)));
    return same.includes(undefined) ? [] : (joined([fault, ...same.filter((one) => one !== undefined)]) ?? []);
  });
};

/**
 * Says in the fewest words why a value fits no branch of a union, from what each branch found (paths relative to the
 * value). Branches of another type are out; a tag picks one; plain types and fixed values become one choice.
 */
export const union = (value: unknown, branches: readonly (readonly Fault[])[]): readonly Fault[] => {
  const typed = branches.filter((faults) => !faults.some((fault) => isRoot(fault) && fault.code === 'type'));
  if (typed.length === 0 && branches.length > 0) {
    const names = branches.flat().flatMap((fault) => (isRoot(fault) && fault.code === 'type' ? fault.want : []));
    return [{ path: [], code: 'type', want: [...new Set(names)], received: value }];
  }
  const [only] = typed;
  if (only !== undefined && typed.length === 1 && !isForeign(only, value)) return only;
  const choices = typed.map((faults) => faults.find((fault) => isRoot(fault) && isChoice(fault)));
  const choice = choices.includes(undefined) ? undefined : merged(choices.filter((fault) => fault !== undefined));
  if (choice !== undefined) return [choice];
  const tagged = byTag(typed);
  if (tagged !== undefined) return tagged;
  const shared = typed.length > 1 ? sharedByAll(typed) : [];
  if (shared.length > 0) return shared;
  const forms = branches.flatMap((faults) => faults.slice(0, 1));
  return [{ path: [], code: 'union', want: { forms }, received: value }];
};

/** A fixed value of another type than the one given says as little as another type does. */
const isForeign = (faults: readonly Fault[], value: unknown): boolean =>
  faults.some(
    (fault) => isRoot(fault) && isChoice(fault) && !fault.want.some((one) => typeName(one) === typeName(value)),
  );
