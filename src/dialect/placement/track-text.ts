import { endTag, lettersOf, openBlock, passLineBlock, passListings, startsPlain } from './blocks.ts';
import { endsSentence, mayEndHeader, passHeader, passLineOfTurn } from './headers.ts';
import { passPairs } from './other-data.ts';
import {
  begins,
  indentOfCode,
  isSpace,
  itemAfter,
  lineLength,
  type Place,
  quoteClosers,
  quotedLine,
  sentenceEnds,
  type TextBuilder,
  widthOf,
} from './place.ts';
import { noQuestion, passQuestion } from './question.ts';
import { speakerOf } from './speakers.ts';
import { addToTurn, endTurn, passToken, tokenKind } from './turns.ts';

const longestTag = 40;
const longestShort = 8;
const longestTail = 400;
const longestEnd = 80;
const fenceOpens = /^\s*(?:(?:[-*+]|\d{1,3}[.)])\s+)*(`{3,}|~{3,})\s*([^\s`]*)[^`]*$/;
const fenceCloses = /^(\s*)(`{3,}|~{3,})\s*$/;
/** A literal block of reStructuredText, or a block scalar of YAML with its tag, anchor, indicators and comment. */
const literalLead = /(?:::|(?:[:：]|^\s*(?:-\s+)*-)\s+(?:[!&]\S*\s+){0,2}[|>][+\-\d]{0,2}(?:\s+#.*)?|[:：][|>])\s*$/;
/** A heading, a rule or the end of a fence, which indented code may follow directly. */
const blockLine = /^ {0,3}(?:#{1,6}(?:\s|$)|(?:[-*_]\s*){3,}$|`{3,}\s*$|~{3,}\s*$)/;
const directive = /\s*\.\.\s+[\w:.-]+::/y;
/** The label of a final answer, which is for the user, or of a result, which the model made up. No labelled line after it is a call. */
const answer = /\W{0,6}(?:(?:(?:final )?answer|observations?(?: \d{1,3})?)\W{0,3}[:：]|final answer\W{0,6}$)/iy;

/** Characters that only make words, by their code. */
const inWords = Uint8Array.from({ length: 128 }, (_, code) =>
  /[\w !#$%&*+,./=@^|~]/.test(String.fromCharCode(code)) ? 1 : 0,
);

/** The place up to some text that wasn't tracked yet. */
export interface Tracked {
  readonly tracked: Place;
  readonly untracked: TextBuilder;
  /** Maximum length of that text. */
  readonly limit: number;
}

/** The current place. */
export function placeOf({ tracked, untracked }: Tracked): Place {
  if (untracked.length > 0) passText(tracked, untracked.take());
  return tracked;
}

/** Tracks text. */
export function passText(p: Place, text: string): void {
  p.shown = undefined;
  let from = 0;
  for (let to = text.indexOf('\n'); to >= 0; to = text.indexOf('\n', from)) {
    passPart(p, text, from, to);
    endLine(p);
    from = to + 1;
  }
  passPart(p, text, from, text.length);
  p.tail = (p.tail + text.slice(-longestTail)).slice(-longestTail);
  const start = wordFrom(text, text.length);
  if (start > 0) {
    let end = start;
    while (end > 0 && text.charCodeAt(end - 1) <= 32) end--;
    const first = wordFrom(text, end);
    p.before = ((first === 0 ? p.word : '') + text.slice(first, end)).slice(0, longestShort) || p.before;
    p.word = '';
  }
  p.word += text.slice(start, start + longestShort - p.word.length);
}

/** Where the word starts that ends at an offset. */
function wordFrom(text: string, end: number, least = 0): number {
  let at = end;
  while (at > least && text.charCodeAt(at - 1) > 32) at--;
  return at;
}

/** Tracks a line, or a part of it. */
function passPart(p: Place, text: string, from: number, to: number): void {
  const full = from + lineLength - p.line.length;
  if (full > from) p.line += text.slice(from, Math.min(to, full));
  if (full < to) p.lineEnd = (p.lineEnd + text.slice(Math.max(full, from, to - longestEnd), to)).slice(-longestEnd);
  for (let end = to; end > from; end--) {
    const code = text.charCodeAt(end - 1);
    if (code > 32 && (code < 128 || !/\s/.test(text[end - 1] as string))) {
      p.lastSolid = text[end - 1] as string;
      break;
    }
  }
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    if (code < 128 && inWords[code] === 1 && !p.asks) {
      let solid = code ^ 32;
      let end = at + 1;
      for (; end < to; end++) {
        const next = text.charCodeAt(end);
        if (next > 127 || inWords[next] === 0) break;
        solid |= next ^ 32;
      }
      if (solid !== 0) {
        if (p.opened) p.section = undefined;
        if (p.tag === undefined) p.wordy = true;
        passSolid(p);
      }
      if (p.turn !== undefined) addToTurn(p, text.slice(at, end));
      if (p.mark !== undefined) p.mark += text.slice(at, Math.min(end, at + 1 + longestTag - p.mark.length));
      if (!p.fence) {
        passChar(p, text, at, code);
        if (p.tag !== undefined && p.ticks === 0)
          p.tag += text.slice(at + 1, Math.min(end, at + 2 + longestTag - p.tag.length));
      }
      at = end - 1;
      p.last = text[at] as string;
      continue;
    }
    const goesOn = p.turn === '' && p.startsTurn;
    if (p.turn !== undefined) endTurn(p, code === 60);
    if (code === 60 || code === 91) p.startsTurn = goesOn || !p.wordy || sentenceEnds.has(p.last);
    if (code !== 60 && code > 32 && p.tag === undefined) p.wordy = true;
    if (code === 91) p.mark = '';
    else if (p.mark !== undefined) endMark(p, code === 93);
    const tag = code === 60 ? simpleTagAt(p, text, at) : '';
    if (tag !== '') {
      p.leadsLine = !p.solid;
      passSolid(p);
      p.quotes = 0;
      p.tag = undefined;
      p.spread = '';
      endTag(p, tag.slice(0, longestTag + 1).toLowerCase());
      if (tag.includes('?')) {
        p.asks = true;
        p.aside = 0;
      }
      at += tag.length + 1;
      if (tag.includes('role=')) passHeader(p, text, at);
    } else {
      if (code > 32) {
        const opens = code === 123 || code === 91;
        if (code === 60) p.leadsLine = !p.solid;
        else if (p.opened && !opens) p.section = undefined;
        if (opens && p.token === 'behind') p.token = 'line';
        passSolid(p);
        // An emoticon opens nothing.
        if (code === 123 || (opens && wordAt(p, text, at) !== ':[')) p.depth += 1;
        else if ((code === 125 || code === 93) && p.depth > 0) p.depth -= 1;
      }
      if (!p.fence) passChar(p, text, at, code);
      if (p.asks || code === 63 || code === 59 || code > 127)
        passQuestion(p, text[at] as string, p.tag !== undefined && p.tag.length < longestTag);
    }
    p.last = text[at] as string;
    if (mayEndHeader(code) && !p.fence && p.ticks === 0 && p.run === 0) passHeader(p, text, at);
  }
}

/** The word up to a character, if it is short. */
function wordAt(p: Place, text: string, at: number): string {
  const start = wordFrom(text, at, at - 3);
  return (start <= 0 ? p.word : '') + text.slice(start, at + 1);
}

function passChar(p: Place, text: string, at: number, code: number): void {
  const char = text[at] as string;
  if (p.comment) {
    p.comment = !(char === '>' && p.dashes > 1);
    p.dashes = char === '-' ? p.dashes + 1 : 0;
    return;
  }
  if (code === 96) {
    p.run += 1;
    return;
  }
  if (p.run > 0) endRun(p);
  // An apostrophe in a word closes nothing.
  if (p.last === "'" || p.last === '’') p.awaited = p.awaited.replace(doubt, isWord(char) ? p.last : '');
  if (p.ticks === 0 && mayAwait.has(char)) passAwaited(p, text, at, char);
  if (code === 34 || code === 39) passQuote(p, char);
  else {
    p.quotes = 0;
    if (code > 127) passTypographic(p, char);
  }
  if (p.ticks === 0) passTag(p, char, code);
}

/** What precedes a quote that may also close a quotation, if it opens one. */
const startsWord = /[\s([{:=—–-]/;

/** Tracks a typographic quote, which may go on in later paragraphs. */
function passTypographic(p: Place, char: string): void {
  const closers = quoteClosers(char);
  if (p.curly !== '' && quoteClosers(p.curly).includes(char)) p.curly = '';
  else if (p.curly === '' && closers !== '' && (!closers.includes(char) || startsWord.test(p.last))) p.curly = char;
  else if (p.spans !== '') {
    const opener = [...p.spans].findLast((one) => quoteClosers(one).includes(char));
    if (opener !== undefined) p.spans = p.spans.replace(opener, '');
  }
}

function endRun(p: Place): void {
  if (p.ticks === 0) p.ticks = p.run;
  else if (p.ticks === p.run) p.ticks = 0;
  p.run = 0;
}

const isWord = (char: string): boolean => /[\p{L}\p{N}]/u.test(char);

function passQuote(p: Place, char: string): void {
  p.quotes = p.last === char ? p.quotes + 1 : 1;
  if (p.quotes === 3) {
    p.quotes = 0;
    p.triple = p.triple === '' ? char.repeat(3) : p.triple[0] === char ? '' : p.triple;
    if (char === '"') p.straight = false;
    else p.apostrophe = false;
  } else if (p.last === '\\') return;
  else if (char === '"') p.straight = !p.straight;
  else if (p.apostrophe) p.apostrophe = false;
  else p.apostrophe = !isWord(p.last);
}

const brackets: Readonly<Record<string, string>> = {
  '(': ')',
  '[': ']',
  '{': '}',
  '（': '）',
  '［': '］',
  '‘': '’',
};
const mayAwait = new Set([...'"\'()[]{}（）［］‘’']);
const mostAwaited = 24;
/** Stands for a quote that is closed if the word is over. */
const doubt = '\0';

/** Tracks a quote or bracket that can span lines. An apostrophe in a word, an inch mark and an emoticon don't count. */
function passAwaited(p: Place, text: string, place: number, char: string): void {
  const { awaited, last } = p;
  const closer = brackets[char] ?? char;
  const at = awaited.lastIndexOf(closer);
  let opens = closer !== char ? !/^[:;=]-?.$/.test(wordAt(p, text, place)) : false;
  if (char === '"' || char === "'")
    opens = at < 0 ? !(char === '"' ? /\d/ : /[^\W_]|[À-\u2dff]/).test(last) : startsWord.test(last);
  if (opens && awaited.length < mostAwaited) p.awaited += closer;
  else if (at >= 0 && closer === char && last !== '\\')
    p.awaited =
      awaited.slice(0, at) + ((char === "'" || char === '’') && isWord(last) ? doubt : '') + awaited.slice(at + 1);
}

function passTag(p: Place, char: string, code: number): void {
  if (code === 60) {
    p.tag = '';
    p.spread = '';
  } else if (code === 62 && p.spread !== '') {
    if (p.last !== '/') endTag(p, p.spread);
    p.spread = '';
  } else if (p.tag === undefined) return;
  else if (code === 62) {
    if (p.last !== '/') endTag(p, p.tag.toLowerCase());
    p.tag = undefined;
  } else if (p.tag.length <= longestTag) {
    p.tag += char;
    if (p.tag === '!--') {
      if (p.leadsLine) p.comment = true;
      else openBlock(p, '-->');
      p.dashes = 0;
      p.tag = undefined;
    }
  }
}

/** Tracks that more than white space follows what came before. */
function passSolid(p: Place): void {
  p.solid = true;
  p.fresh = false;
  p.opened = false;
  if (p.shows === 'behind') p.shows = 'none';
  if (p.token === 'behind') p.token = 'none';
}

/** A tag without attributes, or with simple ones that leave no quote open. */
const simpleTag = /<\/?[a-z][a-z\d]{0,15}(?: [a-z-]{1,20}="[\w ./:#;,?&=-]{0,60}\w")*>/iy;

/** A tag at this offset that can be tracked all at once: not in code, a comment or a question. */
function simpleTagAt(p: Place, text: string, at: number): string {
  if (p.fence || p.comment || p.run > 0 || p.ticks > 0 || p.asks || p.last === "'" || p.last === '’') return '';
  simpleTag.lastIndex = at;
  if (p.awaited.length >= mostAwaited || !simpleTag.test(text)) return '';
  const tag = text.slice(at + 1, simpleTag.lastIndex - 1);
  return tag.length < longestTag || !tag.includes('?') ? tag : '';
}

/** Ends a word in brackets, which is a token of a chat template if it is in capitals: `[INST]`. */
function endMark(p: Place, closes: boolean): void {
  const mark = closes && !p.fence && p.ticks === 0 ? p.mark : undefined;
  p.mark = undefined;
  if (mark === undefined || !/^\/?[A-Z_]{3,}$/.test(mark)) return;
  const kind = tokenKind(mark[0] === '/' ? mark.toLowerCase() : `|${mark.toLowerCase()}|`);
  if (kind === 'result') p.resulted ||= p.startsTurn;
  else if (kind !== 'reasoning') passToken(p, kind);
}

function endLine(p: Place): void {
  if (p.turn !== undefined) endTurn(p, true);
  if (p.token === 'line') p.token = 'none';
  if (p.run > 0) endRun(p);
  if (p.fence) passFence(p, p.fence);
  else if (!p.comment) {
    const [, mark, language = ''] =
      ((p.line.includes('```') || p.line.includes('~~~')) && fenceOpens.exec(p.line)) || [];
    if (mark && !(mark[0] === '`' && p.line.slice(p.line.indexOf(mark) + mark.length).includes('`'))) {
      p.fence = { mark, language: language.toLowerCase(), indent: widthOf(p.line.slice(0, p.line.indexOf(mark))) };
      p.inner = 0;
      p.ticks = 0;
    } else if (p.solid) passListings(p);
  }
  if (p.solid) {
    p.lineBefore = p.line;
    p.askedBefore = p.asks;
    if ((p.straight && p.lastSolid === '"') || (p.apostrophe && p.lastSolid === "'")) openBlock(p, `\n${p.lastSolid}`);
    p.code = blockLine.test(p.line) ? 4 : indentOfCode(p);
    if (!p.fence) p.item = blockLine.test(p.line) ? 0 : itemAfter(p);
    p.leads = p.lastSolid === ':' || p.lastSolid === '：';
    if (!p.literal || !isSpace(p.line[0] as string))
      p.literal =
        (/[|>]|::/.test(p.line) && literalLead.test(p.line)) || (p.line.includes('..') && begins(directive, p.line));
    p.lazy = (/[>＞]/.test(p.line) && !startsPlain(p.line) && begins(quotedLine, p.line)) || (p.lazy && !p.blank);
    const letters = lettersOf(p.line);
    passSpeaker(p);
    passPairs(p);
    passLineOfTurn(p);
    p.ended = endsSentence(p);
    p.answered ||= (letters === 'an' || letters === 'fi' || letters === 'ob') && begins(answer, p.line);
  }
  if (p.lineBlock !== '') passLineBlock(p);
  p.blank = !p.solid;
  p.ruled = p.blank || p.line[0] === '[' || p.line[0] === '.';
  if (p.blank) {
    p.lazy = false;
    if (p.section === undefined) p.shows = 'none';
    p.ticks = 0;
    if (!p.spans.includes(p.curly) && p.spans.length < mostAwaited) p.spans += p.curly;
    p.curly = '';
  }
  // The rest of a header that was treated as text may be in the next line.
  p.header &&= headerBegun.test(p.line);
  p.line = '';
  p.lineEnd = '';
  p.first = false;
  p.opened = false;
  p.solid = false;
  p.wordy = false;
  p.mark = undefined;
  p.straight = false;
  p.apostrophe = false;
  p.quotes = 0;
  if (p.tag !== undefined) [p.spread = ''] = begunTag.exec(p.tag.toLowerCase()) ?? [];
  else if (p.blank) p.spread = '';
  p.tag = undefined;
  p.last = '\n';
  p.poses = false;
  p.spoken = '';
}

/** Tracks the turns of a transcript: a user's, or those of an assistant and its partner. */
function passSpeaker(p: Place): void {
  const speaker = speakerOf(p.line);
  const replies = speaker === 'assistant' || (speaker === 'agent' && /[.!?…。！？]/.test(p.lastSolid));
  p.transcript ||= speaker === 'user' || (p.partner && replies);
  if (speaker) p.partner = speaker === 'partner';
}

/** The name of an element whose tag goes on in the next line. */
const begunTag = /^[\p{L}_][\p{L}\p{M}\p{N}_:.-]*(?=\s|$)/u;

const headerBegun = /<\|\w+\|>\s*\w{0,20}\s*$/;
/** A fence ends at a line with its mark that isn't indented like code. A Markdown fence can contain others. */
function passFence(p: Place, { mark, language, indent }: NonNullable<Place['fence']>): void {
  if (!p.line.includes(mark)) return;
  const [, space = '', closes = ''] = fenceCloses.exec(p.line) ?? [];
  if (closes[0] === mark[0] && closes.length >= mark.length && widthOf(space) < indent + 4) {
    if (p.inner > 0) p.inner -= 1;
    else p.fence = undefined;
  } else if (/^(?:markdown|mdx?)$/.test(language) && fenceOpens.exec(p.line)?.[1] === mark) p.inner += 1;
}

/** Tracks a call, a marker or reasoning, after which a new line starts. */
export function passCall(p: Place): void {
  if (p.run > 0) endRun(p);
  p.shown = undefined;
  if (p.solid && !p.fresh) passLineOfTurn(p);
  p.ended = true;
  p.fresh = true;
  p.pairs = 0;
  p.lazy = false;
  p.code = 0;
  p.leads = false;
  p.last = ' ';
  p.lastSolid = '';
  p.tail = '';
  Object.assign(p, noQuestion);
  p.tag = undefined;
  p.turn = undefined;
  p.mark = undefined;
  p.wordy = false;
  p.section = undefined;
  p.header = false;
  p.token = 'none';
}
