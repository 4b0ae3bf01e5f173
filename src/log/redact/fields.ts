/**
 * The name of a field or an assignment, quoted or not, and the opening quote of its value. In JSON within JSON, quotes
 * have backslashes. A type of TypeScript isn't one.
 */
const opening =
  /(?<![A-Za-z0-9_]|[A-Za-z0-9_]-|\btype |\\[nrt]type )(_{0,2}[A-Za-z][A-Za-z0-9_-]{1,60})(?:(?:\\*["'])?\s*(?:=>|:=?)\s*|(?:\\*["']\])?[ \t]{0,2}=[ \t]{0,2})(\\*)(["'])/g;

/**
 * Other forms of a name before a quoted value: a flag in a command or a list of arguments, a pair of name and value, a
 * header in a list of two.
 */
const paired = new RegExp(
  [
    `(?<=(?<![A-Za-z0-9_-])--?)([A-Za-z][A-Za-z0-9-]{1,60})(?:[ \\t]+|=|\\\\*["'],\\s*)(\\\\*)(["'])`,
    `(?<=(?:name|key|header)\\\\*["']?\\s{0,4}[:=]\\s{0,4}\\\\*["'])([A-Za-z][A-Za-z0-9_-]{1,60})\\\\*["'][\\s,]{1,9}\\\\*["']?val(?:ue)?\\\\*["']?\\s{0,4}[:=]\\s{0,4}(\\\\*)(["'])`,
    `(?<=\\[\\s{0,9}\\\\*["'])((?:Proxy-)?Authorization|(?:Set-)?Cookie|X-[A-Za-z0-9-]{1,40})\\\\*["'],\\s*(\\\\*)(["'])`,
    `(?<=(?<![A-Za-z0-9_])(?:define|setenv|putenv|setdefault|getenv|get|env|setItem)\\(\\\\*["'])([A-Za-z][A-Za-z0-9_-]{1,60})\\\\*["'],\\s*(\\\\*)(["'])`,
  ].join('|'),
  'gi',
);

/**
 * Replaces the values of secret fields in JSON and similar text, including JSON within JSON. Linear: each character is
 * read a bounded number of times.
 */
export function redactFields(text: string, isSecret: (name: string) => boolean, instead: string): string {
  return blotBehind(paired, blotBehind(opening, text, isSecret, instead), isSecret, instead);
}

function blotBehind(form: RegExp, text: string, isSecret: (name: string) => boolean, instead: string): string {
  const parts: string[] = [];
  let kept = 0;
  form.lastIndex = 0;
  for (let found = form.exec(text); found; found = form.exec(text)) {
    const [name = '', slashes = '', quote = ''] = found.slice(1).filter((group) => group !== undefined);
    // Continues after the opening quote, so that fields within the value are found too.
    const from = form.lastIndex;
    // A shell variable is not the secret itself.
    if (!isSecret(name) || text[from] === '$') continue;
    const end = endOfText(text, from, quote, slashes.length);
    if (end > from) parts.push(text.slice(kept, from), instead);
    kept = end;
    form.lastIndex = end;
  }
  return parts.length === 0 ? text : parts.join('') + text.slice(kept);
}

/** The offset of a secret field whose value is still open, or the length of the text. */
export function openField(text: string, isSecret: (name: string) => boolean): number {
  return Math.min(...[opening, paired].map((form) => openBehind(form, text, isSecret)));
}

function openBehind(form: RegExp, text: string, isSecret: (name: string) => boolean): number {
  form.lastIndex = 0;
  for (let found = form.exec(text); found; found = form.exec(text)) {
    const [name = '', slashes = '', quote = ''] = found.slice(1).filter((group) => group !== undefined);
    if (!isSecret(name)) continue;
    const end = endOfText(text, form.lastIndex, quote, slashes.length);
    // Includes what precedes the name: dashes, or the key of a pair.
    if (end === text.length) return Math.max(0, found.index - (form === paired ? 20 : 0));
    form.lastIndex = end;
  }
  return text.length;
}

/** The end of a value that was opened by a quote with this many backslashes, or the end of the text. */
function endOfText(text: string, from: number, quote: string, slashes: number): number {
  for (let at = text.indexOf(quote, from); at !== -1; at = text.indexOf(quote, at + 1)) {
    let run = 0;
    while (at - run > from && text[at - run - 1] === '\\') run += 1;
    // Each nesting level doubles the backslashes and adds one.
    if (run % (2 * (slashes + 1)) === slashes) return at - slashes;
  }
  return text.length;
}
