import type { Repair } from '../../json/repair.ts';
import type { Outcome } from '../../mend/outcome.ts';
import { missingCloser, tooMany } from '../call/call-notes.ts';
import { onlyEnds, type ReadyForm } from '../grammar/grammar.ts';
import { recheck } from './output.ts';
import type { Machine } from './state.ts';

/** Limits the faults of a hostile text. After that many, all calls have one. */
const most = 1000;

function note(m: Machine, repair: Repair, from: number, to: number): void {
  if (m.faults.length < most) m.faults.push({ repair, from, to });
  else if (m.faults.length === most) m.faults.push({ repair, from: 0, to: Number.POSITIVE_INFINITY });
}

/** Whether a call of this form has a closer. Servers remove tokens that end a turn, and fences aren't markers. */
const hasCloser = ({ closes, closeOptional, bare, row }: ReadyForm): boolean =>
  closes.length > 0 && !closeOptional && !bare && !row.frame && !closes.some(({ head }) => onlyEnds.test(head));

/** Notes that the calls of the last form have no closer. */
export function noteMissing(m: Machine, form: ReadyForm): void {
  if (hasCloser(form)) note(m, missingCloser(form.closes[0]?.head ?? ''), m.formFrom, m.count);
}

/** Notes a section of calls that nothing closes. */
export function noteOpenSection(m: Machine): void {
  const { section } = m;
  if (section && m.count > section.from) note(m, missingCloser(section.closer), section.from, m.count);
}

/** Notes a closer without an opener, after the last call or before the first. */
export const noteStrayCloser = (m: Machine, closer: string): void =>
  note(m, tooMany(closer), Math.max(0, m.count - 1), Math.max(1, m.count));

/** Notes an opener before the next call that opens nothing. */
export const noteStrayOpener = (m: Machine, opener: string): void => note(m, tooMany(opener), m.count, m.count + 1);

/** Notes that the opener of the next call lacks a part. */
export const noteLack = (m: Machine, before: string): void =>
  note(m, { path: [], kind: 'token', before, certainty: 'inferred' }, m.count, m.count + 1);

/**
 * Adds the faults to their calls, which are inferred then. If some of the calls turned out to be text, their numbers don't
 * count, and all calls have the faults.
 */
export function applyFaults(m: Machine): ReadonlyMap<Outcome, Outcome> | undefined {
  const { faults, calls } = m;
  if (faults.length === 0 || calls.length === 0) return undefined;
  const isCounted = m.count === calls.length;
  const faulty = new Map<Outcome, Repair[]>();
  for (const { repair, from, to } of faults) {
    for (const call of isCounted ? calls.slice(from, to) : calls) {
      const repairs = faulty.get(call) ?? [];
      if (repairs.length === 0) faulty.set(call, repairs);
      if (!repairs.some(({ kind, before }) => kind === repair.kind && before === repair.before)) repairs.push(repair);
    }
  }
  if (faulty.size === 0) return undefined;
  const more = (call: Outcome) => ({ read: [...(call.raw.read ?? []), ...(faulty.get(call) ?? [])] });
  return recheck(m, { outcomes: m.calls, events: m.events }, more, [...faulty.keys()]);
}
