import { isLogLine } from './log-line.ts';
import { begins, type Place, sentenceEnds } from './place.ts';
import { isReply, isSection } from './shown.ts';

/** A key with its sign, at the start of a line. */
const pair = /^\s*(?:[-<>]\s+)*(["']?)([\p{L}_][\p{L}\p{N}_./-]{0,60})\1\s*[:：=](?:\s|$)/u;
/** The first line of a request or a response of HTTP. */
const httpLine = /[<>*\s]{0,3}(?:[A-Z]{3,8} \S+ HTTP\/\d|HTTP\/\d(?:\.\d)? \d{3})/y;
/** The key of a header. */
const headerKey = /^(?:[A-Z][a-z]{0,20}(?:-[A-Z][A-Za-z]{0,20}){1,4}|(?:content|x)-[a-z-]{2,30})$/;

/** Labels of what a model thinks before it acts. They are no keys of data. */
const thoughts =
  /^(?:thoughts?|thinking|reason(?:ing)?|rationale|plan|reflection|analysis|explanation|notes?|goal|summary|decision|intent)$/i;
/** Labels of requests by another role. They are data keys even if a sentence follows. */
const requests =
  /^(?:q|questions?|inputs?|prompts?|requests?|quer(?:y|ies)|instructions?|tasks?|examples?|messages?)$/i;
/** Words that announce a call. In small letters, other words are keys. */
const announces =
  /^(?:actions?|call(?:s|ing)?|tools?|(?:tool|function)[_-]?calls?|functions?|invoke|invocation|commands?|execut(?:e|ing|ion)|run(?:ning)?|answer|response|json|now|next|so|ok(?:ay)?|sure|here|then)$/i;

/** The key that a line begins with, unless it is the label of a thought. */
function keyOf(line: string): string | undefined {
  const key = pair.exec(line)?.[2];
  return key !== undefined && thoughts.test(key) ? undefined : key;
}

/** How many keys with values a line counts for: that of a header, or the first line of HTTP, doesn't need others beside it. */
function countPairs({ line, lastSolid }: Place): number {
  if (begins(httpLine, line)) return 2;
  const key = keyOf(line);
  if (key === undefined) return 0;
  if (headerKey.test(key)) return 2;
  const isSentence = sentenceEnds.has(lastSolid) && /^\p{Lu}/u.test(key);
  return isSentence && !requests.test(key) ? 0 : 1;
}

const mostPairs = 99;

/** Tracks how many lines in sequence are keys with their values. */
export function passPairs(p: Place): void {
  // The empty line below a head, as tools print it.
  if (/^\s*[<>]\s*$/.test(p.line)) return;
  const count = /[:：=]|HTTP/.test(p.line) ? countPairs(p) : 0;
  p.pairs = count === 0 ? 0 : Math.min(p.pairs + count, mostPairs);
}

/** A label of at most three words, with the white space and the dashes before it. */
const label = /^(\s*(?:[-+•]\s+)*)([^\s:：,;.!?"'`*#]+(?:[^\S\n]+[^\s:：,;.!?"'`*#]+){0,2})[^\S\n]*[:：]\s*$/u;
/** A key without its value. It isn't written like the first word of a sentence. */
const loneKey = /^\s*(?:-\s+)*[\p{Ll}_][\w.-]*\s*:\s*$/u;

/** The start of a document of YAML, or a comment above its keys. */
const startsData = /^\s*(?:---|%YAML\b.*|[#;]\s.*)\s*$/;
/** The name of a file, above its content. */
const fileName =
  /^[\s#*_`]*(?:(?:file(?:name)?|path):\s*|cat )?`?[\w./\\-]{0,80}\.(?:json[l5]?|ya?ml|toml|ini|xml|txt|log|md|cfg|conf)`?[*_]*:?[*_]*\s*$/i;

/** Whether a line ends in the key of a value that begins after it: by its own form, or because of the lines before it. */
function endsInKey(line: string, { pairs, lineBefore }: Pick<Place, 'pairs' | 'lineBefore'>): boolean {
  const [, before = '', words = ''] = label.exec(line) ?? [];
  if (words === '') return false;
  if (before !== '' || pairs > 0) return true;
  if (/\s/.test(words)) return false;
  const isSmall = /^[a-z]/.test(words);
  return announces.test(words) ? isSmall && startsData.test(lineBefore) : isSmall || keyOf(lineBefore) !== undefined;
}

/** Words for what came of something, and for what is sent with a request. */
const outcomes = [
  'outputs?',
  'results?',
  'observations?',
  'returns?',
  'returned',
  'std(?:out|err)',
  'logs?',
  'payloads?',
  'body',
  'ausgaben?',
  'ergebnis(?:se)?',
  'r[ée]sultats?',
  'sorties?',
  'resultados?',
  'salidas?',
  'saídas?',
  'risultat[oi]',
  'вывод',
  'результаты?',
  '输出',
  '輸出',
  '结果',
  '結果',
  '出力',
  '출력',
  '결과',
].join('|');
/** Whose response it is, unless it is the model's own. */
const others = [
  'tool',
  'function',
  'api',
  'server',
  'http',
  'endpoint',
  'sample',
  'example',
  'expected',
  'correct',
  'reference',
  'previous',
  'earlier',
  'original',
  "user['’]?s?",
  "customer['’]?s?",
].join('|');
const resultNames = [
  `(?:[\\p{L}\\p{N}'’-]+[ _]){0,3}?(?:${outcomes})`,
  `(?:the )?(?:${others})(?:[ _]\\p{L}+)?[ _](?:responses?|repl(?:y|ies)|answers?|messages?)`,
].join('|');
/** Such a label: of at most four words, maybe as a heading, an item or in bold, with a number or a remark in brackets. */
const resultLabel = new RegExp(
  `[\\s#*_>•-]{0,12}(?:\\d{1,3}[.)]\\s+)?(?:${resultNames})(?: ?#?\\d{1,3})?(?: ?\\([^()\\n]{1,24}\\))?[*_]{0,3}\\s?([:：]?)[*_\\s]*$`,
  'iuy',
);
/** Words with which the model presents its own response. */
const presents = /(?<!\p{L})(?:here|is|are|my|our|final|i)(?!\p{L})/iu;
const isHeading = /^\s*(?:#{1,6}\s|[*_]{2})/;

/** Whether a line labels a result or the response of another role: with a colon, or as a heading. */
function labelsResult(line: string): boolean {
  resultLabel.lastIndex = 0;
  const found = resultLabel.exec(line);
  return found !== null && (found[1] !== '' || isHeading.test(line)) && !presents.test(line);
}

/**
 * Whether a call without markers that begins here belongs to something else than the model's response: the value of a key in
 * other data, the content of a file, the body below the head of a request or a mail, what a command printed, a result, or a turn of a transcript.
 */
export function inOtherData(p: Place): boolean {
  if (p.transcript || p.open.some(isSection)) return true;
  if (p.fresh) return false;
  if (p.solid) return isReply(p) || endsInKey(p.line, p) || labelsResult(p.line);
  const { lineBefore, line, pairs } = p;
  return (
    pairs > 1 ||
    isLogLine(lineBefore, true) ||
    labelsResult(lineBefore) ||
    fileName.test(lineBefore) ||
    (loneKey.test(lineBefore) && (line !== '' || endsInKey(lineBefore, { pairs: 0, lineBefore: '' })))
  );
}
