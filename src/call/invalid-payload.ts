import { feedback } from './feedback.ts';
import { preview } from './feedback-preview.ts';
import type { BadOutcome } from './outcome.ts';

/** What the tool named `invalid` receives of a failed call. */
export interface InvalidPayload {
  readonly tool: string;
  readonly error: string;
  readonly receivedArgs: unknown;
}

const unreadable = 2000;

/** The payload for the `invalid` tool: JSON whatever came, and `tool` a string even where no name was given. */
export function invalidPayload(outcome: BadOutcome): InvalidPayload {
  const name: unknown = outcome.name || outcome.raw.name;
  return {
    tool: typeof name === 'string' && name !== '' ? name : 'unknown',
    error: feedback(outcome).text,
    receivedArgs: asJson(outcome.input === undefined ? outcome.raw.arguments : outcome.input),
  };
}

function asJson(value: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(value ?? null));
  } catch {
    // A cycle, a BigInt or endless depth: what can be shown of it is better than a second failure.
    return preview(value, unreadable);
  }
}
