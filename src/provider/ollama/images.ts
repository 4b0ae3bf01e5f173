import type { JsonValue } from '../../json/value.ts';
import type { MediaPart, Part } from '../../turn/turn.ts';
import { mustBeList, mustBeText } from '../must-be.ts';
import type { Warning } from '../wire.ts';

/** The images of a message: base64 without a type. */
export const readImages = (images: unknown, where: string): MediaPart[] =>
  mustBeList(images, `${where}.images`).map((data, index) => ({
    type: 'media',
    mediaType: 'image/*',
    source: { data: mustBeText(data, `${where}.images.${index}`) },
  }));

/** The images among parts; what is no image, or lies elsewhere, can not be said. */
export function writeImages(parts: readonly Part[], where: string, losses: Warning[]): { images?: JsonValue[] } {
  const images: JsonValue[] = [];
  for (const [index, part] of parts.entries()) {
    if (part.type !== 'media') continue;
    if ('data' in part.source && part.mediaType.startsWith('image/')) images.push(part.source.data);
    else losses.push({ where: `${where}.${index}`, what: 'Only the bytes of images can be sent, so it was left out' });
  }
  return images.length > 0 ? { images } : {};
}
