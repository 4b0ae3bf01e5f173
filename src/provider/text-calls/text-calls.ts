import type { ReadCallsOptions } from '../../dialect/call-reader.ts';
import type { Outcome } from '../../mend/outcome.ts';
import type { CallPart, TurnEvent, TurnResponse } from '../../model/index.ts';
import type { Toolbox } from '../../tools/toolbox.ts';
import { eventsOf } from '../wire/turn-assembler.ts';
import { TextTurn } from './text-turn.ts';

/**
 * An answer whose words hold calls, with these as parts of their own; nothing where none of them can be meant: native calls
 * came, or the tools are not there, or all that was begun is cut off.
 */
export function callsInText(
  response: TurnResponse,
  toolbox: Toolbox,
  options: ReadCallsOptions & { readonly dialect: string },
): { readonly response: TurnResponse; readonly dialect: string } | undefined {
  if (!isWordy(response)) return undefined;
  let last: TurnEvent | undefined;
  const turn = new TextTurn(toolbox, options, (event) => {
    last = event;
  });
  for (const event of eventsOf(response)) turn.take(event);
  if (last?.type !== 'turn.finished' || !areMeant(turn.calls)) return undefined;
  return { response: last.response, dialect: turn.dialect ?? options.dialect };
}

/** Words, and no native call. */
const isWordy = ({ message: { parts } }: TurnResponse): boolean =>
  parts.some(({ type }) => type === 'text') && !parts.some(({ type }) => type === 'call');

/** Whether any call found in words is one of the tools that are there, and whole: else the words are no more than that. */
export const areMeant = (calls: readonly Outcome[]): boolean =>
  calls.some((call) => call.status !== 'invalid' || (call.errorType === 'validation' && call.tool !== undefined));

/** The calls of an answer. */
export const callsIn = ({ message }: TurnResponse): CallPart[] =>
  message.parts.flatMap((part) => (part.type === 'call' ? [part] : []));

/** An answer without what is carried along and says that it ended badly, which it no longer does. */
export const bareResponse = ({ passthrough: _, ...rest }: TurnResponse): TurnResponse => rest;
