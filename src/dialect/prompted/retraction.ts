import { inStatement } from '../placement/shown.ts';
import { denials, isAnnounced, leadsUp, longest, sentencesOf, withoutOpener, written } from './announcement.ts';
import { shortValues, type WrittenCall } from './plain-words.ts';

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
/** Other times than now. */
const times = new RegExp(
  [
    `\\b(?:later|soon|eventually|someday|tomorrow|tonight|${weekdays})\\b`,
    `\\b(?:next|this|every|each|coming) (?:${units}|time|morning|noon|afternoon|evening|night|weekend)\\b`,
    `\\bin (?:an?|a few|half an|\\p{N}+|two|three|four|five|ten) (?:${units}|moments?)\\b|\\bat (?:\\p{N}|noon|midnight)`,
  ].join('|'),
  'gu',
);
const timed = /\d{4}-\d\d|\d{1,2}:\d\d|(?:^|_|\b)(?:date|time|day|when|due|start|end|until|deadline|schedule)/i;

/** Whether a sentence puts the calls off, in words that they don't contain themselves: "I'll close it next Monday". */
function defers(sentence: string, calls: readonly WrittenCall[]): boolean {
  const said = (pattern: RegExp): readonly string[] =>
    [...sentence.matchAll(pattern)].map(([phrase]) => phrase.split(' ').at(-1) ?? '');
  const [waits, dates] = [said(conditions), said(times)];
  if (waits.length + dates.length === 0) return false;
  const own = shortValues(calls);
  const words = new Set(own.flatMap((value) => value.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []));
  const isOther = (word: string): boolean => !words.has(word);
  return waits.some(isOther) || (dates.some(isOther) && !own.some((value) => timed.test(value)));
}

/** What precedes the clause in which the model says what it does. A reason before it may deny or time something else. */
const reason = /.*,? (?:so|therefore|thus|hence|but),? (?=(?:i|we|let)\b)/u;
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
