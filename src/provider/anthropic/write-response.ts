import type { JsonObject, JsonValue } from '../../json/value.ts';
import type { TurnResponse } from '../../turn/turn.ts';
import { present } from '../carry.ts';
import { foreignFieldWarnings } from '../foreign-losses.ts';
import { makeId } from '../make-id.ts';
import type { Written } from '../wire.ts';
import { stopReasonOf } from './finish.ts';
import { format, lay, lose, newPen, ours, type Pen } from './pen.ts';
import { writeUsage } from './usage.ts';
import { writeBlock } from './write-block.ts';

/** Writes a whole answer of the Messages API. What the wire always says is made up where it did not come from it. */
export function writeResponse(response: TurnResponse): Written {
  const pen = newPen(true);
  const own = ours(response);
  const { message, usage, dropped } = response;
  const content = message.parts.flatMap((part, index) => writeBlock(pen, `message.parts.${index}`, part) ?? []);
  if (dropped) lose(pen, 'dropped', 'Calls that name no tool are not written');
  const written = present({
    ...head(response),
    content,
    stop_sequence: own ? undefined : null,
    usage: usage || !own ? countedUsage(usage, own) : undefined,
  });
  const wire = { ...lay(written, response), stop_reason: endOf(pen, response) };
  return { wire, losses: [...foreignFieldWarnings(format, response), ...pen.losses] };
}

/** Who answered, as the first event of a stream says it too. */
export const head = (response: Pick<TurnResponse, 'id' | 'model' | 'extra'>): JsonObject => {
  const own = ours(response);
  return present({
    id: response.id ?? (own ? undefined : makeId('msg_')),
    type: 'message',
    role: 'assistant',
    model: response.model ?? (own ? undefined : ''),
  });
};

/** Clients add these up, so that both are always there. */
export const countedUsage = (usage: TurnResponse['usage'], own = false): JsonObject => ({
  ...(!own && { input_tokens: 0, output_tokens: 0 }),
  ...writeUsage(usage ?? {}),
});

/** The word for the end; a loss where there is none. */
export function endOf(pen: Pen, response: TurnResponse): JsonValue {
  const { finish, message, extra } = response;
  const calls = message.parts.some(({ type }) => type === 'call');
  const own = ours(response) ? extra?.fields.stop_reason : undefined;
  if (own === undefined && (finish === 'other' || finish === 'error'))
    lose(pen, 'finish', `${finish} is said as end_turn`);
  return stopReasonOf(finish, own, calls);
}
