import { newPlace, quoteClosers } from '../placement/place.ts';
import { endsInQuestion } from '../placement/question.ts';
import { passText } from '../placement/track-text.ts';
import type { PromptedRegion } from './regions.ts';

/** The maximum number of characters to check around a call, so that reading stays linear. */
const reach = 400;
/** Characters around and between calls: brackets of their list, quotes. */
export const light = /^[\s[\](){},;'"`*]*$/;

/** Text that ends in a colon, and a separate line. */
const introduces = /[:：]\s*\n[\s[`]*$/;
const goesOn = /^[\])]?[,;]?[ \t]{1,4}(?!or \[\])\p{Ll}/u;
const asks = /^["'`\])]{0,3}[ \t]*[?？؟]/;
/** A request for confirmation after a call. */
const confirms = /^\s*(?:please )?(?:confirm\b|type ["“'`]?(?:yes|ok)|reply ["“'`]?(?:yes|ok)|say ["“'`]?(?:yes|ok))/im;
/** Words and a space before the call: it interrupts a sentence, unless a colon or an arrow introduces it. */
const words = /[\p{L}\p{N}][^:：=>→]*[^\S\n]["'`*]*$/u;
/** Comments, and operators that turn it into code that doesn't run here. */
const marks = /^\s*(?:\/\/|--|;|%|@\w)|(?:\bnot|\blambda[^:\n]{0,40}:)\s+$/;

/** A call whose first quote is escaped. */
const escaped = /^[^"'\n(]{1,200}\([^"'\n]{0,200}\\["']/;

/**
 * Whether a region of a response is quoted, shown or mentioned, so that no call in it counts. `from` is the end of the
 * region before it, `to` the start of the next one.
 */
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
  // Inline code at the start of a response, or after more than a label, may contain the call. Many models write it this way.
  const isIn = (line.match(/`+/g)?.length ?? 0) % 2 === 1 && after.includes('`');
  const lead = text.slice(from, start);
  const isLed = light.test(lead) || ((from > 0 || lead.length > 100) && introduces.test(around));
  if (isIn && (destroys || !isLed || /^[^`]*`+.*[\p{L}\p{N}]/u.test(after))) return true;
  const quote = near.slice(-1);
  // A marker right after a quote or a bracket is only mentioned.
  if (near !== around && (/["'`([]/.test(quote) || quoteClosers(quote) !== '')) return true;
  if (rest !== behind && /^["'`”’»」]/.test(rest)) return true;
  const closers = closersOf(near === around ? quote.replace(/[([]/, '') : near);
  const isAlone =
    !destroys && lead.length > 100 && /[:：]\s*\n\s*['"]$/.test(around) && /^['"]\s*$/.test(text.slice(end));
  // In a list, calls can be in quotes.
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

/** The characters that would close the quotes and brackets that a text opens. */
function closersOf(text: string): string {
  const place = newPlace();
  passText(place, text);
  return place.awaited + quoteClosers(place.curly);
}

/** Whether a response ends with a question about whether to make the call. */
export const asksForConfirmation = (text: string, end: number): boolean => {
  const rest = text.slice(end);
  return rest.length < reach && (endsInQuestion(rest) || confirms.test(rest));
};
