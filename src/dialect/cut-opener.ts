import type { Toolbox } from '../tool/toolbox.ts';
import { openCandidate } from './candidate.ts';
import type { Marker, ReadyForm } from './grammar.ts';
import type { Machine } from './machine.ts';
import { markersAt } from './marker-set.ts';
import { closeCall, openCall, plainName } from './open-call.ts';
import { matchAt, partAt, patternOf } from './pattern.ts';
import { inSentence } from './shown.ts';

/**
 * Takes an opener that the end of the text cut off as the call it was to be, if its name had begun. Where words open
 * it, or the name stands apart, it must be a tool's, because prose ends so too.
 */
export function cutOpener(
  m: Machine,
  at: number,
  wanted: (marker: Marker) => boolean,
  knows: (name: string) => boolean,
): boolean {
  for (const marker of markersAt(m.grammar.text, m.buffer, at)) {
    const { form, pattern } = marker;
    if (!form || form.bare || form.code || form.text || !partAt(pattern, m.buffer, at) || !wanted(marker)) continue;
    const found = nameBegun(form, m.buffer, at);
    if (!found) continue;
    if ((found.apart || (!m.named && form.words)) && !knows(found.name)) continue;
    if (/[.!?]$/.test(found.name) && inSentence(m.place)) continue;
    if (m.toolbox && !knows(found.name) && !isBegun(m.toolbox, found.name)) continue;
    const { name } = found;
    openCandidate(m, marker);
    m.at = m.buffer.length;
    openCall(m, name, undefined);
    closeCall(m, { name, arguments: {} }, form.row, true);
    return true;
  }
  return false;
}

/** Whether a tool's name begins so. */
const isBegun = (toolbox: Toolbox, name: string): boolean => toolbox.list().some((tool) => tool.name.startsWith(name));

/** A name, and after it nothing, white space or the next sign. */
const begun = /^([\s="']*)([^\s"'<>{}[\]()=,;]+)(?=["'\s]*(?:$|[\s<>/[{]))/;

/** The name behind an opener's first words, as far as it goes, and whether it stands apart from them. */
export function nameBegun(form: ReadyForm, text: string, at: number): { name: string; apart: boolean } | undefined {
  const [before = '', after] = form.open.split('{name}');
  const start = after === undefined ? undefined : matchAt(patternOf(before.replace(/[="'~\s]+$/, '')), text, at);
  const [, gap = '', name = ''] = (start && begun.exec(text.slice(start.end))) ?? [];
  return /[\p{L}\p{N}]/u.test(name) ? { name: plainName(form.row, name), apart: /\s/.test(gap) } : undefined;
}
