/** The whole table of damages. */
import { aroundKinds } from './damages-around.ts';
import { combinedKinds } from './damages-combined.ts';
import { cutKinds } from './damages-cut.ts';
import { goodKinds } from './damages-good.ts';
import { keyKinds } from './damages-keys.ts';
import { literalKinds } from './damages-literals.ts';
import { nameKinds } from './damages-names.ts';
import { punctuationKinds } from './damages-punctuation.ts';
import { scalarKinds } from './damages-scalars.ts';
import { shapeKinds } from './damages-shapes.ts';
import { stringKinds } from './damages-strings.ts';
import { unionKinds } from './damages-unions.ts';
import { wholeKinds } from './damages-whole.ts';
import type { Kind } from './kind.ts';

export const damages: readonly Kind[] = [
  ...goodKinds,
  ...punctuationKinds,
  ...stringKinds,
  ...literalKinds,
  ...aroundKinds,
  ...cutKinds,
  ...scalarKinds,
  ...shapeKinds,
  ...keyKinds,
  ...unionKinds,
  ...wholeKinds,
  ...nameKinds,
  ...combinedKinds,
];
