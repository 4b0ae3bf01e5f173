import type { Problem } from '../json/problem.ts';

/** A sentence with the problem's suggestion behind it, unless it offers something already. */
export function suggested(sentence: string, { suggestion }: Problem): string {
  if (!suggestion || sentence.includes(suggestion) || sentence.includes('did you mean')) return sentence;
  const isSentence = /^\p{Lu}/u.test(suggestion);
  const joint = /[.?!]$/.test(sentence) ? ' ' : isSentence ? '. ' : '; ';
  return `${sentence}${joint}${suggestion}`;
}
