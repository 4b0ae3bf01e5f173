const comment = /(?:^|\s)#(?!#)/;
const never = /^\s*(?:(?:el)?if|while)\s*\(?\s*(?:False|0|None|not\s+True)\s*\)?\s*:/;
const definition = /^\s*(?:(?:async\s+)?def|class)\s[^\n]*:/;
const furthest = 40;
/** No more than this is looked back through, so that reading stays linear. */
const reach = 2000;

/** Whether what stands at a place is a comment, or code that nothing reaches: no call, whoever wrote it. */
export function isIdle(text: string, at: number): boolean {
  const near = text.slice(Math.max(0, at - reach), at);
  const line = near.lastIndexOf('\n') + 1;
  const before = near.slice(Math.max(line, near.length - 400));
  if (comment.test(before.replace(/"[^"]*"|'[^']*'/g, '')) || never.test(before) || definition.test(before))
    return true;
  let indent = /^[ \t]*/.exec(before)?.[0].length ?? 0;
  let end = line - 1;
  for (let lines = 0; indent > 0 && end > 0 && lines < furthest; lines++) {
    const start = near.lastIndexOf('\n', end - 1) + 1;
    const above = near.slice(start, Math.min(end, start + 400));
    end = start - 1;
    const size = /^[ \t]*/.exec(above)?.[0].length ?? 0;
    if (size >= indent || !/\S/.test(above)) continue;
    if (never.test(above) || definition.test(above)) return true;
    indent = size;
  }
  return false;
}
