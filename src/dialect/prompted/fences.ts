/** A fence of code: where its first line begins, where what it holds begins and ends, and where its last line ends. */
export interface Fence {
  readonly open: number;
  readonly body: number;
  readonly close: number;
  readonly end: number;
  readonly language: string;
}

const mark = /^[ \t]*(?:(?:[-*+>]|\d{1,3}[.)])[ \t]+)?(`{3,}|~{3,})[ \t]*([\w+#.-]*)([^\n`]*)$/gm;

/** Finds the fences of a text, in order; one that nothing closes goes on to the end. */
export function fencesIn(text: string): Fence[] {
  const found: Fence[] = [];
  let open:
    | { readonly at: number; readonly body: number; readonly mark: string; readonly language: string }
    | undefined;
  mark.lastIndex = 0;
  for (let match = mark.exec(text); match; match = mark.exec(text)) {
    const [line, run = '', language = '', more = ''] = match;
    const end = match.index + line.length;
    if (!open)
      open = { at: match.index, body: Math.min(text.length, end + 1), mark: run, language: infoOf(language, more) };
    else if (language === '' && more.trim() === '' && run.startsWith(open.mark)) {
      found.push({ open: open.at, body: open.body, close: match.index, end, language: open.language });
      open = undefined;
    }
  }
  if (open)
    found.push({ open: open.at, body: open.body, close: text.length, end: text.length, language: open.language });
  return found;
}

/** The language of a fence. Words after it (`json example only`) say more about the code, so that it is another language. */
const infoOf = (language: string, more: string): string => (language + more).trim().toLowerCase();

/** Where the first fence is that ends behind a place. */
export function fenceFrom(fences: readonly Fence[], at: number): number {
  let [low, high] = [0, fences.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((fences[middle] as Fence).end <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The fence that a place stands in. */
export function fenceAt(fences: readonly Fence[], at: number): Fence | undefined {
  const fence = fences[fenceFrom(fences, at)];
  return fence && fence.body <= at && at < fence.close ? fence : undefined;
}

const python = /^(?:py|python3?)$/;

/** Whether a fence holds Python: by its language, or because it begins with an assignment. */
export const isCode = (text: string, { language, body }: Fence): boolean =>
  python.test(language) || (language === '' && /^[ \t]*[a-z_]\w* = \S/.test(text.slice(body, body + 100)));
