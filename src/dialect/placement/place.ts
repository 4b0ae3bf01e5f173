import { passQuestion, type QuestionState } from './question.ts';

/** Whether calls after the preceding text are shown: for special tokens, and for plain markers. */
export interface Shown {
  readonly special: boolean;
  readonly plain: boolean;
}

/**
 * The position in a message: what the preceding text means for a call here. Updated character by character, so that
 * chunks don't matter.
 */
export interface Place extends QuestionState {
  /** The start of the line. */
  line: string;
  /** The last line before it that isn't blank, if it is short. */
  lineBefore: string;
  /** Whether the line has more than white space. */
  solid: boolean;
  /** Whether the previous line is blank or missing, and whether this is the first line. */
  blank: boolean;
  first: boolean;
  /** Whether a line of punctuation would open a listing, not underline the previous line. */
  ruled: boolean;
  /** Code indentation of the previous non-blank line, 0 if it isn't code; and whether it introduces code. */
  code: number;
  leads: boolean;
  /** Whether only white space followed a call, a marker or reasoning. */
  fresh: boolean;
  /** Whether there was a call before. */
  called: boolean;
  /** The last character, and the last that isn't white space. */
  last: string;
  lastSolid: string;
  /** The current and the previous word, if they are short. */
  word: string;
  before: string;
  fence: { readonly mark: string; readonly language: string; readonly indent: number } | undefined;
  /** Number of nested fences in a Markdown fence. */
  inner: number;
  /** Length of the current run of backticks, and of the one that opened inline code. */
  run: number;
  ticks: number;
  /** Open quotes: straight ones in the line, triple ones anywhere, or the closer of typographic ones. */
  straight: boolean;
  apostrophe: boolean;
  quotes: number;
  triple: string;
  curly: string;
  /** Closers of the open straight quotes and brackets, in this line or an earlier one. */
  awaited: string;
  /** Whether a comment that started a line is open, and the number of dashes just read. */
  comment: boolean;
  dashes: number;
  /** Number of open brackets and braces. */
  depth: number;
  /** The current tag, and whether it started the line. */
  tag: string | undefined;
  leadsLine: boolean;
  /** The open block of results, and whether it was opened in this line. */
  results: string;
  newResults: boolean;
  /** Closers of other open blocks: elements, comments, listings. */
  open: readonly string[];
  /** Whether the previous line introduces literal text, if it is indented. */
  literal: boolean;
  /** Whether the previous line is a blockquote, so that this line continues it. */
  lazy: boolean;
  /** What this means for calls here; computed on first use. */
  shown: Shown | undefined;
  /** Whether another turn was written, as in a transcript, or a document started with its declaration. */
  transcript: boolean;
  /** Whether a labelled final answer started, which is content. */
  answered: boolean;
  document: boolean;
  /** Tags that open sections of calls, with their closing tags; tags of headers have none. */
  readonly sections: ReadonlyMap<string, string>;
  /** The closer of a section whose opener was treated as text, and whether its content hasn't started. */
  section: string | undefined;
  opened: boolean;
  /**
   * Whether such a section is text because of what precedes it: inside it, and directly after it, where further calls
   * are text too.
   */
  shows: 'none' | 'in' | 'behind';
  /** Whether a frame header that was treated as text starts in this line. */
  header: boolean;
  /** Whether an unclosed opener was treated as text: directly after it, then in the line of its content. */
  token: 'none' | 'behind' | 'line';
}

export const newPlace = (sections: ReadonlyMap<string, string> = new Map()): Place => ({
  ...{
    line: '',
    lineBefore: '',
    solid: false,
    blank: true,
    first: true,
    ruled: true,
    code: 0,
    leads: false,
    fresh: true,
    called: false,
    last: '\n',
    lastSolid: '',
    word: '',
    before: '',
    fence: undefined,
    inner: 0,
  },
  ...{ run: 0, ticks: 0, straight: false, apostrophe: false, quotes: 0, triple: '', curly: '', awaited: '' },
  ...{ comment: false, dashes: 0, depth: 0, tag: undefined, leadsLine: false, results: '', newResults: false },
  ...{ asks: false, aside: 0 },
  ...{ open: [], literal: false, lazy: false, shown: undefined, transcript: false, answered: false, document: false },
  ...{ sections, section: undefined, opened: false, shows: 'none' as const, header: false, token: 'none' as const },
});

