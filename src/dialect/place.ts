/**
 * Where in a message the reader stands: what the text so far makes of a call that begins here. It follows the text
 * character by character, so that it costs the same however the text comes.
 */
export interface Place {
  /** The beginning of the line, as far as its first characters tell what it is. */
  line: string;
  /** The line holds more than white space. */
  solid: boolean;
  /** The line before is blank, or there is none. */
  blank: boolean;
  /** How far the line before, blank ones aside, is indented as code: 0 where it is none; and whether it leads code in. */
  code: number;
  leads: boolean;
  /** Nothing but white space came since a call, a marker or reasoning. */
  fresh: boolean;
  /** The last character, and the last that is no white space. */
  last: string;
  lastSolid: string;
  /** The word that is being read, and the one before it, as far as they are short. */
  word: string;
  before: string;
  fence: { readonly mark: string; readonly language: string } | undefined;
  /** The run of backticks that is being read, and the one that opened code in the line. */
  run: number;
  ticks: number;
  /** Quotes that are open: straight in the line, three of them anywhere, or the closer of typographic ones. */
  straight: boolean;
  apostrophe: boolean;
  quotes: number;
  triple: string;
  curly: string;
  comment: boolean;
  dashes: number;
  /** The tag that is being read. */
  tag: string | undefined;
  /** The block of results, and the element of code, that is open. */
  results: string;
  element: string;
  /** Tags that open sections of calls, with those that close them. */
  readonly sections: ReadonlyMap<string, string>;
  /** What closes the section whose opener was left as text, and that what stands in it is yet to begin. */
  section: string | undefined;
  opened: boolean;
}

export const newPlace = (sections: ReadonlyMap<string, string> = new Map()): Place => ({
  ...{
    line: '',
    solid: false,
    blank: true,
    code: 0,
    leads: false,
    fresh: true,
    last: '\n',
    lastSolid: '',
    word: '',
    before: '',
    fence: undefined,
  },
  ...{ run: 0, ticks: 0, straight: false, apostrophe: false, quotes: 0, triple: '', curly: '' },
  ...{ comment: false, dashes: 0, tag: undefined, results: '', element: '' },
  ...{ sections, section: undefined, opened: false },
});

const lineLength = 120;
const longestTag = 40;
const longestShort = 8;
const fenceOpens = /^\s*(?:(?:[-*+]|\d{1,3}[.)])\s+)*(`{3,}|~{3,})\s*([^\s`]*)[^`]*$/;
const fenceCloses = /^\s*(`{3,}|~{3,})\s*$/;
const pairs: Readonly<Record<string, string>> = { '“': '”', '„': '“', '«': '»', '‘': '’', '「': '」', '『': '』' };
const resultBlock = /^(?:tool|function|search)?_?(?:responses?|results?|outputs?)$|^observations?$|^std(?:out|err)$/;
const bareResponse = /^(?:response|output)s?$/;
const codeElement = /^(?:pre|code|samp|kbd|blockquote|q|examples?|xmp|textarea|script|template)$/;

/** Moves past text. */
export function passText(p: Place, text: string): void {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 10) {
      endLine(p);
      continue;
    }
    const char = text[at] as string;
    if (p.line.length < lineLength) p.line += char;
    if (code > 32) {
      p.solid = true;
      p.fresh = false;
      p.lastSolid = char;
      if (p.opened && code !== 60) p.section = undefined;
      p.opened = false;
      if (p.word.length < longestShort) p.word += char;
    } else endWord(p);
    if (!p.fence) passChar(p, char, code);
    p.last = char;
  }
}

function passChar(p: Place, char: string, code: number): void {
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
  if (code === 34 || code === 39) passQuote(p, char);
  else {
    p.quotes = 0;
    if (code > 127) {
      if (p.curly === char) p.curly = '';
      else if (p.curly === '' && pairs[char]) p.curly = pairs[char] as string;
    }
  }
  if (p.ticks === 0) passTag(p, char, code);
}

