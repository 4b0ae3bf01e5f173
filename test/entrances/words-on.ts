import { feedback } from '../../src/call/feedback.ts';
import { invalidPayload } from '../../src/call/invalid-payload.ts';
import type { BadOutcome } from '../../src/call/outcome.ts';
import type { Toolbox } from '../../src/tool/toolbox.ts';

/** What a model is told of a bad call: the library's words, or those of the tool that is there for it. */
export const wordsOn = (outcome: BadOutcome, tries: number, toolbox: Toolbox): string =>
  toolbox.get('invalid') ? JSON.stringify(invalidPayload(outcome)) : feedback(outcome, { tries, toolbox }).text;
