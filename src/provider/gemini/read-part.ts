import { isObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import type { AssistantPart, OpaquePart, Part, SystemMessage, UserMessage } from '../../turn/turn.ts';
import { rest } from '../rest.ts';
import { readCall } from './call.ts';
import { carried } from './carried.ts';
import { readMedia } from './media.ts';
import { beginPartial, brokenCall, growPartial, isPartial, wholeCall } from './partial-call.ts';
import { proto } from './proto.ts';
import { readResult } from './result.ts';
import { readSignature } from './seal.ts';

/** Whose message a part stands in: what that may not hold is carried along unread. */
const mayHold = {
  system: ['text'],
  user: ['text', 'media', 'result'],
  model: ['text', 'media', 'reasoning', 'call'],
} as const satisfies Record<string, readonly Part['type'][]>;

interface Held {
  readonly system: SystemMessage['parts'][number];
  readonly user: UserMessage['parts'][number];
  readonly model: AssistantPart;
}

/** A part of the wire, as far as it is known to a message of that side. */
export function readPart<S extends keyof Held>(side: S, value: unknown, where: string): Held[S] {
  const wire = proto(value, where);
  const part = known(wire, where);
  const holds: readonly string[] = mayHold[side];
  const held = part && holds.includes(part.type) ? part : opaque(value);
  // What a side may hold is the table above, which the compiler can't follow.
  return held as Held[S];
}

const opaque = (value: unknown): OpaquePart => ({ type: 'opaque', format: 'gemini', value: value as JsonValue });

const given = (wire: JsonObject, field: string): boolean => wire[field] !== undefined && wire[field] !== null;

function known(wire: JsonObject, where: string): Part | undefined {
  if (given(wire, 'functionCall')) return readPartial(wire, where) ?? readCall(wire, where);
  if (given(wire, 'functionResponse')) return readResult(wire, where);
  if (typeof wire.text === 'string') return readText(wire, wire.text);
  return readMedia(wire, where) ?? readHidden(wire);
}

/** A call whose arguments come in pieces, where all that there is of it stands in one part. */
function readPartial(wire: JsonObject, where: string): Part | undefined {
  const { functionCall } = wire;
  if (!isObject(functionCall) || !isPartial(functionCall, false)) return undefined;
  const call = beginPartial(wire, where);
  return growPartial(call, wire, functionCall, where) ? wholeCall(call) : brokenCall(call);
}

function readText(wire: JsonObject, text: string): Part {
  const thought = wire.thought === true;
  const left = carried(rest(wire, ['text', ...(thought ? ['thought'] : []), ...signed(wire)]));
  return { type: thought ? 'reasoning' : 'text', text, ...readSignature(wire), ...left };
}

/** A signature that stands alone: what was thought is not shown. */
function readHidden(wire: JsonObject): Part | undefined {
  const { seal } = readSignature(wire);
  if (!seal || Object.keys(wire).some((key) => key !== 'thoughtSignature' && key !== 'thought')) return undefined;
  return { type: 'reasoning', text: '', hidden: true, seal, ...carried(rest(wire, ['thoughtSignature'])) };
}

const signed = (wire: JsonObject): string[] => (typeof wire.thoughtSignature === 'string' ? ['thoughtSignature'] : []);
