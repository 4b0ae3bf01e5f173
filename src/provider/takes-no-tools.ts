import type { TurnError } from '../turn/turn.ts';

const words = /enable-auto-tool-choice|does not support tools|tool choice requires|tools? (?:is|are) not supported/i;

/** Whether a server says that this model, as it is served, takes no tools. */
export const takesNoTools = ({ kind, message, status = 0 }: TurnError): boolean =>
  kind === 'request' && status >= 400 && words.test(message);
