import { unclosed } from './reading.ts';
import type { JsonValue } from './value.ts';

/**
 * Whether the missing brackets of a value may have been lost together at an earlier place, or one of them alone: if the
 * same text without them is another value that fits.
 */
export function closesElsewhere(value: unknown, fits: (value: JsonValue) => boolean): boolean {
  const all = lostIn(value, []);
  if (!all.some(Array.isArray)) return false;
  // Limits the work. Beyond it, the place isn't certain.
  let room = all.length > 8 ? 0 : 4_000_000;
  return [all, ...(all.length > 1 ? all.map((one) => [one]) : [])].some((lost) => {
    const { length } = lost;
    let text = '';
    let places: [at: number, closers: string][] = [];
    const write = (held: unknown, outer: string): void => {
      if (typeof held !== 'object' || held === null) {
        text += JSON.stringify(held);
        return;
      }
      const isList = Array.isArray(held);
      const isLost = lost.includes(held);
      const closers = (isList ? ']' : '}') + outer;
      text += isList ? '[' : '{';
      for (const [i, [key, item]] of Object.entries(held).entries()) {
        // Items may move to a list further out, and only from the last item of the list that lacks its bracket.
        if (i && isList && isLost) places = [];
        else if (i && isList && closers[length] === ']') places.push([text.length, closers.slice(0, length)]);
        text += (i ? ',' : '') + (isList ? '' : `${JSON.stringify(key)}:`);
        write(item, closers);
      }
      if (!isLost) text += closers[0];
    };
    write(value, '');
    // In a long list, places in the middle fit like those around them.
    return [...places.splice(-32), ...places.slice(0, 32)].some(([at, closers]) => {
      room -= text.length;
      if (room < 0) return true;
      try {
        return fits(JSON.parse(text.slice(0, at) + closers + text.slice(at)));
      } catch {
        return false;
      }
    });
  });
}

/** The objects and lists in a value that lack their bracket. */
function lostIn(value: unknown, found: object[]): object[] {
  if (typeof value !== 'object' || value === null) return found;
  if (unclosed.has(value)) found.push(value);
  for (const item of Object.values(value)) lostIn(item, found);
  return found;
}