const lineLength = 120;
const longestTag = 40;
const longestShort = 8;
const fenceOpens = /^\s*(?:(?:[-*+]|\d{1,3}[.)])\s+)*(`{3,}|~{3,})\s*([^\s`]*)[^`]*$/;
const fenceCloses = /^(\s*)(`{3,}|~{3,})\s*$/;
/** Opening quotes, with those that can close them. In some languages both are the same, or reversed. */
export const quotePairs: Readonly<Record<string, string>> = {
  ...{ '“': '”', '”': '”', '„': '“”', '«': '»', '»': '«»', '‘': '’', '‚': '‘’', '‹': '›', '›': '‹›' },
  ...{ '「': '」', '『': '』', '《': '》', '〈': '〉', '【': '】', '〝': '〞〟' },
};
export const resultBlock =
  /^(?:tool|function|search)?_?(?:responses?|results?|outputs?)$|^observations?$|^std(?:out|err)$|^(?:think(?:ing)?|thoughts?|reasoning|reflection|scratchpad|analysis|monologue)$/;
const bareResponse = /^(?:response|output)s?$/;
/**
 * Elements that models put around their actions. Anything else around a call shows it, including a list of all tools.
 */
const framing =
  /^(?!(?:tools|functions)$)(?:.*[_:.-])?(?:calls?|tools?|functions?|actions?|invoke|answers?|final|responses?|outputs?|assistant|message|json|xml|commands?)(?:_\w+)?$/;
