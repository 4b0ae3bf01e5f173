import { begins } from './place.ts';

/** A time of day with seconds. */
const seconds = String.raw`\d{1,2}:\d\d:\d\d`;
/** A time of day that a sentence may contain as well, with the sign that separates it from a record. */
const minutes = String.raw`\d{1,2}:\d\d(?:\s?[AaPp]\.?[Mm]\.?)?\s{0,2}[\])|–-]`;
/** The name of a month or a day of the week in any language. */
const name = String.raw`\p{L}{3,9}\.?`;
const gap = '[-/., ]{1,2}';
const day = String.raw`\d{1,2}`;

/** Words before a date in a sentence, which are no day of the week. */
const leads =
  'on at the by in from since until before after next last see am um der dem den seit vom bis le du au el al del il em no в на до'
    .split(' ')
    .map((one) => `[${one[0]}${one[0]?.toUpperCase()}]${one.slice(1)} `);

/** Dates with a month in words: `16 Nov 2026`, `Mon Nov 16`, `Nov 16, 2026`, `2026-Nov-16`. */
const datesInWords = `(?:(?!${leads.join('|')})\\p{L}{2,9}\\.?,? )?(?!${leads.join('|')})(?:${day}${gap}${name}(?:${gap}\\d{2,4})?|${name} {1,2}${day}(?:,? \\d{4})?|\\d{4}${gap}${name}${gap}${day})`;

/** Dates with a time of day, as people write them too. */
const written = [
  String.raw`\d{4}[-/.]\d{1,2}[-/.]\d{1,2}(?:[T_]|,? {1,2})\d{1,2}[:.-]?\d\d`,
  String.raw`\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}[T,]? ?\d{1,2}:\d\d`,
  `${datesInWords}(?:[T:,] {0,2}| {1,2})(?:${seconds}|${minutes})`,
  String.raw`\d{4} ?[年년] ?\d{1,2} ?[月월] ?\d{1,2} ?[日일] ?[(（]?\p{L}{0,6}[)）]? ?(?:${seconds}|\d{1,2} ?[时時시] ?\d{1,2} ?[分분] ?\d)`,
].join('|');

/** Stamps that only programs write: without separators or a year, and seconds since the epoch. */
const printed = [
  String.raw`\d{4}-(?:W\d\d-?\d|\d{3})[T ]\d\d`,
  String.raw`\d\d[-/]\d\d \d\d:\d\d:\d\d`,
  String.raw`(?:19|20)\d\d[01]\d[0-3]\d[T _-]?\d{4}`,
  String.raw`\d{6} {1,2}${seconds}`,
  String.raw`1[6-9]\d{8}(?:(?:\d{3}){1,3}|\.\d{1,9})(?=[\s\]):,|])`,
].join('|');

/** Stamps that begin a line: seconds since the start, levels with a date, and access logs. */
const leading = [
  String.raw`[DIWEF]\d{4} \d\d:`,
  String.raw`[\d.]{7,15} \S{1,40} \S{1,40} \[\d`,
  String.raw`(?<=[[(])\s{0,8}\d{1,9}\.\d{3,9}[\])]`,
  String.raw`\+\d{1,9}\.\d{1,9}m?s\s|T[+-]\d\d:\d\d|#\d{1,4} \d{1,6}\.\d{1,6}\s`,
].join('|');

/** A date or a time alone, at the start of a line. */
const brief = [
  String.raw`\d{4}[-/.]\d\d[-/.]\d\d`,
  String.raw`\d{1,2}:\d\d`,
  String.raw`\d{1,2}[/.]\d{1,2}[/.]\d{2,4},? \d`,
  String.raw`[A-Z][a-z]{2} {1,2}\d{1,2} \d\d:\d\d`,
  String.raw`\d{10}(?:\.\d+)?\s`,
].join('|');

const levelNames = [
  'trace',
  'debug',
  'info',
  'information',
  'notice',
  'warn',
  'warning',
  'err',
  'error',
  'severe',
  'fatal',
  'crit',
  'critical',
  'alert',
  'emerg',
  'panic',
  'verbose',
  'log',
];
const spelled = levelNames.map((one) => `[${one[0]}${one[0]?.toUpperCase()}]${one.slice(1)}|${one.toUpperCase()}`);
const level = `(?:${spelled.join('|')}|FINE(?:R|ST)?|CONFIG|[DEFITVW])(?![\\p{L}\\p{N}])`;

/** Parts of a record before its stamp: a priority, a level, a group in brackets, a pair, a dash, or the name of a host. */
const parts = [
  String.raw`<\d{1,3}>\d?`,
  `${level}[:!|]?`,
  String.raw`[[(][^[\]()\n]{1,60}[\])]:?`,
  '[-|]',
  String.raw`[\w@.-]{1,30}=\S{0,60}`,
  String.raw`(?=\S{0,60}[\d_./@-])[\w@:./[\]-]{1,80}`,
].join('|');

