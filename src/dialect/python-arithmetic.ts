type Apply = (left: number, right: number) => number;

/** How strongly an operator binds, and what it does; Python's `%` and `//` round down. */
const table: Readonly<Record<string, readonly [binds: number, apply: Apply]>> = {
  '+': [1, (left, right) => left + right],
  '-': [1, (left, right) => left - right],
  '*': [2, (left, right) => left * right],
  '/': [2, (left, right) => left / right],
  '//': [2, (left, right) => Math.floor(left / right)],
  '%': [2, (left, right) => left - right * Math.floor(left / right)],
  '**': [4, (left, right) => left ** right],
};
/** A sign binds closer than a product and looser than a power. */
const sign = 3;

/**
 * Works out numbers joined by operators, given in the order they were written (`[2, '*', '-', 3]`); undefined where
 * that is no arithmetic or has no finite result. One pass with two stacks.
 */
export function arithmetic(parts: readonly (number | string)[]): number | undefined {
  const values: number[] = [];
  const waiting: { readonly binds: number; readonly apply: Apply; readonly unary: boolean }[] = [];
  const settle = (binds: number): void => {
    for (let top = waiting.at(-1); top && top.binds >= binds; top = waiting.at(-1)) {
      waiting.pop();
      const right = values.pop() as number;
      values.push(top.unary ? top.apply(0, right) : top.apply(values.pop() as number, right));
    }
  };
  let wantsValue = true;
  for (const part of parts) {
    if (typeof part === 'number') {
      if (!wantsValue) return undefined;
      values.push(part);
      wantsValue = false;
      continue;
    }
    const row = table[part];
    if (!row) return undefined;
    const [binds, apply] = row;
    if (wantsValue) {
      if (binds !== 1) return undefined;
      waiting.push({ binds: sign, apply, unary: true });
      continue;
    }
    // Powers group to the right, all else to the left.
    settle(part === '**' ? binds + 1 : binds);
    waiting.push({ binds, apply, unary: false });
    wantsValue = true;
  }
  if (wantsValue) return undefined;
  settle(0);
  const [result] = values;
  return values.length === 1 && Number.isFinite(result) ? result : undefined;
}
