import type { JsonObject } from '../../json/value.ts';
import type { AssistantPart } from '../../turn/turn.ts';
import type { Warning } from '../wire.ts';
import { writeItem } from './write-item.ts';

/**
 * Writes the parts of an answer as items.
 *
 * @param dress makes of an item that nothing was carried along for what the wire wants in this place
 */
export function writeItems(
  parts: readonly AssistantPart[],
  dress: (item: JsonObject) => JsonObject,
  losses: Warning[],
  where: string,
): JsonObject[] {
  const items: JsonObject[] = [];
  parts.forEach((part, index) => {
    const written = writeItem(part, losses, `${where}.${index}`);
    if (!written) return;
    if ('item' in written) {
      items.push(written.fresh ? dress(written.item) : written.item);
      return;
    }
    const content = items.at(-1)?.role === 'assistant' ? items.at(-1)?.content : undefined;
    if (Array.isArray(content)) content.push(written.more);
    else items.push(dress({ role: 'assistant', content: [written.more] }));
  });
  return items;
}
