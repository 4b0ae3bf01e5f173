import { visible } from '../../log/shown/visible.ts';
import { keysInOrder } from '../../tools/tool.ts';

/** More lines than this are shown as removed and added, because comparing them takes too long. */
const mostLines = 2000;

/**
 * Lines of a definition, marked with `-` and `+` if they differ from the accepted one. Characters that are invisible or
 * act on a terminal are escaped.
 */
export function changedLines(before: unknown, after: unknown): string[] {
  const now = linesOf(after);
  if (before === undefined) return now.map((line) => `  ${line}`);
  const old = linesOf(before);
  if (old.length > mostLines || now.length > mostLines)
    return [...old.map((line) => `- ${line}`), ...now.map((line) => `+ ${line}`)];
  return difference(old, now);
}

/** A value as sorted JSON. Each line of a text is a line here, so that a change in a long description is visible. */
const linesOf = (value: unknown): string[] =>
  (JSON.stringify(value, keysInOrder, 2) ?? '').split('\n').flatMap((line) => line.split(/(?<=\\n)/).map(visible));

/** The longest common subsequence, from a table of its lengths. */
function difference(old: readonly string[], now: readonly string[]): string[] {
  const lengths = Array.from({ length: old.length + 1 }, () => new Uint16Array(now.length + 1));
  const at = (a: number, b: number): number => lengths[a]?.[b] ?? 0;
  for (let a = old.length - 1; a >= 0; a -= 1) {
    const row = lengths[a] as Uint16Array;
    for (let b = now.length - 1; b >= 0; b -= 1)
      row[b] = old[a] === now[b] ? at(a + 1, b + 1) + 1 : Math.max(at(a + 1, b), at(a, b + 1));
  }
  const lines: string[] = [];
  let [a, b] = [0, 0];
  while (a < old.length || b < now.length) {
    if (a < old.length && b < now.length && old[a] === now[b]) {
      lines.push(`  ${old[a]}`);
      a += 1;
      b += 1;
    } else if (b >= now.length || (a < old.length && at(a + 1, b) >= at(a, b + 1))) {
      lines.push(`- ${old[a]}`);
      a += 1;
    } else {
      lines.push(`+ ${now[b]}`);
      b += 1;
    }
  }
  return lines;
}
