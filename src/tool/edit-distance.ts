/** Says how far a word is from the one it was made for; more than `max` when it is further than `max`. */
export type Distance = (word: string, max: number) => number;

const wordSize = 32;

/**
 * Prepares the edit distance (insert, delete, replace) from one text to many. Short texts go by bits, a column of the
 * table at a time (Myers 1999); longer ones row by row with an early end.
 */
export const editDistance = (from: string): Distance =>
  from.length > 0 && from.length <= wordSize ? byBits(from) : (word, max) => byRows(from, word, max);

function byBits(from: string): Distance {
  const ascii = new Int32Array(128);
  const others = new Map<number, number>();
  for (let i = 0; i < from.length; i++) {
    const code = from.charCodeAt(i);
    if (code < 128) ascii[code] = (ascii[code] ?? 0) | (1 << i);
    else others.set(code, (others.get(code) ?? 0) | (1 << i));
  }
  const last = 1 << (from.length - 1);
  return (word, max) => {
    if (Math.abs(word.length - from.length) > max) return max + 1;
    let up = -1;
    let down = 0;
    let distance = from.length;
    for (let i = 0; i < word.length; i++) {
      const code = word.charCodeAt(i);
      const equal = (code < 128 ? ascii[code] : others.get(code)) ?? 0;
      const across = (((equal & up) + up) ^ up) | equal;
      let right = down | ~(across | up);
      let left = up & across;
      if (right & last) distance++;
      else if (left & last) distance--;
      // Each letter left can bring the distance down by one at most.
      if (distance - (word.length - 1 - i) > max) return max + 1;
      right = (right << 1) | 1;
      left <<= 1;
      const along = equal | down;
      up = left | ~(along | right);
      down = right & along;
    }
    return distance;
  };
}

function byRows(a: string, b: string, max: number): number {
  if (Math.abs(b.length - a.length) > max) return max + 1;
  // Long names mostly share their beginning (a server's name) and their end; what is shared costs nothing.
  const most = Math.min(a.length, b.length);
  let start = 0;
  while (start < most && a.charCodeAt(start) === b.charCodeAt(start)) start++;
  let end = 0;
  while (end < most - start && a.charCodeAt(a.length - 1 - end) === b.charCodeAt(b.length - 1 - end)) end++;
  const from = a.slice(start, a.length - end);
  const word = b.slice(start, b.length - end);
  let row = Array.from({ length: from.length + 1 }, (_, i) => i);
  for (let i = 0; i < word.length; i++) {
    const next = [i + 1];
    let least = i + 1;
    for (let j = 0; j < from.length; j++) {
      const same = word.charCodeAt(i) === from.charCodeAt(j) ? 0 : 1;
      const cell = Math.min((row[j] ?? 0) + same, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1);
      next.push(cell);
      least = Math.min(least, cell);
    }
    if (least > max) return max + 1;
    row = next;
  }
  return row[from.length] ?? word.length;
}
