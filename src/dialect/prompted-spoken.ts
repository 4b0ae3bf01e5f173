/** No more than this is looked through around a call, so that reading stays linear. */
const reach = 400;
const foreign =
  /^(?:ba|z|fi)?sh$|^(?:shell|console|terminal|powershell|cmd|ya?ml|toml|ini|http|diff|patch|logs?|sql|html|xml|markdown|md|csv)$/i;
const goesOn = /^[\])]?[,;]?[ \t]{1,4}\p{Ll}/u;
const asks = /^["'`\])]{0,3}[ \t]*[?？]/;
const ends = /[?？]["'`)*_\s]*$/;
const refuses =
  /\b(?:never|do not|don['’]t|won['’]t|will not|wouldn['’]t|cannot|can['’]t|refuse|shall i|should i|told me to|for example|e\.g\.|nicht|niemals|soll ich)\b[^.!?\n]{0,80}$/i;
const confirms = /^\s*(?:please )?(?:confirm\b|type ["“'`]?(?:yes|ok)|reply ["“'`]?(?:yes|ok)|say ["“'`]?(?:yes|ok))/im;
const pairs: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '“': '”',
  '„': '“',
  '«': '»',
  '‘': '’',
  '「': '」',
};

/** Whether a stretch of an answer is quoted, shown or spoken of, so that no call in it was made. */
export function isSpoken(text: string, start: number, end: number, last: boolean): boolean {
  const near = text.slice(Math.max(0, start - reach), start).replace(/<[^<>\n]{1,40}>$/, '');
  const line = near.slice(near.lastIndexOf('\n') + 1);
  const rest = text.slice(end, end + reach).replace(/^<\/[^<>\n]{1,40}>/, '');
  const [after = ''] = rest.split('\n', 1);
  if (/^\s*>/.test(line) || (/^\s*\|/.test(line) && after.includes('|'))) return true;
  if (near.lastIndexOf('<!--') > near.lastIndexOf('-->') && rest.includes('-->')) return true;
  // A line that is nothing but code holds what was asked for, as many models write it.
  const isIn = (line.match(/`+/g)?.length ?? 0) % 2 === 1 && after.includes('`') && !/^\s*```/.test(line);
  if (isIn && (/[\p{L}\p{N}][^`]*`+[^`]*$/u.test(line) || /^[^`]*`+.*[\p{L}\p{N}]/u.test(after))) return true;
  const closer = pairs[near.slice(-1)];
  // In a list, quotes stand around calls that were asked for as a list.
  if (closer !== undefined && rest.startsWith(closer) && !/[[,]\s*.$/.test(near)) return true;
  if (/("""|''')\s*$/.test(near) && /^\s*(?:"""|''')/.test(rest)) return true;
  const fence = /(?:^|\n)[ \t]*```[ \t]*([\w+-]*)[^\n`]*\n(?:(?!\n[ \t]*```)[\s\S])*$/.exec(near)?.[1];
  if (fence !== undefined && foreign.test(fence)) return true;
  return (last && goesOn.test(after)) || asks.test(after) || refuses.test(line);
}

/** Whether an answer ends by asking whether it shall be done. */
export const asksFirst = (text: string, end: number): boolean => {
  const rest = text.slice(end);
  return rest.length < reach && (ends.test(rest) || confirms.test(rest));
};
