/** A fenced block of a Markdown page. */
export interface Fence {
  /** The text after the opening fence: `ts`, `ts no-run`, `sh run`, … */
  readonly info: string;
  readonly code: string;
  /** The line of the opening fence, counted from 1. */
  readonly line: number;
}

const opening = /^( {0,3})(`{3,}|~{3,})(.*)$/;

/** Finds the fenced blocks of a Markdown page; one that is never closed extends to the end, as in Markdown. */
export const findFences = (markdown: string): Fence[] => {
  const fences: Fence[] = [];
  const lines = markdown.split(/\r?\n/);
  for (let at = 0; at < lines.length; at++) {
    const [, , mark, info = ''] = opening.exec(lines[at] ?? '') ?? [];
    if (mark === undefined) continue;
    const first = at + 1;
    do at++;
    while (at < lines.length && !isClosing(lines[at] ?? '', mark));
    fences.push({ info: info.trim(), code: lines.slice(first, at).join('\n'), line: first });
  }
  return fences;
};

const isClosing = (line: string, mark: string): boolean => {
  const text = line.trim();
  return text.length >= mark.length && text === mark.charAt(0).repeat(text.length);
};