const item = String.raw`\s*(?:[-*+•]\s+)?(?:\S{1,100}:\d{1,6}:)?`;
const before = `(?:(?:${parts})\\s{1,8}){1,4}`;
const afterLevel = `(?<=(?:${level}[:!|]?|[\\])]:?)\\s[[(]?)`;
const pair = `[\\w@.-]{1,30}=["']?`;
/** Records whose stamp no sentence begins with. */
const certain = [
  `${item}[[(<]?(?:${printed}|${leading})`,
  `${item}[[(](?:${written})`,
  `${item}<\\d{1,3}>\\d? ?(?:${written}|${brief})`,
  `${item}${pair}(?:${written}|${printed})`,
  `${item}${before}(?:${pair})?[[(<]?(?:${written}|${printed}|${afterLevel}(?:${seconds}|\\d{4}-\\d\\d-\\d\\d))`,
].join('|');
const stamp = `(?:${certain}|${item}[[(<]?(?:${written}|${brief}))`;
/** Text without the end of a sentence. */
const unfinished = '(?:[^.!?…]|[.!?](?=\\S))';

const isStamped = new RegExp(stamp, 'uy');
const isCertain = new RegExp(certain, 'uy');
const isUnfinished = new RegExp(`${stamp}${unfinished}*$`, 'uy');
/** The level or the source of the record follows its stamp. */
const isLabelled = new RegExp(
  `${item}[[(<]?(?:${written}|${seconds})${unfinished}{0,40}?(?:(?<=[\\s[(])(?:(?:${levelNames.join('|').toUpperCase()})(?![\\p{L}\\p{N}])|[DEFITVW]\\/)|\\s\\[|(?<=\\s)[\\w.@/()[\\]-]{1,40}:\\s)`,
  'uy',
);

/**
 * Records without a stamp: their level isn't written like the first word of a sentence, their source is in brackets, or it
 * is the name of a service in the column that Docker Compose aligns.
 */
const untimed = [
  `[[(<]?(?:${levelNames.join('|').toUpperCase()})(?![\\p{L}\\p{N}'’])`,
  `[[(<]?(?:${levelNames.join('|')})[\\])>]?(?<=[\\])>]):?(?=\\s)|(?:${levelNames.join('|')})[:|](?=\\s)`,
  String.raw`[[(](?=[^A-Z])[\w.:@/#-]{2,40}(?<=\p{L}.*)[\])]:?(?=\s)|[\w.]{0,20}level=\S`,
  String.raw`[a-zA-Z][\w.-]{0,60} {2,60}\|(?=\s)`,
].join('|');
/** What a shell or an interpreter writes before a command. */
const prompts = [
  String.raw`PS \S{0,80}>|[\w.-]{1,40}@[\w.-]{1,60}:[^\s<>]{0,80}[$#%>]|\w{1,12}-\d[\d.]{0,8}[$#]|[a-z][\w.-]{0,24}%|\w{1,24} [\d.]{7,15}:\d{1,5}>|[A-Za-z]:\\[^<>\n]{0,80}>`,
  String.raw`\[[^\][\n]{1,80}\][$#%>]|[\w.-]{1,40}@[^\s<>]{1,80}(?: \S{1,40})? ?(?<!\p{L})[$#%>]|[~/][^\s<>]{0,80} ?[$#%>]`,
  String.raw`[\w.-]{0,24}\$|[%❯➜λ]>?|\.{3}:?(?=\s*$)|\w[\w.]{0,23}(?:\([^()\s]{0,40}\))?[\d:]{0,12}>{1,3}|\w{1,24}[=-][(*!]?[#>]`,
  String.raw`>{3}|(?:In|Out) ?\[\d{0,5}\]:`,
].join('|');
const isSession = new RegExp(
  `(?:${item}(?:${untimed})|\\s*(?:\\([\\w.-]{1,40}\\) )?(?:${prompts})(?=\\s|$))${unfinished}*$`,
  'uy',
);

/** Escape sequences of terminals. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they start with a control character
const colours = /\u001b\[[\d;]*m/g;

/** The line that was checked last, because each marker in a long line asks for the same. */
let known = { line: '', strict: false, isLog: false };

/**
 * Whether a line begins like a record of a log or a session: with a date or a time in a usual notation, also after a level,
 * a host or a group in brackets; or, if no sentence ends in it, with a level, a source or a prompt alone. Where a sentence
 * may begin with such a date, and is over, `strict` requires the level or the source of a record.
 */
export function isLogLine(line: string, strict: boolean): boolean {
  if (known.line !== line || known.strict !== strict)
    known = { line, strict, isLog: isTimed(line, strict) || begins(isSession, line.replace(colours, '')) };
  return known.isLog;
}

function isTimed(line: string, strict: boolean): boolean {
  if (!/\d/.test(line)) return false;
  return strict
    ? begins(isCertain, line) || begins(isUnfinished, line) || begins(isLabelled, line)
    : begins(isStamped, line);
}
