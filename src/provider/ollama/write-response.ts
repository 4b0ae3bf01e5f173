import type { JsonObject } from '../../json/value.ts';
import type { TurnResponse } from '../../turn/turn.ts';
import { foreignFieldWarnings } from '../foreign-losses.ts';
import type { Warning, Written } from '../wire.ts';
import { writeAssistant } from './assistant.ts';
import { own } from './carried.ts';
import { writeFinish } from './finish.ts';
import { writeUsage } from './usage.ts';

/** A whole answer for the wire. */
export function writeResponse(response: TurnResponse): Written {
  const losses: Warning[] = foreignFieldWarnings('ollama', response);
  const { message, finish, usage, model = '' } = response;
  if (finish === 'filter') losses.push({ where: 'finish', what: 'An answer that was held back looks like any other' });
  const { done_reason: before, done, ...left } = own(response) ?? {};
  const word = writeFinish(finish, before);
  const role = own(message)?.role;
  const { role: plain, ...said } = writeAssistant(message, 'message', losses);
  const wire: JsonObject = {
    model,
    created_at: new Date().toISOString(),
    message: { ...(role !== null && { role: role ?? plain ?? 'assistant' }), ...said },
    ...(done !== null && { done: done ?? true }),
    ...(word !== undefined && { done_reason: word }),
    ...(usage && writeUsage(usage)),
    ...left,
  };
  return { wire, losses };
}
