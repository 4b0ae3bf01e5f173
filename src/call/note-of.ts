import type { Repair } from '../json/repair.ts';
import { shorten } from './feedback-preview.ts';

const most = 10;

/** What a model should be told beside a good result: which of its keys were dropped. Undefined where none was. */
export function noteOf(repairs: readonly Repair[]): string | undefined {
  const names = new Set<string>();
  for (const { kind, path } of repairs) if (kind === 'dropped') names.add(shorten(path.join('.'), 80));
  if (names.size === 0) return undefined;
  const listed = [...names].slice(0, most).map((name) => `'${name}'`);
  const more = names.size > most ? ` and ${names.size - most} more` : '';
  return names.size === 1
    ? `Unknown parameter ${listed[0]} was ignored`
    : `Unknown parameters ${listed.join(', ')}${more} were ignored`;
}
