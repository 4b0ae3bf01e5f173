import { feedback, invalidPayload } from '../../src/mend/feedback/feedback.ts';
import type { BadOutcome } from '../../src/mend/outcome.ts';
import type { Toolbox } from '../../src/tools/toolbox.ts';

/** What a model is told of a bad call: the library's words, or those of the tool that is there for it. */
export const wordsOn = (outcome: BadOutcome, tries: number, toolbox: Toolbox): string =>
  toolbox.get('invalid')
    ? JSON.stringify(invalidPayload(outcome))
    : feedback(outcome, { attempt: tries, toolbox }).text;
