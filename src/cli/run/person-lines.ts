import { harmless } from '../colour.ts';
import type { Page } from '../show-outcome.ts';
import { wrap } from '../wrap.ts';

/** What a person said, as it would stand at the prompt. */
export const personLines = (text: string, { paint, width }: Page): string[] =>
  wrap(harmless(text), width - 2).map((line, index) => `${paint.cyan(index === 0 ? '›' : ' ')} ${paint.bold(line)}`);
