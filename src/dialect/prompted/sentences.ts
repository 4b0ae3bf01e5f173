/** Code, quotations, tags and names of code. They count as one word, whatever they say. */
const quoted = /`[^`\n]*`|"[^"\n]*"|“[^”\n]*”|(?<!\p{L})'[^'\n]*'(?!\p{L})|<[^<>\n]{1,60}>/gu;
const identifier = /[\p{L}\p{N}]+(?:(?:[._]|\\_)+[\p{L}\p{N}]+)+(?:\([^()\n]*\))?/gu;
const fence = /^[ \t]*(?:`{3,}|~{3,}).*$/gm;
/** A constant that code sets before its call, and a call in a comment. */
const constant =
  /^[ \t]*#[ \t]*[\w.]+\([^\n]*\)[ \t]*$|^[ \t]*[A-Za-z_]\w*[ \t]*=(?!=)[ \t]*(?:\{[^{}]*\}|\[[^[\]]*\]|[^\n]*)$/gm;
/** Text that belongs to the start of a call: a fence, bracket, quote, tag or assignment. */
const openers =
  /(?:(?:`{3,}|~{3,})[ \t]*[\w+#.-]*[ \t\r]*\n|<[^<>\n]{1,40}>|(?:^|\n)[ \t]*[\w.]+[ \t]*=[ \t]*$|\bprint\($|\breturn[ \t]+$|[\s[({'"`*_>•-]|(?:^|\n)[ \t]*\d{1,3}[.)])+$/iu;
/** The end of a sentence, a paragraph, a line that ends in a colon, or an item of a list. */
const ends =
  /(?<!\b\p{Lu}|^[ \t]*\d{1,3})[.!…](?=\s+[^\p{Ll}\s]|\s*$)|(?<=[?？])(?=\s)|[。！]|\n[ \t\r]*\n|:[ \t]*\n|\n(?=[ \t]*(?:[-*•+]|\d{1,3}[.)])\s)/gmu;

/** The text before a call, without the start of the call itself. */
export const withoutOpener = (text: string): string => text.replace(openers, '');

/** Splits prose into sentences, in small letters, without code and without the marks around them. */
export const sentencesOf = (text: string): string[] =>
  text
    .replace(fence, '')
    .replace(constant, '')
    .replace(quoted, 'x')
    .replace(identifier, 'x')
    .replaceAll('’', "'")
    .split(ends)
    .map((one) => one.replace(/^(?:[\s*_#•+-]|\d{1,3}[.)]\s)+|[\s*_:：.!]+$/g, '').toLowerCase())
    .filter((one) => /[\p{L}\p{Extended_Pictographic}?]/u.test(one));
