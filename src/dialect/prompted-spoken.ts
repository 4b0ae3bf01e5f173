import { quotePairs } from './place.ts';
import type { PromptedRegion } from './prompted-regions.ts';

/** No more than this is looked through around a call, so that reading stays linear. */
const reach = 400;
const goesOn = /^[\])]?[,;]?[ \t]{1,4}(?!or \[\])\p{Ll}/u;
const asks = /^["'`\])]{0,3}[ \t]*[?？؟]/;
const ends = /[?？؟]["'`)*_\s]*$/;
/** What tells a refusal or a request to confirm from a call, in a line that would be read as one: of tools that destroy none is. */
const refuses =
  /\b(?:never|do not|don['’]t|won['’]t|will not|wouldn['’]t|cannot|can['’]t|refuse|shall i|should i|told me to|for example|e\.g\.|nicht|niemals|soll ich)\b[^.!?\n]{0,80}$/i;
const confirms = /^\s*(?:please )?(?:confirm\b|type ["“'`]?(?:yes|ok)|reply ["“'`]?(?:yes|ok)|say ["“'`]?(?:yes|ok))/im;
/** Words and a blank, then the call: it breaks into a sentence, unless a colon or an arrow led to it. */
const words = /[\p{L}\p{N}][^:：=>→]*[^\S\n]["'`*]*$/u;
/** Comments, and operators that make code of it which does not run here. */
const marks = /^\s*(?:\/\/|--|;|%|@\w)|(?:\bnot|\blambda[^:\n]{0,40}:)\s+$/;
const element = /<(\w[\w-]{1,30})>\s*$/;

/** Whether a stretch of an answer is quoted, shown or spoken of, so that no call in it was made; `from`: where the one before it ends. */
export function isSpoken(
  text: string,
  from: number,
  { start, end, form }: PromptedRegion,
  last: boolean,
  destroys: boolean,
): boolean {
  const around = text.slice(Math.max(0, start - reach), start);
  const near = around.replace(/<[^<>\n]{1,40}>$/, '');
  const line = near.slice(near.lastIndexOf('\n') + 1);
  const behind = text.slice(end, end + reach);
  const rest = behind.replace(/^<\/[^<>\n]{1,40}>/, '');
  const [after = ''] = rest.split('\n', 1);
  if (/^\s*>/.test(line) || (/^\s*\|/.test(line) && after.includes('|'))) return true;
  if (near.lastIndexOf('<!--') > near.lastIndexOf('-->') && rest.includes('-->')) return true;
  // A line that is nothing but code holds what was asked for, as many models write it.
  const isIn = (line.match(/`+/g)?.length ?? 0) % 2 === 1 && after.includes('`') && !/^\s*```/.test(line);
  if (isIn && (destroys || /[\p{L}\p{N}][^`]*`+[^`]*$/u.test(line) || /^[^`]*`+.*[\p{L}\p{N}]/u.test(after)))
    return true;
  const quote = near.slice(-1);
  const closers = quote === '"' || quote === "'" ? quote : (quotePairs[quote] ?? '');
  // In a list, quotes stand around calls that were asked for as a list.
  if (closers.includes(rest[0] ?? ' ') && !/[[,]\s*.$/.test(near)) return true;
  if (/("""|''')\s*$/.test(near) && /^\s*(?:"""|''')/.test(rest)) return true;
  if ((last && goesOn.test(after)) || asks.test(after) || refuses.test(line)) return true;
  if (!destroys) return false;
  const lead = text.slice(Math.max(from, start - line.length), start);
  return (
    (form !== 'list' && words.test(lead)) ||
    marks.test(lead) ||
    isWordList(text, start, end) ||
    isElement(around, behind)
  );
}

/** Words in quotes, as JSON lists them. */
const isWordList = (text: string, start: number, end: number): boolean =>
  /^\[\s*"(?:[^"\\]|\\.)*"\s*(?:,|\]$)/.test(text.slice(start, end));

/** An element stands around it that shows what it holds. */
function isElement(before: string, behind: string): boolean {
  const name = element.exec(before)?.[1];
  return (
    name !== undefined &&
    !/call|tool$|function$|action$|json/i.test(name) &&
    behind.trimStart().startsWith(`</${name}>`)
  );
}

/** Whether an answer ends by asking whether it shall be done. */
export const asksFirst = (text: string, end: number): boolean => {
  const rest = text.slice(end);
  return rest.length < reach && (ends.test(rest) || confirms.test(rest));
};
