/** The whole table, class by class. */
import type { CaseClass } from './case.ts';
import { meaningCases } from './cases-meaning.ts';
import { effectCases, fallbackCases, nameCases } from './cases-names.ts';
import { cutCases, fieldCases, guessCases, triesCases } from './cases-refused.ts';
import { runCases, soundCases } from './cases-runs.ts';
import { textCases } from './cases-text.ts';
import { writingCases } from './cases-writing.ts';

export const caseClasses: readonly CaseClass[] = [
  { name: 'Sound calls', cases: soundCases },
  { name: 'Repairs of writing', cases: writingCases },
  { name: 'Repairs of meaning', cases: meaningCases },
  { name: 'Names', cases: nameCases },
  { name: 'Tools that destroy', cases: effectCases },
  { name: 'Fields missing or wrong', cases: fieldCases },
  { name: 'Two readings, so none', cases: guessCases },
  { name: 'Cut off', cases: cutCases },
  { name: 'Calls written as text', cases: textCases },
  { name: 'Told again', cases: triesCases },
  { name: 'The tool named invalid', cases: fallbackCases },
  { name: 'Runs that fail', cases: runCases },
];
