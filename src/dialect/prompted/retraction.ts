import { inStatement } from '../placement/shown.ts';
import { denials, isAnnounced, leadsUp, longest, sentencesOf, withoutOpener, written } from './announcement.ts';
import { fieldsIn, type WrittenCall } from './plain-words.ts';

/** Common words of English prose and of code, to recognize an explanation. */
const english =
  /\b(?:the|this|these|with|you|and|are|they|functions?|code|calls?|import|from|def|class|return|assert)\b/i;
const prose = /[^\0-\x7f]|\p{L}+[ ,]+\p{L}+ \p{L}/u;
/** The speaker doesn't make the call, another person decides about it or made it, or it must be avoided. */
const undone =
  /\b(?:i|we)\b.{0,60}\b(?:not|never|\p{L}+n't|refuse|decline|wait(?:ing)?)\b|\b(?:not|never|\p{L}+n't) (?:yet )?(?:been |be )?(?:run|ran|executed?|sen[dt]|ma[dk]e|called|done|performed|invoked)\b(?! (?:by this code|the calculations?)\b)|\b(?:awaiting|pending|approv(?:e|al)|confirm(?:s|ed|ation)?|reject(?:s|ed)|blocked|refused|declined|denied|ignored?|attackers?|malicious|wanted|yesterday|tell me|comes? from|was (?:\p{L}+ )?(?:sent|made|run|called|executed)|if you (?:want|agree|wish|like|say)|shows what)\b|^(?:please )?(?:not|never|no(?:thing|body)?|do not|don't|avoid)\b/iu;

/** Remarks on how a call is written, where it comes from or who wrote it. */
const shownAs =
  /\b(?:examples?|sample (?:answer|call|output|request)|illustrat\p{L}*|documentation|docs|pythonic|the syntax|parser|square brackets|brackets|ground truth|other (?:agent|model|bot)|(?:agent|model|bot|he|she|they) (?:sent|wrote|would write|called)|rejected|yesterday)\b|\bwhat (?:the|a|an|such)\b.*\b(?:looks? like|sent|wrote)\b|\bhave no access\b|\bone call\b/iu;

/** Whether the text after a list at the start of a response presents it as an example. */
export const isShownAs = (text: string, end: number): boolean => {
  const behind = text.slice(end, end + 400).replace(/^[\s\])}'"`*;,]+/, '');
  return /^(?:[—–←]|--)/.test(behind) || shownAs.test(sentencesOf(behind)[0] ?? '');
};

/** Whether the sentence after the calls says that they weren't made, or isn't recognized as an explanation. */
export function isTakenBack(text: string, end: number): boolean {
  const behind = text.slice(end, end + 400).replace(/^(?:[\s\])}'"`*;,~]|\/?>)+/, '');
  const [first = ''] = sentencesOf(behind);
  return (!english.test(behind) && prose.test(first)) || undone.test(first);
}

const weekdays = '(?:mon|tues|wednes|thurs|fri|satur|sun)days?';
const units = '(?:second|minute|hour|day|week|month|quarter|year)s?';
/** Words with which an action waits for something, or is only imagined. */
const conditions = new RegExp(
  [
    '(?<!\\bat )\\bonce\\b|\\b(?:if|unless|until|when(?:ever)?|as soon as|provided|assuming|in case)\\b',
    "\\b(?:i|we)(?:'d\\b| would| could| might| may)(?! (?:like|love|want|prefer) to)|\\b(?:would|could|might) (?:be|have|look|run)\\b",
    '\\b(?:after|before)\\b(?! (?:\\p{L}+ing|(?:the|this) (?:\\p{L}+ )?calls?)\\b)',
  ].join('|'),
  'gu',
);
/** Other times than now, unless they only describe something: `tomorrow's meeting`. */
const times = new RegExp(
  [
    `\\b(?:later|soon|eventually|someday|tomorrow|tonight|${weekdays})\\b(?!')`,
    `\\b(?:next|this|every|each|coming) (?:${units}|time|morning|noon|afternoon|evening|night|weekend)\\b(?!')`,
    `\\bin (?:an?|a few|half an|\\p{N}+|two|three|four|five|ten) (?:${units}|moments?)\\b|\\bat (?:\\p{N}|noon|midnight)`,
  ].join('|'),
  'gu',
);
const month =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\b\\.?';
/** A date, the time of day, a repetition, or another time in words. */
const moments = new RegExp(
  [
    '\\d{4}[-./]\\d\\d?[-./]\\d\\d?|\\d\\d?[./]\\d\\d?[./]\\d{4}|\\d\\d?:\\d\\d|\\b\\d\\d? ?[ap]\\.?m\\b',
    `\\b${month} \\d\\d?|\\b\\d\\d?(?:st|nd|rd|th|\\.)? (?:of )?${month}|\\b(?:noon|midnight|hourly|daily|weekly|monthly)\\b`,
    `^(?=.*\\*)(?:[\\d*/,-]+ ){4}[\\d*/,-]+|${times.source}`,
  ].join('|'),
  'gu',
);
/** What may be around it: `2026-11-20T09:00Z`, `on Monday from 9:00 to 10:00`. */
const aroundMoments =
  /^(?:[^\p{L}?!]|(?<!\p{L})(?:at|on|by|the|of|in|and|to|from|until|for|mon|tue|wed|thu|fri|sat|sun|today|morning|afternoon|evening|night|st|nd|rd|th|m|t|z|utc|gmt)(?!\p{L}))*$/u;
