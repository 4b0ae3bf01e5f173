import type { JsonObject, JsonValue } from '../../json/value.ts';
import type { Part, ReasoningPart, TextPart } from '../../turn/turn.ts';
import type { Warning } from '../wire.ts';
import { writeCall } from './call.ts';
import { own } from './carried.ts';
import { writeMedia } from './media.ts';
import { writeSignature } from './seal.ts';

/** Anything but a result, which needs to know the call it answers. */
export type PlainPart = Exclude<Part, { type: 'result' }>;

/** A part for the wire; nothing where the wire has no word for it, which is then said in `losses`. */
export function writePart(part: PlainPart, where: string, losses: Warning[]): JsonValue | undefined {
  switch (part.type) {
    case 'text':
      return writeText(part);
    case 'reasoning':
      return writeReasoning(part);
    case 'refusal':
      losses.push({ where, what: 'A refusal was written as plain text' });
      return { text: part.text };
    case 'media': {
      const wire = writeMedia(part);
      if (!wire) losses.push({ where, what: 'A file that another provider holds was left out' });
      return wire;
    }
    case 'call': {
      const { wire, what } = writeCall(part);
      if (what !== undefined) losses.push({ where: `${where}.arguments`, what });
      return wire;
    }
    case 'opaque':
      return part.format === 'gemini' ? part.value : undefined;
  }
}

const writeText = (part: TextPart): JsonObject => ({ text: part.text, ...writeSignature(part), ...own(part) });

/** Thoughts of another provider go along as words, which this one takes; what it can't read it can't take. */
function writeReasoning(part: ReasoningPart): JsonObject | undefined {
  if (part.hidden) return part.seal?.format === 'gemini' ? { ...writeSignature(part), ...own(part) } : undefined;
  if (part.text === '' && part.seal?.format !== 'gemini' && !own(part)) return undefined;
  return { text: part.text, thought: true, ...writeSignature(part), ...own(part) };
}
