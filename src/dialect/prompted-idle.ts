const comment = /(?:^|\s)#(?!#)/;
const never = /^\s*(?:(?:el)?if|while)\s*\(?\s*(?:False|0|None|not\s+True)\s*\)?\s*:/;
const definition = /^\s*(?:(?:async\s+)?def|class)\s[^\n]*:/;
/** Code that ends here: nothing behind it in its block is reached. */
const stops =
  /^\s*(?:return(?:\s+[\w.()'"[\]{}]{1,80})?|raise\s+\w[^\n]{0,200}|(?:sys\.|os\._)?exit\([^\n]{0,80}\)|quit\(\)|assert\s+False\b[^\n]{0,200})\s*;?\s*$/;
const always = /^\s*(?:el)?if\s*\(?\s*(?:True|1|not\s+False)\s*\)?\s*:/;
const otherwise = /^\s*(?:else\s*:|elif\s)/;
/** Text that code holds: given to a name or a function, or returned. */
const held = /(?:[\w\])]\s{0,4}=\s{0,4}|[\w.]\(\s{0,4}|\breturn\s{1,4})[rRbBuUfF]{0,2}(["'])(?:\\.|(?!\1)[^\\])*$/;
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
  if (held.test(before)) return true;
  let indent = /^[ \t]*/.exec(before)?.[0].length ?? 0;
  let end = line - 1;
  let other = otherwise.test(before);
  for (let lines = 0; end > 0 && lines < furthest; lines++) {
    const start = near.lastIndexOf('\n', end - 1) + 1;
    const above = near.slice(start, Math.min(end, start + 400));
    end = start - 1;
    const size = /^[ \t]*/.exec(above)?.[0].length ?? 0;
    if (size > indent || !/\S/.test(above)) continue;
    if (stops.test(above) || (other && always.test(above))) return true;
    if (size === indent) continue;
    if (never.test(above) || definition.test(above)) return true;
    other = otherwise.test(above);
    indent = size;
  }
  return false;
}
