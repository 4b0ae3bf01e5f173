import { listedIn } from './blocks.ts';
import { isLogLine } from './log-line.ts';
import {
  begins,
  indentOfCode,
  isIndented,
  isSpace,
  isWordsOfCode,
  lineLength,
  type Place,
  plainTag,
  quoteClosers,
  quotedLine,
  type Shown,
  sentenceEnds,
} from './place.ts';
import { isSpeakersLine, labelsOther, speakerOf } from './speakers.ts';

const abbreviation = /[([]?(?:(?:\p{L}\.){1,3}|\p{L}\.\p{L}\p{L}?\.|etc\.|eg\.|ie\.|ex\.|cf\.|vs\.|bzw\.)$/iuy;

/** Whether a call at this position interrupts a sentence: words and a space precede it. */
export const inSentence = (p: Place): boolean =>
  p.solid &&
  !p.fresh &&
  isSpace(p.last) &&
  (!sentenceEnds.has(p.lastSolid) || (p.lastSolid === '.' && begins(abbreviation, p.before)));

/** The last character of an unfinished sentence: a letter of any script, a digit, or a sign within a sentence. */
const goesOn = /[\p{L}\p{M}\p{N}:：,，、;；=]/u;

/** Whether a call at this position interrupts a sentence, even right after a word, as in scripts without spaces. */
export const breaksIn = (p: Place): boolean => inSentence(p) || (p.solid && !p.fresh && goesOn.test(p.last));

/**
 * Whether the preceding words make a call at this position doubtful: a question on an earlier line or without the space that
 * its script requires, or, for special tokens without a named dialect, a sentence that they interrupt.
 */
export const isDoubtful = (p: Place, named: boolean): boolean =>
  p.unanswered ||
  (!p.fresh && ((!named && !p.called && breaksIn(p)) || (p.asks && (!p.solid || p.last === '?')) || isOption(p)));

/** The number or label of a list item, with nothing after it. */
const itemLabel = /^\s*[*_]{0,2}\(?(?:\p{L}{1,12}\s)?(?:\d{1,3}|\p{L})[.):][*_]{0,2}\s*(?:\p{L}{1,12}:\s*)?$/u;

/** Whether only the number of a list item is between a question and this position. */
const isOption = (p: Place): boolean => p.askedBefore && p.line.length < 40 && itemLabel.test(p.line);

/** Records a call after a question: the calls after it depend on the same answer. */
export function markUnanswered(p: Place): void {
  p.unanswered ||= !p.fresh && !p.fence && (p.asks || isOption(p));
}

/** Sentences that end on this line. */
const earlier = /^.*(?:[.!?…]\s|[。！？])\s*/u;
const words = '(?: \\S+){1,12}';
/** Announcements of an action by language: the words that start them, and verbs for what tools do. */
const announcements = [
  `(?:(?:ok(?:ay)?|so|now|first|next|then|alright|right|well),? ){0,3}(?:let me|let['’]s|i['’]ll|i will|i['’]m going to|i am going to|(?:i |we )?need to|i have to|i must|i should) (?:(?:now|first|just|quickly|also|then) ){0,2}(?:check|look|get|fetch|find|search|read|list|run|call|use|query|open|retrieve|inspect|verify|try|start|set|create|update|send|write|add|edit|see|view|load|test|compute|calculate|convert|book|schedule)${words}`,
  `(?:ich werde|ich muss|lass mich)${words} (?:prüfen|nachsehen|abrufen|suchen|lesen|holen|aufrufen)`,
  `(?:je vais|laissez-moi) (?:vérifier|chercher|consulter|lire|regarder|appeler)${words}`,
  `(?:voy a|déjame|vou|deixe-me) (?:consultar|buscar|leer|verificar|revisar|comprobar|ler|chamar|llamar)${words}`,
  '(?:好的?，)?(?:现在|首先|接下来)?，?(?:让我|我来|我先|我需要|我要|我将)[先来再]?(?:查|看|搜|获取|读|调用|运行|检查|使用|列|找|创建|更新|设置|确认)[^，；：、]{0,40}',
];
const announced = new RegExp(`^(?:${announcements.join('|')})$`, 'iu');
/** Words with which an action is considered, doubted, denied or quoted. */
const weighed =
  /(?<!\p{L})(?:not?|never|nothing|neither|nor|\p{L}{2,5}n['’]t|if|whether|would|could|might|maybe|perhaps|instead|or|but|unless|without|avoid|refuse|why|what|how|like|such|says?|said|nicht|nie|kein\p{L}{0,2}|ob|wie|was|oder|aber|pas|jamais|si|comment|ou|mais|nunca|sin|cómo|pero|não|sem|como)(?!\p{L})|["“”„«»`<>{}[\]:]|[不没别吗或若如假什怎]/iu;

/** Whether a line announces the speaker's next action without a full stop: "Let me check the time". */
function announcesAct(line: string): boolean {
  const said = line.trim();
  return /[\p{L}\p{N})]$/u.test(said) && announced.test(said.replace(earlier, '')) && !weighed.test(said);
}

/** Whether a thought is complete here: there is no text, or a sentence ended that is neither a question nor an introduction. */
export const isDecided = (p: Place): boolean =>
  p.lastSolid === '' ||
  (!p.asks &&
    (/[.!…。！।։።।]/u.test(p.lastSolid)
      ? !(p.solid && p.lastSolid === '.' && begins(abbreviation, p.before))
      : !p.solid && p.lineBefore.length < lineLength && announcesAct(p.lineBefore)));

/** Whether prose introduces what starts here, so that it isn't part of other data: the value of a key, an assignment or a list. */
export const isLedIn = (p: Place): boolean =>
  p.fresh ||
  (p.depth === 0 &&
    !'=,'.includes(p.lastSolid) &&
    (!p.solid || (':：.!…。'.includes(p.lastSolid) && !/["'`]\s*:\s*$/.test(p.line))));

/** Whether a call at this position starts a line, or directly follows another call or reasoning. */
export const startsLine = (p: Place): boolean => p.fresh || !p.solid;

const quotesBefore = new Set([...'"\'`([{（［｛＂＇']);
/** Signs at the start of lines of comments, diffs and numbered listings, followed by nothing but the call and its tokens. */
const prefixed =
  /\s*(?:\/\/+!?|#+|--|;;?|%|\+|-(?!\s)|[|│]|(?:(?:[A-Za-z]:)?[^\s:<>]{1,100}:)?\d{1,6}(?:\s*[:|→]|\t|-|:\d{1,5}:)|\S{0,100}[/.][\w-]{1,12}:)\s*(?:\w{0,20}(?:<[^<>\s]{1,60}>|\[[A-Z_]{2,20}\])\s*)*$/y;
const tableRow = /\s*[|│]/y;
/** The line below the header of a table. */
const delimiterRow = /^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)+\|?\s*$/;
/** Lines of listings, diffs and transcripts, which show what others wrote. */
const shownLine =
  /\s*(?:[+$#%|]\s|\/\/|[+-]$|\d{1,6}\s*[:|→]|(?:user|human|assistant|system|tool|model|input|output|prompt|response|answer|before|after|example|e\.g\.)\s*\d*\s*[:>])/iy;

/** Whether an assistant replies in this line of a transcript. */
export const isReply = ({ partner, line }: Place): boolean =>
  partner && ['assistant', 'agent'].includes(speakerOf(line) ?? '');

/** Whether the previous line ends with a bracket that it opens, and not with an emoticon. */
const opensBracket = ({ lastSolid, before }: Place): boolean =>
  (lastSolid === '(' || lastSolid === '[' || lastSolid === '{') && !':;='.includes(before[0] ?? ' ');

/** Whether only white space follows an open quote. */
const opensQuote = ({ lastSolid, straight, apostrophe, curly, ticks, open }: Place): boolean =>
  (straight && lastSolid === '"') ||
  (apostrophe && lastSolid === "'") ||
  (ticks > 0 && lastSolid === '`') ||
  open.includes(`\n${lastSolid}`) ||
  (curly !== '' && lastSolid === curly);

/** Whether a block was opened by a header, as in `[BEGIN FINAL RESPONSE]`, so that it continues even if nothing closes it. */
export const isSection = (closer: string): boolean => closer.startsWith('end');

/** Code before a call in its line: an assignment, an arrow or a word that returns or prints. */
export const inStatement = /(?:(?:[-=]>|[=→⇒])[ \t]*|(?<![\p{L}\p{N}])(?:return|print|echo|yield)[ \t]+)$/u;
/** An assignment whose value is in the next line, and not the underline of a heading. */
const assigns = /[^\s=][ \t]*=[ \t]*$/;

/** An arrow that follows no parameters, as in `Next → `, introduces a call in prose. */
const points = /(?<!\)[ \t]*)(?:[-=]>|[→⇒])[ \t]*$/u;

/** Whether code uses the call as a value. */
const isUsed = (p: Place): boolean =>
  p.solid
    ? inStatement.test(p.lineEnd || p.line) && !points.test(p.lineEnd || p.line)
    : !p.blank && p.lastSolid === '=' && p.lineBefore.length < lineLength && assigns.test(p.lineBefore);

function shownAt(p: Place, named: boolean, tools: boolean, bare: boolean): Shown {
  const { fresh, solid, last } = p;
  const all =
    p.comment ||
    p.results !== '' ||
    p.resulted ||
    (!named && (p.transcript || p.open.some(isSection))) ||
    p.document ||
    (!fresh &&
      (p.shows === 'behind' ||
        quotesBefore.has(last) ||
        (last > '\x7f' && quoteClosers(last) !== '') ||
        (solid && p.lastSolid === '|' && isSpace(last) && (!named || begins(tableRow, p.line))) ||
        (!p.blank &&
          p.lineBefore.includes('|') &&
          p.lineBefore.length < lineLength &&
          delimiterRow.test(p.lineBefore)) ||
        (p.literal && !solid && p.line !== '') ||
        opensBracket(p) ||
        opensQuote(p) ||
        begins(quotedLine, p.line) ||
        (solid && begins(prefixed, p.line))));
  if (all) return { special: true, plain: true };
  const isOpen = !named && (p.unanswered || isOption(p));
  if (fresh) return { special: false, plain: isOpen || (!p.called && isIndented(p)) };
  const line = solid
    ? isLogLine(p.line, named) || (!named && (begins(shownLine, p.line) || isSpeakersLine(p.line) || isReply(p)))
    : // The text right below a command or a record is its output.
      !named && !p.blank && isLogLine(p.lineBefore, true);
  const isValue = !named && isUsed(p);
  return {
    special: line || isValue || (!named && solid && last === '|'),
    plain:
      line ||
      isValue ||
      isOpen ||
      (solid && labelsOther(p.line)) ||
      p.lazy ||
      (p.asks && !(named && (!tools || !solid || (last === '?' && !p.first)))) ||
      // A prompted call without markers is refused in a statement, so that the model can send it alone.
      (isWordsOfCode(p) && !(bare && inStatement.test(p.line))) ||
      (!solid && indentOfCode(p) >= (named || !p.leads ? 4 : 2)),
  };
}

/** Whether nothing that starts here can be a call, whatever follows. */
export function isShown(
  p: Place,
  special: boolean,
  { named, toolbox, bare = false }: { readonly named: boolean; readonly toolbox: unknown; readonly bare?: boolean },
  fences: readonly string[] | undefined,
): boolean {
  if (p.fence && !fences?.includes(p.fence.language)) return true;
  p.shown ??= shownAt(p, named, toolbox !== undefined, bare);
  return special ? p.shown.special : p.shown.plain;
}

/** Whether the text may end here, because no code, quotation, transcript or other block is open. */
export const isOver = (p: Place): boolean =>
  !(p.comment || p.results !== '' || p.resulted || p.transcript || p.document || p.straight || p.apostrophe) &&
  p.triple + p.curly === '' &&
  !'([{（［｛'.includes(p.last) &&
  (p.ticks === 0 || endsCode(p)) &&
  (!p.fence || endsFence(p)) &&
  !isSpeakersLine(p.line) &&
  !begins(quotedLine, p.line);

/** Inline code ended right here. */
export const endsCode = (p: Place): boolean => p.last === '`' && p.ticks > 0 && p.run === p.ticks;

/** A fence ended right here, so that an end token may follow it. */
export const endsFence = ({ fence, line }: Place): boolean =>
  fence !== undefined &&
  line.trim() !== '' &&
  [...line.trim()].every((char) => char === fence.mark[0]) &&
  line.trim().length >= fence.mark.length;

/** Everything that is open around a call, which makes it a quotation if it is closed after the call. */
export type Around = Pick<
  Place,
  'ticks' | 'straight' | 'apostrophe' | 'triple' | 'curly' | 'spans' | 'awaited' | 'open'
>;

export function aroundOf(p: Place): Around | undefined {
  const { ticks, straight, apostrophe, triple, curly, spans, awaited } = p;
  const open = p.solid && !p.fresh ? [...p.open, ...listedIn(p)] : p.open;
  const any = ticks > 0 || straight || apostrophe || triple + curly + spans + awaited !== '' || open.length > 0;
  return any && !p.fence ? { ticks, straight, apostrophe, triple, curly, spans, awaited, open } : undefined;
}

const farthest = 4000;
/** Characters that may close something right after a call. */
const closing = /^(\s{0,9})[*_.,;:!?…。]{0,3}(\S)(.?)/u;
/** Quotes inside a string are escaped. */
export const escapedFirst = /^[^"']{0,4000}\\["']/;

/** Whether the text after a call closes what is open around it, or the call itself shows that it is in a string. */
export function isClosedBy(around: Around, call: string, behind: string, sound: boolean): boolean {
  const near = behind.slice(0, farthest);
  const [line = ''] = near.split('\n', 1);
  const [paragraph = ''] = near.split(/\n[ \t]*\n/, 1);
  const { ticks, straight, apostrophe, triple, curly, spans, awaited, open } = around;
  const typographic = curly + spans;
  const nearest = awaited + [...typographic].map(quoteClosers).join('');
  const [begun = ''] = sound ? [] : call.slice(0, farthest).split('\n', 1);
  const inLine = `${begun} ${paragraph}`;
  // Content between calls can close them too, and so can brackets after the last call.
  const tail = sound
    ? call.slice(1 + Math.max(call.lastIndexOf('}'), call.lastIndexOf('>'), call.lastIndexOf(')')))
    : call;
  const low = open.length > 0 ? linesOf(tail + behind) : '';
  const [, gap, next = ' ', then = ''] = (nearest && closing.exec((sound ? tail : '') + behind)) || [];
  return (
    (nearest.includes(next) && (gap === '' || !/[\p{L}\p{N}]/u.test(then))) ||
    [...awaited].some((closer) => closesLater(closer, near)) ||
    ((straight || apostrophe) && escapedFirst.test(call)) ||
    (ticks > 0 && (inLine.match(/`+/g) ?? []).some((run) => run.length === ticks)) ||
    (straight && line.includes('"')) ||
    (apostrophe && line.includes("'")) ||
    (triple !== '' && near.includes(triple)) ||
    [...quoteClosers(curly)].some((closer) => paragraph.includes(closer)) ||
    [...typographic].some((opener) => closesSpan(opener, near)) ||
    open.some((closer) => low.includes(closer))
  );
}

const openerOf: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{', '）': '（', '］': '［' };
/** The number or letter of an item, as in `2)`. */
const itemNumber = /(?:^|\s)(?:\d{1,2}|[a-z])$/i;

/**
 * Whether later text closes a quote or bracket that opened before a call. The first quote in that text must end a word, or its
 * brackets must close one more than they open.
 */
function closesLater(closer: string, behind: string): boolean {
  const opener = openerOf[closer];
  if (closer === "'") return /\S'[.,;:!?…。]{0,3}[^\S\n]*(?:\n|$)/.test(behind);
  if (!opener) return closer === '"' && /^[^"]*[^\s"([{]"(?![\p{L}\p{N}])/u.test(behind);
  let depth = 0;
  for (let at = 0; at < behind.length && depth >= 0; at++) {
    if (behind[at] === opener) depth += 1;
    else if (behind[at] === closer && (depth > 0 || !itemNumber.test(behind.slice(Math.max(0, at - 3), at))))
      depth -= 1;
  }
  return depth < 0;
}

/** Whether the next quote of the kind of a typographic one that opened before a call closes it. An apostrophe may be one. */
function closesSpan(opener: string, behind: string): boolean {
  const closers = quoteClosers(opener);
  if (closers.includes('’')) return false;
  const at = behind.split('').findIndex((char) => char === opener || closers.includes(char));
  const found = behind[at] ?? '';
  if (found === '' || !closers.includes(found)) return false;
  // Others open quotations too.
  const isSure = closers.length === 1 && closers !== opener;
  return isSure || (!isSpace(behind[at - 1] ?? ' ') && !/[\p{L}\p{N}]/u.test(behind[at + 1] ?? ''));
}

/** Text in small letters, each line with its end and without white space around it. */
const linesOf = (text: string): string =>
  plainTag(text)
    .toLowerCase()
    .replace(/(<\/[\p{L}\p{M}\p{N}_:.-]{1,40})\s{1,9}>/gu, '$1>')
    .split('\n')
    .map((line) => `${line.trim()}\n`)
    .join('');
