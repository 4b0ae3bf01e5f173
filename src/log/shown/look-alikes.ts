/** Words that mix Latin letters with look-alikes of other scripts: `p\u0430ypal`. */
const mixedWord = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]{2,}/gu;
const hasLatin = /\p{Script=Latin}/u;
const alike =
  /[\u0430\u0441\u0435\u043e\u0440\u0445\u0443\u0456\u0458\u0455\u0501\u04bb\u04cf\u051b\u051d\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0425\u0423\u0406\u0408\u0405\u04ae\u04c0\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7\u03bf\u03bd\u03c1\u03c5\u03b9\u03ba]|[\p{Script=Armenian}\p{Script=Cherokee}]/gu;
const foreign = /[\u0370-\u058f\u13a0-\u13ff\uab70-\uabbf]/;

/** Replaces letters that look like those of another script within a word. */
export const markLookAlikes = (text: string, mark: (letter: string) => string): string =>
  foreign.test(text)
    ? text.replace(mixedWord, (word) => (hasLatin.test(word) ? word.replace(alike, mark) : word))
    : text;
