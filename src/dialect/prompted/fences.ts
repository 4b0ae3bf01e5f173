/** A code fence: the start of its first line, the start and end of its content, and the end of its last line. */
export interface Fence {
  readonly open: number;
  readonly body: number;
  readonly close: number;
  readonly end: number;
  readonly language: string;
}

const mark = /^[ \t]*(?:(?:[-*+>]|\d{1,3}[.)])[ \t]+)?(`{3,}|~{3,})[ \t]*([\w+#.-]*)([^\n`]*)$/gm;

/** Finds the fences of a text, in order. An unclosed fence continues to the end. */
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

/** The language of a fence. Words after it (`json example only`) describe the code, so it counts as another language. */
const infoOf = (language: string, more: string): string => (language + more).trim().toLowerCase();

/** The index of the first fence that ends after an offset. */
export function fenceFrom(fences: readonly Fence[], at: number): number {
  let [low, high] = [0, fences.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((fences[middle] as Fence).end <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The fence around an offset. */
export function fenceAt(fences: readonly Fence[], at: number): Fence | undefined {
  const fence = fences[fenceFrom(fences, at)];
  return fence && fence.body <= at && at < fence.close ? fence : undefined;
}

const python = /^(?:py|python3?)$/;

/** Whether a fence contains Python: by its language, or because it starts with an assignment. */
export const isCode = (text: string, { language, body }: Fence): boolean =>
  python.test(language) || (language === '' && /^[ \t]*[a-z_]\w* = \S/.test(text.slice(body, body + 100)));