const longestMoment = 60;
/** A key for a time: `start_time`, `remindAt`. */
const timeKey = /(?:^|_)(?:(?:date|time|day|start|begin|end)s?(?:date|time)?|at|when|due|until|deadline|schedule)$/;
const numbers = ['', 'an', 'two', 'three', 'four', 'five'];

/** Whether an argument holds a time, so that words for one say what the call is about: a date, or an amount of the same unit. */
function holdsTime([name, written]: readonly [key: string, value: string], said: readonly string[]): boolean {
  if (written === '' || written.length > longestMoment) return false;
  const [key, value] = [folded(name), written.toLowerCase()];
  const rest = value.replace(moments, ' ');
  if (rest !== value && aroundMoments.test(rest)) return true;
  if (/^\d{1,2}$/.test(value) && /^(?:day|month|hour)$/.test(key)) return true;
  if (timeKey.test(key) && /^\d{10}(?:\d{3})?$/.test(value)) return true;
  return said.some((phrase) => {
    const [, amount = '', unit] = /^in (\S+) (\p{L}+?)s?$/u.exec(phrase) ?? [];
    const isAmount = value === amount || value === String(numbers.indexOf(amount.replace(/^a$/, 'an')));
    return (
      phrase.endsWith(` ${value}`) ||
      (timeKey.test(key) && value.includes(lastWord(phrase))) ||
      (unit !== undefined && isAmount && key.includes(unit))
    );
  });
}

const folded = (key: string): string => key.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, '_').toLowerCase();
const lastWord = (phrase: string): string => phrase.split(' ').at(-1) ?? '';

/** Whether a sentence puts the calls off, in words that aren't about their arguments: "I'll close it next Monday". */
function defers(sentence: string, calls: readonly WrittenCall[]): boolean {
  const [waits = [], dates = []] = [conditions, times].map((one) => [...sentence.matchAll(one)].map(([said]) => said));
  if (waits.length + dates.length === 0) return false;
  const fields = calls.flatMap(({ arguments: given }) => fieldsIn(given));
  // Prose may contain any word, unlike a name or a time.
  const named = fields.flatMap(([key, value]) =>
    timeKey.test(folded(key)) || /^[\w.:-]+$/.test(value) ? [key, value] : [key],
  );
  const words = new Set(named.flatMap((one) => folded(one).match(/[\p{L}\p{N}]+/gu) ?? []));
  return (
    waits.some((said) => !words.has(lastWord(said))) ||
    (dates.length > 0 && !fields.some((one) => holdsTime(one, dates)))
  );
}

/** What precedes the clause in which the model says what it does. A reason before it may deny or time something else. */
const reason = /.*(?:, (?:so|therefore|thus|hence|but),?| (?:so|therefore|thus|hence|but)) (?=(?:i|we|let)\b)/u;
const fact = /.*[,;–—] ?(?=(?:i|we|let)\b)/u;
const inPerson = /\b(?:i|we|me|us|my|let's)\b/u;
const finished = /(?:[.!…。！]|\p{Extended_Pictographic})["')\]”’»]*$/u;

/**
 * Whether the words right before marked calls say that they aren't made, or not now. Words that end in a colon present the calls;
 * in a complete sentence, only what the model says of itself counts.
 */
export function isRetracted(text: string, calls: readonly WrittenCall[]): boolean {
  const said = withoutOpener(text.slice(-longest));
  const last = (sentencesOf(said).at(-1) ?? '').replace(written, '').replace(reason, '');
  const act = last.replace(fact, '');
  if (finished.test(said)) return undone.test(act) || (inPerson.test(last) && defers(last, calls));
  return denials.test(act) || undone.test(act) || defers(last, calls);
}

/** The label of a line: `Step 2.`, `A.`, `Row 12:`. Its full stop ends no sentence. */
const label = /^[\s*_#•-]*(?:(?:\p{L}+[ \t]+)?\d{1,4}|\p{L})[.):]+[*_]*(?=\s|$)/u;

/**
 * Whether a marked call counts after this text, if the model was asked for calls. A complete sentence may say anything except
 * that the call isn't made. A label, a heading or words before a colon must announce it.
 */
export function leadsMarked(text: string, calls: readonly WrittenCall[], follows: boolean): boolean {
  if (isRetracted(text, calls)) return false;
  const line = text.slice(text.lastIndexOf('\n') + 1);
  const [labelled = ''] = label.exec(line) ?? [];
  const rest = line.slice(labelled.length);
  // A bare number is a list marker.
  if (inStatement.test(line) || (/\p{L}/u.test(labelled) && !/\p{L}/u.test(rest))) return false;
  const said = withoutOpener(labelled !== '' && /\p{L}/u.test(rest) ? rest : text);
  const names = calls.map(({ name }) => name);
  if (!finished.test(said)) return isAnnounced(said, names, { follows }) || leadsUp(said, names, false);
  const near = sentencesOf(said.slice(-longest)).map((one) => one.replace(written, ''));
  return !denials.test(near.at(-1) ?? '') && !near.some((one) => undone.test(one));
}
