import { isObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import type { TurnError, TurnEvent } from '../../turn/turn.ts';
import { mustBeObject } from '../must-be.ts';
import { protocolError } from '../protocol-error.ts';
import { TurnAssembly, type TurnEnd } from '../turn-assembly.ts';
import type { StreamReader } from '../wire.ts';
import { WireError } from '../wire-error.ts';
import { readError } from './error.ts';
import { finishOf } from './finish.ts';
import { answerExtra } from './read-response.ts';
import { StreamBlocks } from './stream-blocks.ts';
import { readUsage } from './usage.ts';

/** Reads the events of one streamed answer. */
export function readStream(emit: (event: TurnEvent) => void): StreamReader {
  const turn = new TurnAssembly('anthropic', emit);
  const blocks = new StreamBlocks(turn);
  /** The message as it began, with what later events said of it. */
  let message: JsonObject = {};
  let usage: JsonObject | undefined;
  let reasoned = false;
  /** The first event held content: then its reason counts, which says nothing otherwise, whatever it is. */
  let atOnce = false;

  const tell = (fields: JsonObject, counted: JsonValue | undefined): void => {
    message = { ...message, ...fields };
    if (isObject(counted)) usage = { ...usage, ...counts(counted, usage) };
  };
  const stopped = (): boolean => reasoned || (atOnce && isReason(message.stop_reason));
  const ending = (): TurnEnd => ({
    ...(stopped() && { finish: finishOf(message.stop_reason, blocks.calls) }),
    ...(usage && { usage: readUsage(usage) }),
    extra: answerExtra(message, blocks.calls),
  });
  const finish = (): void => {
    blocks.stopAll();
    turn.finish(ending());
  };
  const fail = (error: TurnError): void => {
    blocks.release();
    turn.fail(error, ending());
  };

  const events = new Map<string, (frame: JsonObject) => void>(
    Object.entries({
      message_start({ message: begun }) {
        if (!isObject(begun)) return;
        const { content, usage: counted, ...fields } = begun;
        tell(fields, counted);
        const { id, model } = fields;
        const extra = answerExtra(fields, false);
        turn.start({ ...(typeof id === 'string' && { id }), ...(typeof model === 'string' && { model }), extra });
        // Some send all they have at once.
        if (!Array.isArray(content)) return;
        atOnce = content.length > 0;
        for (const block of content) startWhole(blocks, block);
      },
      content_block_start({ index, content_block: block }) {
        atOnce = false;
        blocks.start(index, block);
      },
      content_block_delta(frame) {
        if (!blocks.delta(frame.index, mustBeObject(frame.delta, 'delta'))) turn.unknown(frame);
      },
      content_block_stop: ({ index }) => blocks.stop(index),
      message_delta({ type: _, delta, usage: counted, ...fields }) {
        const told = { ...fields, ...(isObject(delta) ? delta : {}) };
        reasoned ||= isReason(told.stop_reason);
        tell(told, counted);
      },
      message_stop: finish,
      ping: () => {},
      error: (frame) => fail(readError(0, frame)),
    } satisfies Record<string, (frame: JsonObject) => void>),
  );

  return {
    frame(data, name) {
      if (turn.ended) return;
      if (!isObject(data)) {
        turn.unknown(data);
        return;
      }
      const type = typeof data.type === 'string' ? data.type : isObject(data.error) ? 'error' : (name ?? '');
      const read = events.get(type);
      try {
        if (read) read(data);
        else turn.unknown(data);
      } catch (error) {
        if (!(error instanceof WireError)) throw error;
        fail(protocolError(`In ${type}: ${error.message}`));
      }
    },
    done: finish,
    end(error) {
      if (turn.ended) return;
      if (error) fail(error);
      else if (stopped()) finish();
      else fail(protocolError('The stream ended before the answer did', true));
    },
  };
}

const isReason = (word: JsonValue | undefined): boolean => typeof word === 'string' && word !== '';

/** Counts are totals so far; null, or zero, where a later event has nothing to say about one. */
const counts = (counted: JsonObject, before: JsonObject | undefined): JsonObject =>
  Object.fromEntries(
    Object.entries(counted).filter(([key, value]) => (value !== null && value !== 0) || before?.[key] === undefined),
  );

function startWhole(blocks: StreamBlocks, block: JsonValue): void {
  blocks.start('whole', block);
  blocks.stop('whole');
}
