/** Whether the last words ask something, and how long the parenthesis after the question is. */
export interface QuestionState {
  asks: boolean;
  aside: number;
}

const questions = new Set([...'?？؟﹖︖⁇⁈⁉‽⸮፧\u037e❓❔']);
/** The end of a question without a question mark: a particle before the full stop, or the semicolon of Greek. */
const asked = /[か吗嗎]。|\p{Script=Greek};/u;
const opens = new Set([...'([{（［｛【']);
const closes = new Set([...')]}）］｝】']);
const isWord = /[\p{L}\p{N}]/u;
/** Maximum length of the choices a question offers, such as `(yes/no)`. */
const longestAside = 60;

/** Tracks a character after `last`. Closers, emphasis, emoji, blanks, rules, tags and a parenthesis don't end a question. */
export function passQuestion(p: QuestionState, char: string, inTag: boolean, last: string): void {
  if (questions.has(char) || ((char === '。' || char === ';') && asked.test(last + char))) {
    p.asks = true;
    p.aside = 0;
  } else if (!p.asks) return;
  else if (p.aside > 0) {
    if (closes.has(char)) p.aside = 0;
    else {
      p.aside += 1;
      p.asks = p.aside < longestAside;
    }
  } else if (opens.has(char)) p.aside = 1;
  else if (!inTag && isWord.test(char)) p.asks = false;
}

/** A quoted question in a sentence that ends after it: `It says "How are you?".` */
const quoted = /[?？]["'”’»」]\.\s*$/;

/** Whether a text ends with a question. */
export function endsInQuestion(text: string): boolean {
  const asking: QuestionState = { asks: false, aside: 0 };
  let inTag = false;
  let last = '';
  for (const char of text.slice(-400).replace(quoted, '')) {
    if (char === '<') inTag = true;
    passQuestion(asking, char, inTag, last);
    last = char;
    if (char === '>') inTag = false;
  }
  return asking.asks;
}
