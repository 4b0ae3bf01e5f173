/** Whether the last words ask something, and how long the parenthesis after the question is. */
export interface QuestionState {
  asks: boolean;
  aside: number;
  /** Whether the sentence is a question up to its end, whatever words follow. */
  poses: boolean;
  /** The last characters outside ASCII, which tell a question without its mark. */
  spoken: string;
}

export const noQuestion = { asks: false, aside: 0, poses: false, spoken: '' } satisfies QuestionState;

const questions = new Set([...'?？؟﹖︖⁇⁈⁉‽⸮፧\u037e❓❔']);
const opens = new Set([...'([{（［｛【']);
const closes = new Set([...')]}）］｝】']);
const isWord = /[\p{L}\p{N}]/u;
/** Maximum length of the choices a question offers, such as `(yes/no)`. */
const longestAside = 60;

const ends = new Set([...'。！!.։\n']);
/** Characters that a question without a question mark may end in. */
const particles = new Set([...'か吗嗎么否까요']);
const isEnding = /[すうるたいのくぐぬぶむん]か$|[吗嗎]$|[^什怎那这要多]么$|[可是能]否$|[^만빛끝]나요$|[은는인한]가요$/;
/** `要不要`, `可不可以`: such a question starts with its verb, also after `请问` or a pronoun. */
const isChoice = /(?:^|[。！，；：\s])(?:请问|您|你|我|那么?){0,2}(\p{Script=Han})[不没]\1$/u;
const greek = /\p{Script=Greek}{2}$/u;
const longestSpoken = 9;

/** The final consonant of a Korean syllable, as its number. */
const finalOf = (syllable = ''): number => (syllable.charCodeAt(0) - 0xac00) % 28;
/** `할까요`, `합니까`. */
function isKorean(spoken: string): boolean {
  const [, before, particle] = /(.)(니?)까요?$/.exec(spoken) ?? [];
  return before !== undefined && finalOf(before) === (particle ? 17 : 8);
}

/** Notes a character, and returns whether the words up to it are a question without a question mark. */
function isPosed(p: QuestionState, char: string): boolean {
  if (char < '\x80') {
    if (p.spoken !== '' && ends.has(char)) p.spoken = ' ';
    return char === ';' && greek.test(p.spoken);
  }
  p.spoken = (p.spoken + char).slice(-longestSpoken);
  const turn = p.spoken.at(-2);
  p.poses ||= char === '՞' || ((turn === '不' || turn === '没') && isChoice.test(p.spoken));
  return p.poses || (particles.has(char) && (isEnding.test(p.spoken) || isKorean(p.spoken)));
}

/** Tracks a character. Closers, emphasis, emoji, blanks, rules, tags and a parenthesis don't end a question. */
export function passQuestion(p: QuestionState, char: string, inTag: boolean): void {
  const posed = isPosed(p, char);
  if (p.poses && ends.has(char)) p.poses = false;
  if (posed || questions.has(char)) {
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
  else if (!inTag && !p.poses && isWord.test(char)) p.asks = false;
}

/** A quoted question in a sentence that ends after it: `It says "How are you?".` */
const quoted = /[?？]["'”’»」]\.\s*$/;

/** Whether a text ends with a question. */
export function endsInQuestion(text: string): boolean {
  const asking: QuestionState = { ...noQuestion };
  let inTag = false;
  for (const char of text.slice(-400).replace(quoted, '')) {
    if (char === '<') inTag = true;
    passQuestion(asking, char, inTag);
    if (char === '>') inTag = false;
  }
  return asking.asks;
}
