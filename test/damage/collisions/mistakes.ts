import type { Mistake } from './mistake.ts';
import { aroundMistakes } from './mistakes-around.ts';
import { formMistakes } from './mistakes-forms.ts';
import { keyMistakes } from './mistakes-keys.ts';
import { literalMistakes } from './mistakes-literals.ts';
import { stringMistakes } from './mistakes-strings.ts';
import { structureMistakes } from './mistakes-structure.ts';
import { valueMistakes } from './mistakes-values.ts';

/** Every mistake of the table. */
export const mistakes: readonly Mistake[] = [
  ...stringMistakes,
  ...structureMistakes,
  ...valueMistakes,
  ...keyMistakes,
  ...literalMistakes,
  ...aroundMistakes,
  ...formMistakes,
];
