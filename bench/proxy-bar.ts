/** A measurement and its target. */
export type Bar = readonly [what: string, value: number, good: boolean];

/** Prints bars, and returns whether all of them were met. */
export function showBars(bars: readonly Bar[]): boolean {
  for (const [what, value, good] of bars) console.log(`${good ? 'met   ' : 'MISSED'} ${what}: ${value.toFixed(2)}`);
  return bars.every(([, , good]) => good);
}
