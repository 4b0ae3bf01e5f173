import type { JsonObject, JsonValue } from '../../json/value.ts';
import type { Carrying } from '../../turn/turn.ts';
import type { Warning } from '../wire.ts';
import { writeMedia } from './media.ts';
import type { ContentPart } from './read-content.ts';
import { format, lay, ownFields } from './take.ts';

/** Where things stand, and where to say what could not be written. */
export interface Place {
  readonly where: string;
  readonly losses: Warning[];
}

/** The content field: text where one plain text is all there is, else a list; `empty` where there is nothing. */
export function writeContent(
  parts: readonly ContentPart[],
  message: Carrying,
  empty: '' | null,
  place: Place,
): JsonObject {
  const written = parts.flatMap((part): { part: ContentPart; wire: JsonValue }[] => {
    const wire = writePart(part, place);
    return wire === undefined ? [] : [{ part, wire }];
  });
  const [first] = written;
  if (!first) return ownFields(message) ? {} : { content: empty };
  if (written.length === 1 && first.part.type === 'text' && !ownFields(first.part)) return { content: first.part.text };
  return { content: written.map(({ wire }) => wire) };
}

function writePart(part: ContentPart, { where, losses }: Place): JsonValue | undefined {
  if (part.type === 'text') return lay({ type: 'text', text: part.text }, part);
  if (part.type === 'refusal') return lay({ type: 'refusal', refusal: part.text }, part);
  if (part.type === 'opaque') return part.format === format ? part.value : undefined;
  const wire = writeMedia(part);
  if (!wire) losses.push({ where, what: `This wire takes ${part.mediaType} as data only, so it was left out` });
  return wire;
}
