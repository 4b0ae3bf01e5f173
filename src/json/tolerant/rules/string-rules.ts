import { innerQuotes } from '../../problem.ts';
import type { OpenString } from '../state.ts';
import { escapeFault } from './escape-rules.ts';

/** Blanks that typography puts inside quotes. */
const spaced = /^(?:[«‹](?:\p{Zs}.*|.*\p{Zs})|[^ -~]\p{Zs}.*\p{Zs})$/su;

/** Why the text of a string or key is ambiguous, whatever follows it. */
export const textFault = ({ quote, text, escapes }: OpenString): string | undefined =>
  quote > '~' && spaced.test(quote + text) ? 'has spaces inside typographic quotes' : escapeFault(escapes, text, quote);

/** Why a closed string is ambiguous. */
export function stringFault(string: OpenString): string | undefined {
  const { quote, text, triple, commented, pieces, inner, escapes } = string;
  const { quotes } = escapes;
  const reasons = [
    commented && 'may continue in the comment after it; leave the comment out, or write \\" for a quote',
    textFault(string),
    // Next to escaped quotes, the quotes between the pieces may be unescaped quotes of the text.
    (pieces === 'doubted' || (pieces && quotes % 2 === 1) || (pieces === 'beside' && quotes > 0)) &&
      'is in pieces or has quotes inside; write one string, with \\" for a quote',
    // Text with quotes inside may extend beyond the three quotes that end it. Doubled, they may be one quote each.
    triple && text.includes(quote.repeat(2)) && 'has doubled quotes; write one string, with \\" for a quote',
    quote === '`' && text.includes('${') && 'is a template; write its value',
    inner.count > 0 && !inner.paired && innerQuotes,
  ];
  return reasons.find(Boolean) || undefined;
}

/** Why it is ambiguous only if the text is damaged elsewhere. */
export function stringDoubt({ quote, text, escapes }: OpenString): string | undefined {
  if (escapes.overEscaped > 0 && escapes.quotes === 0)
    return 'has quotes after three backslashes; write \\" for a quote';
  // Also within other quotes: if every quote is escaped, the backslash may be superfluous.
  const all = quote !== '"' && (text.match(/\\"/g)?.length ?? 0) > 1 && !/(?<!\\)"/.test(text);
  return all ? 'has a backslash before every quote; write \\" for a quote' : undefined;
}
