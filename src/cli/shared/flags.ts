import { UsageError } from '../usage-error.ts';

/** Options of all commands that serve. */
interface ServerValues {
  readonly log?: string;
  readonly 'log-content'?: string;
  readonly 'keep-days'?: string;
}

/** The token in an environment variable. */
export function tokenOf(name: string | undefined, env: NodeJS.ProcessEnv): string | undefined {
  if (name === undefined || env[name]) return name && env[name];
  throw new UsageError(`Invalid --token: the environment variable ${name} is not set`);
}

/** What to log, and where. */
export function logOf(values: ServerValues): {
  readonly log?: { readonly file: string; readonly content: boolean; readonly keepDays?: number };
} {
  const { log, 'log-content': content } = values;
  if (log !== undefined && content !== undefined) throw new UsageError('Use either --log or --log-content, not both');
  const file = content ?? log;
  const keepDays = numberOf('keep-days', values);
  if (file === undefined && keepDays !== undefined) throw new UsageError('--keep-days requires --log or --log-content');
  if (file === undefined) return {};
  return { log: { file, content: content !== undefined, ...(keepDays !== undefined && { keepDays }) } };
}

/** A numeric option. */
export function numberOf<N extends string>(name: N, values: { readonly [K in N]?: string }): number | undefined {
  const word = values[name];
  if (word === undefined) return undefined;
  const number = word.trim() === '' ? Number.NaN : Number(word);
  if (!Number.isFinite(number) || number < 0)
    throw new UsageError(`Invalid --${name} '${word}': expected a number of 0 or more`);
  return number;
}

/** Removes undefined fields. */
export const withoutUndefined = <T extends object>(given: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };

/** The command as the user starts it. Neither npx nor an npm script puts it into the path. */
export const commandName = ({ npm_lifecycle_event: event }: NodeJS.ProcessEnv): string => {
  if (event === 'npx') return 'npx toolmend';
  return event === 'toolmend' ? 'npm run -s toolmend --' : 'toolmend';
};