function endWord(p: Place): void {
  if (p.word === '') return;
  p.before = p.word;
  p.word = '';
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

function passTag(p: Place, char: string, code: number): void {
  if (code === 60) p.tag = '';
  else if (p.tag === undefined) return;
  else if (code === 62) {
    endTag(p, p.tag.toLowerCase());
    p.tag = undefined;
  } else if (p.tag.length > longestTag) p.tag = undefined;
  else {
    p.tag += char;
    if (p.tag === '!--') {
      p.comment = true;
      p.dashes = 0;
      p.tag = undefined;
    }
  }
}

function endTag(p: Place, tag: string): void {
  passSection(p, plainTag(tag));
  const name = /^\/?\|?([\w-]+)/.exec(tag)?.[1] ?? '';
  if (tag.startsWith('/')) {
    if (name === p.results) p.results = '';
    if (name === p.element) p.element = '';
  } else if (tag.endsWith('/')) return;
  else if (p.results === '' && resultBlock.test(name) && !bareResponse.test(name)) p.results = name;
  else if (p.element === '' && codeElement.test(name)) p.element = name;
}

/** A tag as it is, whichever way its signs are written. */
export const plainTag = (tag: string): string => tag.replaceAll('｜', '|').replaceAll('▁', '_');

/** A section whose opener is text is text as a whole, up to its closer; one that words follow is only mentioned. */
function passSection(p: Place, tag: string): void {
  const close = p.sections.get(tag);
  if (close !== undefined) {
    p.section = close;
    p.opened = true;
  } else if (tag === p.section) p.section = undefined;
}

function endLine(p: Place): void {
  endWord(p);
  if (p.run > 0) endRun(p);
  const { line, fence } = p;
  if (fence) {
    const [, mark = ''] = fenceCloses.exec(line) ?? [];
    if (mark[0] === fence.mark[0] && mark.length >= fence.mark.length) p.fence = undefined;
  } else if (!p.comment) {
    const [, mark, language = ''] = fenceOpens.exec(line) ?? [];
    if (mark && !(mark[0] === '`' && line.slice(line.indexOf(mark) + mark.length).includes('`'))) {
      p.fence = { mark, language: language.toLowerCase() };
      p.ticks = 0;
    }
  }
  if (p.solid) {
    p.code = indentOfCode(p);
    p.leads = /[:：]/.test(p.lastSolid);
  }
  p.blank = !p.solid;
  if (p.blank) {
    p.ticks = 0;
    p.curly = '';
  }
  p.line = '';
  p.solid = false;
  p.straight = false;
  p.apostrophe = false;
  p.quotes = 0;
  p.tag = undefined;
  p.last = '\n';
}

/** Moves past a call, a marker or reasoning: what comes next stands as if it began a line. */
export function passCall(p: Place): void {
  if (p.run > 0) endRun(p);
  p.fresh = true;
  p.code = 0;
  p.leads = false;
  p.last = ' ';
  p.lastSolid = '';
  p.tag = undefined;
  p.section = undefined;
}

/** How far the line is indented, if that makes it code: behind a blank line, a colon or other code. */
function indentOfCode({ line, blank, leads, code }: Place): number {
  const width = (/^[ \t]*/.exec(line)?.[0] ?? '').replaceAll('\t', '    ').length;
  return blank || leads || (code > 0 && width >= code) ? width : 0;
}

const isSpace = (char: string): boolean => char.charCodeAt(0) <= 32;

const abbreviation = /^[([]?(?:(?:\p{L}\.){1,3}|\p{L}\.\p{L}\p{L}?\.|etc\.|eg\.|ie\.|ex\.|cf\.|vs\.|bzw\.)$/iu;

/** Whether a call that begins here breaks into a sentence: words and a space stand before it. */
export const inSentence = (p: Place): boolean =>
  p.solid && !p.fresh && isSpace(p.last) && (abbreviation.test(p.before) || !/[.!?…。！？]/.test(p.lastSolid));

/** Whether a call that begins here begins a line, or comes right behind another or behind reasoning. */
export const startsLine = (p: Place): boolean => p.fresh || !p.solid;

const quotesBefore = new Set([...'"\'`“„«‘「『([{']);
/** Lines of logs, listings, differences and transcripts, which show what somebody else wrote. */
const shownLine =
  /^\s*(?:[[(]?\d{4}-\d\d-\d\d|[[(]?\d{1,2}:\d\d|[+$#%|]\s|[+-]$|[\w.-]{1,24}>\s|\d{1,6}\s*[:|→]|(?:user|human|assistant|system|tool|model|input|output|prompt|response|answer|before|after|example|e\.g\.)\s*\d*\s*[:>])/i;
const question = /[?？؟]/;

/** Whether nothing that begins here can be a call, whatever follows. */
export function isShown(p: Place, special: boolean, named: boolean, fences: readonly string[] | undefined): boolean {
  if (p.comment || p.results !== '') return true;
  if (p.fence && !fences?.includes(p.fence.language)) return true;
  if (/^\s*>/.test(p.line) && !p.fresh) return true;
  if (!p.fresh && quotesBefore.has(p.last)) return true;
  if (special) return false;
  // A model that was told how to call goes on with a call behind its question, at once or on the next line.
  if (question.test(p.lastSolid) && !p.fresh && (!named || (p.solid && isSpace(p.last)))) return true;
  if (!p.solid && !p.fresh && indentOfCode(p) >= (named ? 4 : 2)) return true;
  return !named && p.solid && !p.fresh && shownLine.test(p.line);
}

/** What is open around a call, and makes it a quotation if it is closed behind the call. */
export type Around = Pick<Place, 'ticks' | 'straight' | 'apostrophe' | 'triple' | 'curly' | 'element'>;

export function aroundOf(p: Place): Around | undefined {
  const { ticks, straight, apostrophe, triple, curly, element } = p;
  const any = ticks > 0 || straight || apostrophe || triple !== '' || curly !== '' || element !== '';
  return any && !p.fence ? { ticks, straight, apostrophe, triple, curly, element } : undefined;
}

const farthest = 4000;
/** In a string, the quotes of what it holds are escaped. */
const escapedFirst = /^[^"']{0,4000}\\["']/;

/** Whether what is open around a call is closed by the text behind it, or the call itself shows that it stands in a string. */
export function isClosedBy(around: Around, call: string, behind: string): boolean {
  const near = behind.slice(0, farthest);
  const [line = ''] = near.split('\n', 1);
  const [paragraph = ''] = near.split(/\n[ \t]*\n/, 1);
  const { ticks, straight, apostrophe, triple, curly, element } = around;
  return (
    ((straight || apostrophe) && escapedFirst.test(call)) ||
    (ticks > 0 && (paragraph.match(/`+/g) ?? []).some((run) => run.length === ticks)) ||
    (straight && line.includes('"')) ||
    (apostrophe && line.includes("'")) ||
    (triple !== '' && near.includes(triple)) ||
    (curly !== '' && paragraph.includes(curly)) ||
    (element !== '' && near.toLowerCase().includes(`</${element}`))
  );
}
