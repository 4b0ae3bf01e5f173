/** Whether the words that were read last ask something, and how far what stands in brackets behind the question goes. */
export interface QuestionState {
  asks: boolean;
  aside: number;
}

const questions = new Set([...'?？؟﹖︖⁇⁈⁉‽⸮፧\u037e❓❔']);
const opens = new Set([...'([{（［｛【']);
const closes = new Set([...')]}）］｝】']);
const isWord = /[\p{L}\p{N}]/u;
/** The answers that a question offers, `(yes/no)`, are no longer. */
const longestAside = 60;

/** Moves past a character: closers, marks, emoji, blanks, rules, tags and an aside in brackets leave a question one. */
export function passQuestion(p: QuestionState, char: string, inTag: boolean): void {
  if (questions.has(char)) {
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

/** A question that is quoted, in a sentence that ends behind it: `It says "How are you?".` */
const quoted = /[?？]["'”’»」]\.\s*$/;

/** Whether a text ends with a question, as far as its end shows. */
export function endsInQuestion(text: string): boolean {
  const asking: QuestionState = { asks: false, aside: 0 };
  let inTag = false;
  for (const char of text.slice(-400).replace(quoted, '')) {
    if (char === '<') inTag = true;
    passQuestion(asking, char, inTag);
    if (char === '>') inTag = false;
  }
  return asking.asks;
}
