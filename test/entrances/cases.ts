/** The whole table, class by class. */
import type { CaseClass } from './case.ts';
import { meaningCases } from './cases-meaning.ts';
import { effectCases, fallbackCases, nameCases } from './cases-names.ts';
import { cutCases, fieldCases, guessCases, triesCases } from './cases-refused.ts';
import { runCases, soundCases } from './cases-runs.ts';
import { textCases } from './cases-text.ts';
import { writingCases } from './cases-writing.ts';

export const caseClasses: readonly CaseClass[] = [
  { name: 'Valid calls', cases: soundCases },
  { name: 'Repairs of notation', cases: writingCases },
  { name: 'Repairs of meaning', cases: meaningCases },
  { name: 'Names', cases: nameCases },
  { name: 'Destructive tools', cases: effectCases },
  { name: 'Missing or invalid fields', cases: fieldCases },
  { name: 'Ambiguous arguments', cases: guessCases },
  { name: 'Truncated calls', cases: cutCases },
  { name: 'Calls written as text', cases: textCases },
  { name: 'Repeated errors', cases: triesCases },
  { name: 'The tool named invalid', cases: fallbackCases },
  { name: 'Failed runs', cases: runCases },
];
