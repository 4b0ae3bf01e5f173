import type { Problem } from '../json/problem.ts';
import type { Path } from '../json/value.ts';

/** What a sentence offers in place of a name that is not known, quotes included. */
export const meantBy = (message: string): string | undefined => /did you mean ('.+')\?/.exec(message)?.[1];

/** The fields that a sentence finds inside a key that is not known. */
export const misplacedIn = (message: string): readonly string[] =>
  [...(/, but (.+) stands? inside it/.exec(message)?.[1] ?? '').matchAll(/'([^']+)'/g)].map(([, name = '']) => name);

/** Each fault once: a field that is missing because its key is misspelled, or it stands inside another, is told with the key. */
export function distinct(problems: readonly Problem[]): readonly Problem[] {
  const meant = new Set(
    problems.flatMap(({ code, path, message }) => {
      const name = code === 'unknown' ? meantBy(message)?.slice(1, -1) : undefined;
      const names = name === undefined ? misplacedIn(message) : [name];
      return names.map((one) => place([...path.slice(0, -1), one]));
    }),
  );
  const told = new Map<string, Problem>();
  for (const problem of problems) {
    const isTold = problem.code === 'required' && meant.has(place(problem.path));
    if (!isTold && !told.has(problem.message)) told.set(problem.message, problem);
  }
  return told.size === problems.length ? problems : [...told.values()];
}

const place = (path: Path): string => JSON.stringify(path);
