import type { TurnEvent } from '../../src/model/index.ts';
import { decodeStream } from '../../src/provider/wire/decode-stream.ts';
import type { Provider } from '../../src/provider/wire/types.ts';

/** All a decoder emits for these bytes, given whole or cut into pieces. */
export function decoded(provider: Provider, bytes: Uint8Array | string, cuts: readonly number[] = []): TurnEvent[] {
  const events: TurnEvent[] = [];
  const decoder = decodeStream(provider, (event) => events.push(event));
  const whole = typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes;
  let from = 0;
  for (const cut of [...cuts, whole.length]) {
    decoder.feed(whole.subarray(from, cut));
    from = cut;
  }
  decoder.end();
  return events;
}

/**
 * Events with made ids named by their order, so that two readings of the same bytes can be compared.
 *
 * @param kept ids that the wire gave itself
 */
export const withoutMadeIds = (events: readonly TurnEvent[], wire: string): TurnEvent[] =>
  JSON.parse(textWithoutMadeIds(events, wire));

/** The same as JSON: comparing two texts costs little, where thousands of readings are compared. */
export function textWithoutMadeIds(events: readonly TurnEvent[], wire: string): string {
  const names = new Map<string, string>();
  return JSON.stringify(events, (_, value) => {
    if (typeof value !== 'string' || value.length !== 29) return value;
    if (!/^call_[A-Za-z0-9]{24}$/.test(value) || wire.includes(value)) return value;
    if (!names.has(value)) names.set(value, `made-${names.size}`);
    return names.get(value);
  });
}
