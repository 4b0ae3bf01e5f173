/**
 * The name of a field, quoted or not, or of what is set to something, and the quote that opens its text; in JSON within JSON
 * quotes carry backslashes.
 */
const opening =
  /(?<![A-Za-z0-9_]|[A-Za-z0-9_]-)(_{0,2}[A-Za-z][A-Za-z0-9_-]{1,60})(?:(?:\\*["'])?\s*(?:=>|:=?)\s*|(?:\\*["']\])?[ \t]{0,2}=[ \t]{0,2})(\\*)(["'])/g;

/**
 * Other places where a name goes before a quoted text: a flag, in a command or a list of arguments; a pair of name and value;
 * a header in a list of two.
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
 * Puts something in place of the texts of fields in JSON and what resembles it, to any depth of JSON within JSON. Each
 * character is looked at a bounded number of times.
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
    // Only the opening was taken, so that fields within the text of another field are found too.
    const from = form.lastIndex;
    // A shell puts the value of a variable there.
    if (!isSecret(name) || text[from] === '$') continue;
    const end = endOfText(text, from, quote, slashes.length);
    if (end > from) parts.push(text.slice(kept, from), instead);
    kept = end;
    form.lastIndex = end;
  }
  return parts.length === 0 ? text : parts.join('') + text.slice(kept);
}

/** Where a field begins whose text is a secret and is not closed yet; the text's length where there is none. */
export function openField(text: string, isSecret: (name: string) => boolean): number {
  return Math.min(...[opening, paired].map((form) => openBehind(form, text, isSecret)));
}

function openBehind(form: RegExp, text: string, isSecret: (name: string) => boolean): number {
  form.lastIndex = 0;
  for (let found = form.exec(text); found; found = form.exec(text)) {
    const [name = '', slashes = '', quote = ''] = found.slice(1).filter((group) => group !== undefined);
    if (!isSecret(name)) continue;
    const end = endOfText(text, form.lastIndex, quote, slashes.length);
    // What stands before the name belongs to the form: dashes, or the key of the name.
    if (end === text.length) return Math.max(0, found.index - (form === paired ? 20 : 0));
    form.lastIndex = end;
  }
  return text.length;
}

/** Where the text ends that was opened by a quote with so many backslashes; at the very end where nothing closes it. */
function endOfText(text: string, from: number, quote: string, slashes: number): number {
  for (let at = text.indexOf(quote, from); at !== -1; at = text.indexOf(quote, at + 1)) {
    let run = 0;
    while (at - run > from && text[at - run - 1] === '\\') run += 1;
    // A level deeper each backslash and each quote has twice as many and one.
    if (run % (2 * (slashes + 1)) === slashes) return at - slashes;
  }
  return text.length;
}
