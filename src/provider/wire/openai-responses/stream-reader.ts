import { isObject, type JsonObject, type JsonValue, stringifyJson } from '../../../json/value.ts';
import type { TurnEvent } from '../../../model/index.ts';
import { protocolError } from '../errors.ts';
import { TurnAssembler } from '../turn-assembler.ts';
import type { StreamReader } from '../types.ts';
import { format, passthroughOf, textOr } from './fields.ts';
import { readEnd, readErrorEvent, readStart } from './response.ts';
import { type ItemKind, type PieceOf, StreamItems } from './stream-items.ts';

/** Reads the events of a stream. */
export function readStream(emit: (event: TurnEvent) => void): StreamReader {
  const assembly = new TurnAssembler(format, emit);
  const reading: Reading = { assembly, items: new StreamItems(assembly) };
  // Consecutive events usually have the same type, so caching the last one saves a lookup.
  let last: { readonly type: string; readonly piece: Piece | undefined } = { type: '', piece: undefined };
  return {
    get pending() {
      return assembly.pending;
    },
    frame(data, name) {
      if (assembly.ended) return;
      if (!isObject(data)) {
        assembly.unknown(data);
        return;
      }
      const type = textOr(data.type, name ?? (isObject(data.error) ? 'error' : ''));
      if (type !== last.type) last = { type, piece: pieces.get(type) };
      if (last.piece) takePiece(reading, data, last.piece);
      else (handlers.get(type) ?? passOn)(reading, data);
    },
    done() {
      if (!assembly.ended) finish(reading, {});
    },
    end(error) {
      assembly.fail(error ?? endedEarly);
    },
  };
}

interface Reading {
  readonly assembly: TurnAssembler;
  readonly items: StreamItems;
}

const endedEarly = protocolError('The stream ended before the response was completed', true);

/** An event with text: its kind, where the text is, and whether it is complete. */
interface Piece {
  readonly kind: ItemKind;
  readonly of: PieceOf;
  readonly field: string;
  readonly index: 'content_index' | 'summary_index';
  readonly whole: boolean;
}

const piece = (kind: ItemKind, of: PieceOf, field: string, index: Piece['index']): Piece => ({
  kind,
  of,
  field,
  index,
  whole: field !== 'delta',
});

const pieces: ReadonlyMap<string, Piece> = new Map([
  ['response.output_text.delta', piece('message', 'text', 'delta', 'content_index')],
  ['response.output_text.done', piece('message', 'text', 'text', 'content_index')],
  ['response.refusal.delta', piece('message', 'refusal', 'delta', 'content_index')],
  ['response.refusal.done', piece('message', 'refusal', 'refusal', 'content_index')],
  ['response.function_call_arguments.delta', piece('call', 'arguments', 'delta', 'content_index')],
  ['response.function_call_arguments.done', piece('call', 'arguments', 'arguments', 'content_index')],
  ['response.reasoning_text.delta', piece('reasoning', 'content', 'delta', 'content_index')],
  ['response.reasoning_text.done', piece('reasoning', 'content', 'text', 'content_index')],
  ['response.reasoning_summary_text.delta', piece('reasoning', 'summary', 'delta', 'summary_index')],
  ['response.reasoning_summary_text.done', piece('reasoning', 'summary', 'text', 'summary_index')],
]);

function takePiece({ items }: Reading, event: JsonObject, { kind, of, field, index, whole }: Piece): void {
  const value = whole ? event[field] : event.delta;
  const text = kind === 'call' && isObject(value) ? stringifyJson(value) : value;
  if (typeof text !== 'string') return;
  const place = index === 'content_index' ? event.content_index : event.summary_index;
  const item = items.find(event, kind);
  if (!whole) {
    item.grow(of, typeof place === 'number' ? place : 0, text);
    return;
  }
  if (kind === 'call') item.begin(event, 0);
  item.whole(of, typeof place === 'number' ? place : 0, text);
}

type Handler = (reading: Reading, event: JsonObject) => void;

/** Passes on events that aren't output. */
const passOn: Handler = ({ assembly }, event) => assembly.unknown(event);

const ignore: Handler = () => {};

const start: Handler = ({ assembly }, { response }) => {
  if (isObject(response))
    assembly.start({ ...readStart(response), ...passthroughOf(response, ['id', 'model', 'output']) });
};

const begin: Handler = ({ items }, { item, output_index: index }) => {
  if (isObject(item)) items.add(item, index);
};

const settle: Handler = ({ items }, { item, output_index: index }) => {
  if (isObject(item)) items.settle(item, index);
};

const partOf = (part: JsonObject): { kind: ItemKind; of: PieceOf; text: JsonValue | undefined } => {
  if (part.type === 'reasoning_text') return { kind: 'reasoning', of: 'content', text: part.text };
  if (part.type === 'summary_text') return { kind: 'reasoning', of: 'summary', text: part.text };
  if (part.type === 'refusal') return { kind: 'message', of: 'refusal', text: part.refusal };
  return { kind: 'message', of: 'text', text: part.text };
};

const placeOf = ({ content_index: content, summary_index: summary }: JsonObject): number =>
  typeof content === 'number' ? content : typeof summary === 'number' ? summary : 0;

const beginPart: Handler = ({ items }, event) => {
  if (isObject(event.part)) items.find(event, partOf(event.part).kind).begin(event.part, placeOf(event));
};

const endPart: Handler = ({ items }, event) => {
  if (!isObject(event.part)) return;
  const { kind, of, text } = partOf(event.part);
  if (typeof text === 'string') items.find(event, kind).whole(of, placeOf(event), text);
};

const end: Handler = (reading, { response }) => {
  if (isObject(response) && response.status === 'failed') fail(reading, { response });
  else finish(reading, isObject(response) ? response : {});
};

const cutShort: Handler = (reading, { response }) =>
  finish(reading, { status: 'incomplete', ...(isObject(response) ? response : {}) });

function finish({ assembly, items }: Reading, response: JsonObject): void {
  if (Object.keys(response).length > 0) assembly.start(readStart(response));
  if (Array.isArray(response.output)) items.settleAll(response.output);
  items.closeAll();
  assembly.finish(readEnd(response));
}

const fail: Handler = ({ assembly }, { response, ...event }) => {
  const body = isObject(response) ? response : undefined;
  const { error } = body ?? {};
  assembly.fail(readErrorEvent(isObject(error) ? error : event), body && readEnd(body));
};

const handlers: ReadonlyMap<string, Handler> = new Map([
  ['response.created', start],
  ['response.queued', start],
  ['response.in_progress', start],
  ['response.completed', end],
  ['response.done', end],
  ['response.incomplete', cutShort],
  ['response.failed', fail],
  ['response.cancelled', fail],
  ['error', fail],
  ['response.error', fail],
  ['keepalive', ignore],
  ['response.output_item.added', begin],
  ['response.output_item.done', settle],
  ['response.content_part.added', beginPart],
  ['response.content_part.done', endPart],
  ['response.reasoning_summary_part.added', ignore],
  ['response.reasoning_summary_part.done', endPart],
]);
