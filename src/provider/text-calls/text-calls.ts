import type { ReadCallsOptions } from '../../dialect/call-reader.ts';
import { allowsTextCalls } from '../../mend/finish-reason.ts';
import type { Outcome } from '../../mend/outcome.ts';
import type { CallPart, TurnEvent, TurnResponse } from '../../model/index.ts';
import type { Toolbox } from '../../tools/toolbox.ts';
import { eventsOf } from '../wire/turn-assembler.ts';
import { TextTurn } from './text-turn.ts';

/**
 * Converts the calls in a response's text to parts.
 *
 * @returns undefined if the response has native calls, if a filter or a failure ended it, or if all calls in its text are truncated or name unknown tools
 */
export function callsInText(
  response: TurnResponse,
  toolbox: Toolbox,
  options: ReadCallsOptions & { readonly dialect: string },
): { readonly response: TurnResponse; readonly dialect: string; readonly calls: readonly Outcome[] } | undefined {
  if (!isWordy(response) || !allowsTextCalls(response.finish)) return undefined;
  let last: TurnEvent | undefined;
  const turn = new TextTurn(toolbox, options, (event) => {
    last = event;
  });
  for (const event of eventsOf(response)) turn.take(event);
  if (last?.type !== 'turn.finished' || !areMeant(turn.calls)) return undefined;
  return { response: last.response, dialect: turn.dialect ?? options.dialect, calls: turn.calls };
}

/** Has text and no native call. */
const isWordy = ({ message: { parts } }: TurnResponse): boolean =>
  parts.some(({ type }) => type === 'text') && !parts.some(({ type }) => type === 'call');

/** Whether at least one call in text is complete and names a known tool. Otherwise the text stays text. */
export const areMeant = (calls: readonly Outcome[]): boolean =>
  calls.some((call) => call.status !== 'invalid' || (call.errorType === 'validation' && call.tool !== undefined));

/** The calls of a response. */
export const callsIn = ({ message }: TurnResponse): CallPart[] =>
  message.parts.flatMap((part) => (part.type === 'call' ? [part] : []));

/** Removes the passthrough fields, which describe an ending that no longer applies. */
export const bareResponse = ({ passthrough: _, ...rest }: TurnResponse): TurnResponse => rest;
