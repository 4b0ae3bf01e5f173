import { bestAt, grammarOf } from './grammar.ts';
import { markersAt } from './marker-set.ts';
import { answerRows } from './rows-for.ts';

const any = (): boolean => true;

/** Whether a text begins as a call without markers does: `maybe` while more of it must come first. */
export function mayBeAnswer(text: string): 'no' | 'maybe' | 'sure' {
  const from = text.search(/\S/);
  if (from < 0) return 'maybe';
  const grammar = grammarOf(answerRows, []);
  const found = bestAt([...grammar.starts, ...markersAt(grammar.text, text, from)], text, from, false, any);
  if (!found) return 'no';
  return found.marker?.form ? 'sure' : found.marker ? 'no' : 'maybe';
}
