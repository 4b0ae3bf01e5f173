import { newPlace, quoteClosers } from '../placement/place.ts';
import { endsInQuestion } from '../placement/question.ts';
import { passText } from '../placement/track-text.ts';
import type { PromptedRegion } from './regions.ts';

/** No more than this is looked through around a call, so that reading stays linear. */
const reach = 400;
/** What stands around calls, and between them: brackets of their list, quotes. */
export const light = /^[\s[\](){},;'"`*]*$/;

/** What ends in a colon, and a line of its own. */
const introduces = /[:：]\s*\n[\s[`]*$/;
const goesOn = /^[\])]?[,;]?[ \t]{1,4}(?!or \[\])\p{Ll}/u;
const asks = /^["'`\])]{0,3}[ \t]*[?？؟]/;
/** A request to confirm, behind a call. */
const confirms = /^\s*(?:please )?(?:confirm\b|type ["“'`]?(?:yes|ok)|reply ["“'`]?(?:yes|ok)|say ["“'`]?(?:yes|ok))/im;
/** Words and a blank, then the call: it breaks into a sentence, unless a colon or an arrow led to it. */
const words = /[\p{L}\p{N}][^:：=>→]*[^\S\n]["'`*]*$/u;
/** Comments, and operators that make code of it which does not run here. */
const marks = /^\s*(?:\/\/|--|;|%|@\w)|(?:\bnot|\blambda[^:\n]{0,40}:)\s+$/;

/** A call whose first quote is escaped. */
const escaped = /^[^"'\n(]{1,200}\([^"'\n]{0,200}\\["']/;

/** Whether a stretch of an answer is quoted, shown or spoken of, so that no call in it was made; `from`: where the one before it ends, `to`: where the next begins. */
export function isQuoted(
  text: string,
  from: number,
  { start, end, form }: PromptedRegion,
  to: number,
  destroys: boolean,
): boolean {
  const around = text.slice(Math.max(0, start - reach), start);
  const near = around.replace(/(?:<[^<>\n]{1,40}>\s*(?:call:)?|```\w*\n\s*)$/, '');
  const line = near.slice(near.lastIndexOf('\n') + 1);
  const behind = text.slice(end, Math.min(to, end + reach));
  const rest = behind.replace(/^(?:\s*<\/[^<>\n]{1,40}>|\s*\n```)/, '');
  const [after = ''] = rest.split('\n', 1);
  if (/^\s*>/.test(line) || (/^\s*\|/.test(line) && after.includes('|'))) return true;
  if (near.lastIndexOf('<!--') > near.lastIndexOf('-->') && text.slice(start, end + reach).includes('-->')) return true;
  // Inline code that begins an answer, or that more than a label leads in, may hold what was asked for, as many models write it.
  const isIn = (line.match(/`+/g)?.length ?? 0) % 2 === 1 && after.includes('`');
  const lead = text.slice(from, start);
  const isLed = light.test(lead) || ((from > 0 || lead.length > 100) && introduces.test(around));
  if (isIn && (destroys || !isLed || /^[^`]*`+.*[\p{L}\p{N}]/u.test(after))) return true;
  const quote = near.slice(-1);
  // Right behind a quote or a bracket a marker is spoken of.
  if (near !== around && (/["'`([]/.test(quote) || quoteClosers(quote) !== '')) return true;
  if (rest !== behind && /^["'`”’»」]/.test(rest)) return true;
  const closers = closersOf(near === around ? quote.replace(/[([]/, '') : near);
  const isAlone =
    !destroys && lead.length > 100 && /[:：]\s*\n\s*['"]$/.test(around) && /^['"]\s*$/.test(text.slice(end));
  // In a list, quotes stand around calls that were asked for as a list.
  if (closers.includes(rest[0] ?? ' ') && !isAlone && (near !== around || !/[[,]\s*.$/.test(near))) return true;
  // A literal whose quotes are escaped inside.
  if (
    near === around &&
    /["']/.test(quote) &&
    !/[[,]\s*.$/.test(near) &&
    escaped.test(text.slice(start, start + reach))
  )
    return true;
  if (/("""|''')\s*$/.test(near) && /^\s*(?:"""|''')/.test(rest)) return true;
  if ((to === text.length && goesOn.test(after)) || asks.test(after)) return true;
  if (!destroys) return false;
  const begun = text.slice(Math.max(from, start - line.length), start);
  return (form !== 'list' && words.test(begun)) || marks.test(begun);
}

/** What would close the quotes and brackets that a text opens. */
function closersOf(text: string): string {
  const place = newPlace();
  passText(place, text);
  return place.awaited + place.curly;
}

/** Whether an answer ends by asking whether it shall be done. */
export const asksForConfirmation = (text: string, end: number): boolean => {
  const rest = text.slice(end);
  return rest.length < reach && (endsInQuestion(rest) || confirms.test(rest));
};
