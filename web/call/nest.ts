import type { Placed } from './place-marks.ts';

/** A segment of text. A marked one can contain others. */
export type Stretch =
  | { readonly type: 'plain'; readonly text: string }
  | { readonly type: 'marked'; readonly marks: Placed['marks']; readonly inner: readonly Stretch[] };

/** Splits a text into nested segments. `placed` is sorted by start, longer ones first. */
export function nest(text: string, placed: readonly Placed[]): readonly Stretch[] {
  let next = 0;
  const within = (from: number, to: number): Stretch[] => {
    const out: Stretch[] = [];
    let at = from;
    const plain = (until: number) => {
      if (until > at) out.push({ type: 'plain', text: text.slice(at, until) });
      at = Math.max(at, until);
    };
    for (;;) {
      const one = placed[next];
      if (!one || one.start > to || (one.start === to && one.end > to)) break;
      next++;
      // Overlapping segments are shortened to the remaining part.
      const start = Math.max(at, one.start);
      const end = Math.max(start, Math.min(one.end, to));
      plain(start);
      out.push({ type: 'marked', marks: one.marks, inner: within(start, end) });
      at = end;
    }
    plain(to);
    return out;
  };
  return within(0, text.length);
}
