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
const mayList = /\\begin|\[[a-z]|\{[cnpq]|^\s*(?:[/{(=#-]|<#|:::|\$\$|\W{0,4}(?:begin|start)\b)|<<|^[-.=_+]{4}/i;
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

/** Adds to the current line. */
function addToLine(p: Place, text: string, from: number, to: number): void {
  const left = lineLength - p.line.length;
  if (left > 0 && to > from) p.line += text.slice(from, Math.min(to, from + left));
}

/** Tracks words all at once. */
function passWords(p: Place, text: string): void {
  const last = text[text.length - 1] as string;
  const lastSolid = last === ' ' ? text.trimEnd().at(-1) : last;
  if (lastSolid !== undefined) {
    if (p.opened) p.section = undefined;
    passSolid(p, lastSolid);
  }
  const gap = text.lastIndexOf(' ');
  if (gap >= 0) {
    const head = text.slice(0, gap).trimEnd();
    const from = head.lastIndexOf(' ') + 1;
    p.before = ((from === 0 ? p.word : '') + head.slice(from)).slice(0, longestShort) || p.before;
    p.word = '';
  }
  if (p.word.length < longestShort) p.word += text.slice(gap + 1, gap + 1 + longestShort - p.word.length);
  if (!p.fence) {
    passChar(p, text[0] as string, text.charCodeAt(0));
    if (p.tag !== undefined && p.ticks === 0) p.tag += text.slice(1, Math.max(1, longestTag + 2 - p.tag.length));
  }
  p.last = last;
}

/** Tracks that more than white space follows what came before. */
function passSolid(p: Place, last: string): void {
  p.solid = true;
  p.fresh = false;
  p.lastSolid = last;
  p.opened = false;
  if (p.shows === 'behind') p.shows = 'none';
  if (p.token === 'behind') p.token = 'none';
}

/** A tag without attributes. */
const bareTag = /<\/?[a-z][a-z\d]{0,15}>/iy;

/** Whether a tag at this offset can be tracked all at once: not in code, a comment or a question. */
function isBareTag(p: Place, text: string, at: number): boolean {
  if (p.fence || p.comment || p.run > 0 || p.ticks > 0 || p.asks || p.last === "'" || p.last === '’') return false;
  bareTag.lastIndex = at;
  return bareTag.test(text);
}

/** Tracks such a tag. */
function passBareTag(p: Place, tag: string): void {
  p.leadsLine = !p.solid;
  passSolid(p, '>');
  if (p.word.length < longestShort) p.word += tag.slice(0, longestShort - p.word.length);
  p.quotes = 0;
  p.tag = undefined;
  p.last = '>';
  endTag(p, tag.slice(1, -1).toLowerCase());
}

/** Tracks text. */
export function passText(p: Place, text: string): void {
  p.shown = undefined;
  let lineFrom = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 128 && inWords[code] === 1 && !p.asks) {
      let end = at + 1;
      while (end < text.length && text.charCodeAt(end) < 128 && inWords[text.charCodeAt(end)] === 1) end++;
      if (end > at + 1) {
        passWords(p, text.slice(at, end));
        at = end - 1;
        continue;
      }
    }
    if (code === 60 && isBareTag(p, text, at)) {
      passBareTag(p, text.slice(at, bareTag.lastIndex));
      at = bareTag.lastIndex - 1;
      continue;
    }
    if (code === 10) {
      addToLine(p, text, lineFrom, at);
      lineFrom = at + 1;
      endLine(p);
      continue;
    }
    const char = text[at] as string;
    if (code > 32) {
      if (code === 60) p.leadsLine = !p.solid;
      p.solid = true;
      p.fresh = false;
      if (code < 128 || !/\s/.test(char)) p.lastSolid = char;
      if (p.opened && code !== 60 && code !== 123 && code !== 91) p.section = undefined;
      p.opened = false;
      if (p.shows === 'behind') p.shows = 'none';
      if (p.token === 'behind') p.token = code === 123 || code === 91 ? 'line' : 'none';
      if (p.word.length < longestShort) p.word += char;
      // An emoticon opens nothing.
      if (code === 123 || (code === 91 && p.word !== ':[')) p.depth += 1;
      else if ((code === 125 || code === 93) && p.depth > 0) p.depth -= 1;
    } else endWord(p);
    if (!p.fence) passChar(p, char, code);
    if (p.asks || code === 63 || code > 127) passQuestion(p, char, p.tag !== undefined && p.tag.length < longestTag);
    p.last = char;
  }
  addToLine(p, text, lineFrom, text.length);
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
  // An apostrophe in a word closes nothing.
  if (p.last === "'" || p.last === '’') p.awaited = p.awaited.replace(doubt, isWord(char) ? p.last : '');
  if (p.ticks === 0 && mayAwait.has(char)) passAwaited(p, char);
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

const brackets: Readonly<Record<string, string>> = {
  ...{ '(': ')', '[': ']', '{': '}', '（': '）', '［': '］', '‘': '’' },
};
const mayAwait = new Set([...'"\'()[]{}（）［］‘’']);
const mostAwaited = 24;
/** Stands for a quote that is closed if the word is over. */
const doubt = '\0';

/** Tracks a quote or bracket that can span lines. An apostrophe in a word, an inch mark and an emoticon don't count. */
function passAwaited(p: Place, char: string): void {
  const { awaited, last } = p;
  const closer = brackets[char] ?? char;
  const at = awaited.lastIndexOf(closer);
  let opens = closer !== char ? !/^[:;=]-?.$/.test(p.word) : false;
  if (char === '"' || char === "'")
    opens = at < 0 ? !(char === '"' ? /\d/ : /[^\W_]|[À-\u2dff]/).test(last) : /[\s([{:=—–-]/.test(last);
  if (opens && awaited.length < mostAwaited) p.awaited += closer;
  else if (at >= 0 && closer === char && last !== '\\')
    p.awaited = awaited.slice(0, at) + (/['’]/.test(char) && isWord(last) ? doubt : '') + awaited.slice(at + 1);
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
  const read = { plain, name, element, closer: closerOf(plain, name), isResult, holds };
  if (knownTags.size >= mostTags) knownTags.clear();
  knownTags.set(tag, read);
  return read;
}

function endTag(p: Place, tag: string): void {
  const { plain, name, element, closer, isResult, holds } = readTag(tag);
  passSection(p, plain);
  closeBlock(p, name);
  if (closer) openBlock(p, closer);
  if (tag.startsWith('/')) {
    if (name === p.results) p.results = '';
    closeBlock(p, `</${name}>`);
    if (element !== name) closeBlock(p, `</${element}>`);
  } else if (isResult) {
    if (p.results !== '' || !p.leadsLine) openBlock(p, `</${name}>`);
    else {
      p.results = name;
      p.newResults = true;
    }
  } else if (tag.startsWith('?xml')) p.document ||= p.leadsLine;
  else if (holds) openBlock(p, `</${element}>`);
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
  if (p.open.includes(closer)) p.open = p.open.filter((one) => one !== closer);
}

/** Tracks listings that the line opens or closes. */
function passListings(p: Place): void {
  const before = p.open;
  if (before.length > 0) {
    const line = `\n${plainTag(p.line).trimEnd().toLowerCase()}\n`;
    p.open = before.filter((one) => one.startsWith('</') || !line.includes(one));
  }
  if (p.open.length === before.length) for (const closer of listedIn(p)) openBlock(p, closer);
}

/** Closers of the listings that the line opens. */
export function listedIn({ line, ruled }: Place): readonly string[] {
  if (!mayList.test(line)) return [];
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
  endWord(p);
  if (p.token === 'line') p.token = 'none';
  if (p.run > 0) endRun(p);
  if (p.fence) passFence(p, p.fence);
  else if (!p.comment) {
    const [, mark, language = ''] = (/`{3}|~{3}/.test(p.line) && fenceOpens.exec(p.line)) || [];
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
    p.leads = /[:：]/.test(p.lastSolid);
    if (!p.literal || !isSpace(p.line[0] as string))
      p.literal = (leadsIn.has(p.lastSolid) && literalLead.test(p.line)) || begins(directive, p.line);
    p.lazy = begins(quotedLine, p.line) || (p.lazy && !p.blank);
    p.transcript ||= begins(otherTurn, p.line);
    p.answered ||= begins(answer, p.line);
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

const headerBegun = /<\|\w+\|>\s*\w{0,20}\s*$/;
const widthOf = (space: string): number => space.replaceAll('\t', '    ').length;

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
  const width = widthOf(/^[ \t]{0,99}/.exec(line)?.[0] ?? '');
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
