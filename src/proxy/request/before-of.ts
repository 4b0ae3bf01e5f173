import { type ContextMessage, contextOf } from '../../dialect/echo/context.ts';
import type { TurnExchange } from './exchange.ts';

/** The conversation that a request brought, read when it is first wanted. */
export const beforeOf =
  ({ question }: TurnExchange): (() => readonly ContextMessage[]) =>
  () =>
    contextOf(question().messages);