const empty = /^(?:[bh]r|img|input|meta|link|wbr)$/;
/** Other lines that open such a block, with their closers. */
const listings: readonly (readonly [RegExp, (found: RegExpExecArray) => string])[] = [
  [/\\begin\{((?:[bv]?verbatim|lstlisting|minted|alltt|quot(?:e|ation)|code)\*?)\}/i, ([, name]) => `\\end{${name}}`],
  [
    /\[(code|quote|pre|spoiler|noparse|think(?:ing)?|reasoning|(?:tool_|function_)?(?:results?|responses?|outputs?|content))(?:[ =][^\]]*)?\]/i,
    ([, name]) => `[/${name}]`,
  ],
  [/^\s*(?:\/\*|\{-|\(\*|--\[\[|<#|=begin\b|#if 0\b)/, ([mark]) => closers[mark.trim()] ?? '*/'],
  [/<<<?[-~]?\s?(?:(["'])(\w+)\1|\b([A-Z_]{2,})\b)/, ([, , quoted, plain]) => `\n${quoted ?? plain}`],
  [/^\s*#\+begin_(\w+)/i, ([, name]) => `#+end_${name}`],
  [/^\s*-{2,}\s*(?:begin|start)\b([^-]{0,40})-{2,}\s*$/i, ([, what = '']) => `end${what}-`],
  [/^\s*(-{2,}\s*8<\s*-{2,})\s*$/, ([, line]) => `\n${line}\n`],
  [/\{(code|quote|noformat|panel)(?::[^{}]{0,60})?\}/i, ([, name]) => `{${name}}`],
  [/^\s*(:{3,})\s*\{?\w/, ([, mark]) => `\n${mark}\n`],
  [/^\s*\$\$/, () => '$$'],
  [/^\W{0,4}(?:BEGIN|START)(?: OF)? ([A-Z][A-Z ]{1,40}?)\W*$/, ([, what]) => `end ${what}`],
  [/^(-{4,}|\.{4,}|={4,}|_{4,}|\+{4,})\s*$/, ([, mark]) => `\n${mark}\n`],
];
/** What such lines contain, or start with. */
const listed = /\\begin|\[[cfnopq-t]|\{[cnpq]|<</i;
const lists = /\s*(?:\/\*|\{-|\(\*|=b|#i|#\+|--|<#|:::|\$\$)|[-.=_+]{4}/iy;
const closers: Readonly<Record<string, string>> = {
  ...{ '{-': '-}', '(*': '*)', '--[[': ']]', '<#': '#>', '=begin': '\n=end\n', '#if 0': '#endif' },
};
/** A blockquote, also in list items. */
export const quotedLine = /\s*(?:(?:[-*+•]|\d{1,3}[.)])\s+){0,9}[>＞]/y;
const mostOpen = 24;
const literalLead = /(?:::|[:：]\s*[|>][+-]?\d?)\s*$/;
const directive = /\s*\.\.\s+[\w:.-]+::/y;
const leadsIn = new Set([...':|>+-']);
/** The label of a final answer: everything after it is for the user. */
const answer = /\W{0,6}(final )?answer\W{0,3}[:：]/iy;
const otherTurn = /\W{0,4}(?:user|human)\W{0,3}[:：]/iy;

/** Characters that only make words, by their code. */
const inWords = Uint8Array.from({ length: 128 }, (_, code) =>
  /[\w !#$%&*+,./:;=@^|~]/.test(String.fromCharCode(code)) ? 1 : 0,
);

const isWordCode = Uint8Array.from({ length: 128 }, (_, code) => (/\w/.test(String.fromCharCode(code)) ? 1 : 0));

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

/** The place up to some text that wasn't tracked yet. */
export interface Tracked {
  readonly tracked: Place;
  unplaced: string;
}

/** More text than this is tracked even if nobody needs to know its place. */
const mostUnplaced = 128 * 1024;

/** Adds text, which is tracked when its place matters: where something may be a call. */
export function trackText(m: Tracked, text: string): void {
  m.unplaced += text;
  if (m.unplaced.length > mostUnplaced) placeOf(m);
}

/** The current place. */
export function placeOf(m: Tracked): Place {
  if (m.unplaced !== '') {
    passText(m.tracked, m.unplaced);
    m.unplaced = '';
  }
  return m.tracked;
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
  if (p.line.length < lineLength) p.line += text.slice(from, Math.min(to, from + lineLength - p.line.length));
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
        passSolid(p);
      }
      if (!p.fence) {
        passChar(p, text, at, code);
        if (p.tag !== undefined && p.ticks === 0)
          p.tag += text.slice(at + 1, Math.min(end, at + 2 + longestTag - p.tag.length));
      }
      at = end - 1;
      p.last = text[at] as string;
      continue;
    }
    const tag = code === 60 ? simpleTagAt(p, text, at) : '';
    if (tag !== '') {
      p.leadsLine = !p.solid;
      passSolid(p);
      p.quotes = 0;
      p.tag = undefined;
      endTag(p, tag.slice(0, longestTag + 1).toLowerCase());
      if (tag.includes('?')) {
        p.asks = true;
        p.aside = 0;
      }
      at += tag.length + 1;
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
      if (p.asks || code === 63 || code > 127)
        passQuestion(p, text[at] as string, p.tag !== undefined && p.tag.length < longestTag);
    }
    p.last = text[at] as string;
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
    if (code > 127) {
      if (p.curly.includes(char)) p.curly = '';
      else if (p.curly === '' && quotePairs[char]) p.curly = quotePairs[char] as string;
    }
  }
  if (p.ticks === 0) passTag(p, char, code);
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
  ...{ '(': ')', '[': ']', '{': '}', '（': '）', '［': '］', '‘': '’' },
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
    opens = at < 0 ? !(char === '"' ? /\d/ : /[^\W_]|[À-\u2dff]/).test(last) : /[\s([{:=—–-]/.test(last);
  if (opens && awaited.length < mostAwaited) p.awaited += closer;
  else if (at >= 0 && closer === char && last !== '\\')
    p.awaited =
      awaited.slice(0, at) + ((char === "'" || char === '’') && isWord(last) ? doubt : '') + awaited.slice(at + 1);
}

function passTag(p: Place, char: string, code: number): void {
  if (code === 60) p.tag = '';
  else if (p.tag === undefined) return;
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

/** What a tag says by itself. */
interface Tag {
  readonly plain: string;
  readonly name: string;
  readonly element: string | undefined;
  readonly closer: string | undefined;
  /** What closes it by its name, and by its element. */
  readonly ends: string;
  readonly endsElement: string;
  readonly isResult: boolean;
  /** Whether it is an element with content. */
  readonly holds: boolean;
}

/** The tags that were read last. Documents repeat the same few. */
const knownTags = new Map<string, Tag>();
const mostTags = 256;

function readTag(tag: string): Tag {
  const known = knownTags.get(tag);
  if (known) return known;
  const plain = plainTag(tag);
  const name = /^\/?\|?([\w-]+)/.exec(plain)?.[1] ?? '';
  const element = /^\/?([a-z_][\w:.-]*)(?=[\s/]|$)/.exec(plain)?.[1];
  const isResult = resultBlock.test(name) && !bareResponse.test(name);
  const holds = element !== undefined && !framing.test(element) && !empty.test(element);
  const [ends, endsElement] = [`</${name}>`, `</${element}>`];
  const read = { plain, name, element, ends, endsElement, closer: closerOf(plain, name), isResult, holds };
  if (knownTags.size >= mostTags) knownTags.clear();
  knownTags.set(tag, read);
  return read;
}

function endTag(p: Place, tag: string): void {
  const { plain, name, ends, endsElement, closer, isResult, holds } = readTag(tag);
  passSection(p, plain);
  closeBlock(p, name);
  if (closer) openBlock(p, closer);
  if (tag.startsWith('/')) {
    if (name === p.results) p.results = '';
    closeBlock(p, ends);
    if (endsElement !== ends) closeBlock(p, endsElement);
  } else if (isResult) {
    if (p.results !== '' || !p.leadsLine) openBlock(p, ends);
    else {
      p.results = name;
      p.newResults = true;
    }
  } else if (tag.startsWith('?xml')) p.document ||= p.leadsLine;
  else if (holds) openBlock(p, endsElement);
}

/** Special tokens of any model family that open results or reasoning. */
const opensTokens = /^(start_|begin_)?(\w+?)(_start|_begin|_prefix)?$/;
const shownTokens = /^(?:(?:tool|function|search)_?(?:call_)?(?:responses?|results?|outputs?)|inner|think(?:ing)?)$/;

/** The closer of such a token. */
function closerOf(tag: string, name: string): string | undefined {
  const [, start, base = '', end] = opensTokens.exec(name) ?? [];
  if (!shownTokens.test(base)) return undefined;
  if (start) return `end_${base}`;
  if (end) return base + (end === '_prefix' ? '_suffix' : '_end');
  // A single bar is on the outer side.
  return tag[0] === '|' && !tag.endsWith('|') ? `<${base}|>` : undefined;
}

function openBlock(p: Place, closer: string): void {
  if (!p.open.includes(closer)) p.open = [...p.open.slice(0, mostOpen - 1), closer];
}

function closeBlock(p: Place, closer: string): void {
  const at = p.open.lastIndexOf(closer);
  if (at >= 0) p.open = at === p.open.length - 1 ? p.open.slice(0, at) : p.open.toSpliced(at, 1);
}

/** Whether a line closes a block, and not its own tag. */
const isListing = (closer: string): boolean => !(closer.charCodeAt(0) === 60 && closer.charCodeAt(1) === 47);

/** Tracks listings that the line opens or closes. */
function passListings(p: Place): void {
  const before = p.open;
  if (before.some(isListing)) {
    const line = `\n${plainTag(p.line).trimEnd().toLowerCase()}\n`;
    p.open = before.filter((one) => !isListing(one) || !line.includes(one));
  }
  if (p.open.length === before.length) for (const closer of listedIn(p)) openBlock(p, closer);
}

/** Closers of the listings that the line opens. */
export function listedIn({ line, ruled }: Place): readonly string[] {
  if (!listed.test(line) && !namesList(line) && (startsPlain(line) || !begins(lists, line))) return [];
  const low = line.toLowerCase();
  return listings.flatMap(([opener, closerOf], at) => {
    const found = at < listings.length - 1 || ruled ? opener.exec(line) : undefined;
    const closer = found && closerOf(found).toLowerCase();
    return closer && !low.includes(closer, found.index + found[0].length) ? [closer] : [];
  });
}

/** Normalizes the characters of a tag. */
export const plainTag = (tag: string): string =>
  wideSigns.test(tag) ? tag.replaceAll('｜', '|').replaceAll('▁', '_') : tag;
const wideSigns = /[｜▁]/;

/**
 * A section whose opener is text is text as a whole, including nested ones, up to its closer. If words follow in its
 * line, it is only mentioned.
 */
function passSection(p: Place, tag: string): void {
  const close = p.sections.get(tag);
  if (tag === p.section) {
    p.section = undefined;
    p.shows = p.shows === 'in' ? 'behind' : 'none';
  } else if (close === unclosed) p.token = 'behind';
  else if (close === '') p.header = true;
  else if (close !== undefined && p.section === undefined) {
    p.section = close;
    p.opened = true;
    p.shows = 'in';
  }
}

/** Stands for the closer of openers without one. */
export const unclosed = '-';

function endLine(p: Place): void {
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
    p.lineBefore = p.line.length < lineLength ? p.line : '';
    if ((p.straight && p.lastSolid === '"') || (p.apostrophe && p.lastSolid === "'")) openBlock(p, `\n${p.lastSolid}`);
    p.code = indentOfCode(p);
    p.leads = p.lastSolid === ':' || p.lastSolid === '：';
    if (!p.literal || !isSpace(p.line[0] as string))
      p.literal =
        (leadsIn.has(p.lastSolid) && literalLead.test(p.line)) || (p.line.includes('..') && begins(directive, p.line));
    p.lazy = (/[>＞]/.test(p.line) && !startsPlain(p.line) && begins(quotedLine, p.line)) || (p.lazy && !p.blank);
    const letters = lettersOf(p.line);
    p.transcript ||= (letters === 'us' || letters === 'hu') && begins(otherTurn, p.line);
    p.answered ||= (letters === 'an' || letters === 'fi') && begins(answer, p.line);
  }
  // Words after its tag mean that it is only mentioned, unless it is closed.
  if (p.newResults && p.results !== '' && !/^\s*<[^>]*>\s*$/.test(p.line)) {
    openBlock(p, `</${p.results}>`);
    p.results = '';
  }
  p.newResults = false;
  p.blank = !p.solid;
  p.ruled = p.blank || p.line[0] === '[' || p.line[0] === '.';
  if (p.blank) {
    p.lazy = false;
    if (p.section === undefined) p.shows = 'none';
    p.ticks = 0;
    p.curly = '';
  }
  // The rest of a header that was treated as text may be in the next line.
  p.header &&= headerBegun.test(p.line);
  p.line = '';
  p.first = false;
  p.opened = false;
  p.solid = false;
  p.straight = false;
  p.apostrophe = false;
  p.quotes = 0;
  p.tag = undefined;
  p.last = '\n';
}

/** Whether the line starts with a letter or a tag. */
function startsPlain(line: string): boolean {
  let at = 0;
  while (line.charCodeAt(at) <= 32) at++;
  if (line.charCodeAt(at) === 60) at += line.charCodeAt(at + 1) === 47 ? 2 : 1;
  const code = line.charCodeAt(at) | 32;
  return code > 96 && code < 123;
}

/** Whether the line may start with the word of a listing. */
const namesList = (line: string): boolean => {
  const letters = lettersOf(line);
  return letters === 'be' || letters === 'st';
};

/** The two characters from the first letter, digit or `_` near the start, in lower case. */
function lettersOf(line: string): string {
  for (let at = 0; at < 7; at++) if (isWordCode[line.charCodeAt(at)] === 1) return line.slice(at, at + 2).toLowerCase();
  return '';
}

const headerBegun = /<\|\w+\|>\s*\w{0,20}\s*$/;
const widthOf = (space: string): number => (space === '' ? 0 : space.replaceAll('\t', '    ').length);

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
  p.fresh = true;
  p.lazy = false;
  p.code = 0;
  p.leads = false;
  p.last = ' ';
  p.lastSolid = '';
  p.asks = false;
  p.tag = undefined;
  p.section = undefined;
  p.header = false;
  p.token = 'none';
}

/** Indentation of the line if it makes it code: after a blank line, a colon or other code. */
export function indentOfCode({ line, blank, leads, code }: Place): number {
  let width = 0;
  for (let at = 0; at < 99 && at < line.length; at++) {
    const code = line.charCodeAt(at);
    if (code !== 32 && code !== 9) break;
    width += code === 9 ? 4 : 1;
  }
  return blank || leads || (code > 0 && width >= code) ? width : 0;
}

const indented = / {4}| {0,3}\t/y;

/** Whether the line, or the complete message, is indented like code. */
export const isIndented = (p: Place): boolean => !p.solid && begins(indented, p.line);

/** Whether a text starts with a match of a sticky pattern. */
export function begins(pattern: RegExp, text: string): boolean {
  pattern.lastIndex = 0;
  return pattern.test(text);
}

export const isSpace = (char: string): boolean => char <= ' ';
