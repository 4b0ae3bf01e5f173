import { type Place, sentenceEnds } from './place.ts';
import { isAssistant, isUser } from './speakers.ts';
import { ends, heads, models, openTurn, otherTurn, parts, speakers, tools } from './turns.ts';

/** The brackets of tokens in any vocabulary, what may be between them, and the signs that set a token apart from a word in brackets. */
const open = '[<\\[\\]‹〈⟨《]';
const close = '[>\\]\\[›〉⟩》]';
const inner = '[^\\s<>\\[\\](){}‹›〈〉⟨⟩《》"\'`]';
const sign = '[|｜¦_▁~:]';
const token = `${open}(?![/!?])(?=${inner}*(?:${sign}|\\p{L}\\d))${inner}{1,40}${close}`;
const signed = `${open}(?:${sign}${inner}{0,40}|${inner}{1,40}${sign})${close}`;
const word = '\\p{L}{2,16}';

/** A token at the end of a text: what precedes it, and its content. */
const lastToken = new RegExp(`^(.*?)${open}(${inner}{1,40})${close}$`, 'su');
/** What a header follows: the start of a line, a token, or the end of a sentence. */
const beforeHeader = new RegExp(`(?:(?:^|\\n|${token})\\s*|[.!?…。！？])$`, 'u');
/** What a word that is glued to a token doesn't follow: white space, quotes and what opens them. */
const loose = /[\s"'`“‘«([{=,/\\]$/;
/** A role before a token, at the start of a line or after another token: alone, with what it brings, or as an attribute. */
const roleBefore = new RegExp(
  `(?:^|\\n|${token})\\s*(?:[<\\w]?\\w{0,20}\\s{0,4}role\\s?=\\s?["']?(${word})["']?(?:\\s[^<>\\[\\]\\n]{0,40})?(?:${signed}|>)|(${word})(?: (?:results?|message|turn|input))?${signed})$`,
  'iu',
);
/** A role between a token and a colon. */
const roleBetween = new RegExp(`${token}\\s?(${word})\\s?[:：]$`, 'u');
/** The label of a speaker within a line: behind a sentence, or in capitals. */
const roleWithin = /(?:[.!?…。！？)\]"”*][ \t]+(\p{Lu}\p{Ll}{1,15})|\S[ \t]+(\p{Lu}{2,16})):$/u;
/** A token or a tag with a role right after it, at the end of a line. */
const roleBehind =
  /(?:<[^<>\s/]{1,24}>|\][^\s\]]{0,8}\]|\[\||[›〉⟩》])(\p{L}{2,16})(?:\|\])?\s*$|<role>\s*(\w{2,20})\s*<\/role>/iu;
/** A line that consists of a role. */
const roleAlone = /^(\p{L}{2,16})(?: results?)?\r?$/u;
/** A heading or a rule whose only word is a role, or part of a template for instructions. */
const roleHeading = /^\s{0,3}(?:#{1,6}|[=*~-]{2,})\s?(\p{L}{2,16}):?\s?[#=*~-]*:?\s*$/u;
/** A role right after the end of a sentence. */
const roleGlued = /[.!?…。！？)\]}>”»*€%](\p{L}{2,16})\r?$/u;

const isModel = (role: string): boolean => models.has(role) || isAssistant(role);
const isOther = (role: string): boolean => speakers.has(role) || tools.has(role) || isUser(role);
const isRole = (role: string): boolean => isModel(role) || isOther(role);

/** Enough of the text before a sign for the longest header. */
const longestHeader = 120;
/** The characters that may end a header. */
const endsHeader = new Set([...'>]:：›〉⟩》'].map((char) => char.charCodeAt(0)));
export const mayEndHeader = (code: number): boolean => endsHeader.has(code);

/** Tracks the header of a turn that ends at an offset, in the tokens of any template. */
export function passHeader(p: Place, text: string, at: number): void {
  const from = at + 1 - longestHeader;
  const near = from >= 0 ? text.slice(from, at + 1) : p.tail.slice(from) + text.slice(0, at + 1);
  const char = text[at];
  if (char === ':' || char === '：') {
    const [, between] = roleBetween.exec(near) ?? [];
    const [, behind, capitals] = between === undefined ? (roleWithin.exec(near) ?? []) : [];
    const within = behind ?? capitals;
    if (between) passRole(p, between, true);
    // Other things than assistants have a model, too.
    else if (within && within.toLowerCase() !== 'model') passRole(p, within, false);
    return;
  }
  const [, attribute, alone] = roleBefore.exec(near) ?? [];
  const before = attribute ?? alone;
  if (before !== undefined && isRole(before.toLowerCase())) {
    passRole(p, before, true);
    return;
  }
  const [, preceding = '', content = ''] = lastToken.exec(near) ?? [];
  const role = content === '' ? '' : roleIn(content);
  if (role === '') return;
  const sure = beforeHeader.test(preceding);
  if (sure || (isModel(role) && p.results === otherTurn) || !loose.test(preceding)) passRole(p, role, sure);
}

const hasEdge = new RegExp(`^${sign}|${sign}$`, 'u');

/** The role in the content of a token, if nothing else but the signs, the parts and the name of a model are in it. */
function roleIn(content: string): string {
  const said = content.toLowerCase().match(/\p{L}+/gu) ?? [];
  if (said.some((one) => ends.has(one))) return '';
  const named = said.filter((one) => !parts.has(one));
  const role = named.at(-1) ?? '';
  const isMarked = hasEdge.test(content) || said.some((one) => heads.has(one));
  const isPrefixed = named.length === 2 && (named[0] as string).length <= longestPrefix && !tools.has(role);
  return isMarked && isRole(role) && (named.length === 1 || isPrefixed) ? role : '';
}
const longestPrefix = 3;

/** Tracks a role in a header. In a doubtful place, it is one only if the model's own follows. */
function passRole(p: Place, written: string, sure: boolean): void {
  const role = written.toLowerCase();
  if (isModel(role)) {
    p.otherRole ||= p.heading === 'spoken';
    if (p.results === otherTurn) p.results = '';
    p.heading = 'none';
  } else if (isOther(role)) {
    if (sure) openTurn(p, speakers.has(role) || tools.has(role) ? role : 'user');
    p.heading = 'spoken';
  }
}

/**
 * Tracks headers at the end of a line: behind tokens, and roles alone in their line, as they remain if a server removes the
 * tokens. Such a turn counts if the model's own follows its words, or if its header can't be part of a sentence or a list.
 */
export function passLineOfTurn(p: Place): void {
  if (p.fence) return;
  const line = p.lineEnd === '' ? p.line : p.lineEnd;
  const [, behind, element] = (/[>\]›〉⟩》|]/.test(line) && roleBehind.exec(line)) || [];
  const marked = behind ?? element;
  if (marked !== undefined && isRole(marked.toLowerCase())) {
    if (isModel(marked.toLowerCase())) passRole(p, marked, true);
    else p.otherRole = true;
    return;
  }
  const [, alone] = (p.lineEnd === '' && roleAlone.exec(line)) || [];
  const [, glued] = alone === undefined ? (roleGlued.exec(line) ?? []) : [];
  const [, titled = ''] = (p.lineEnd === '' && roleHeading.exec(line)) || [];
  const title = titled.toLowerCase();
  const role =
    (alone ?? glued)?.toLowerCase() ?? (title === 'input' ? 'user' : title === 'response' ? 'assistant' : title);
  if (glued !== undefined && p.heading !== 'none') p.heading = 'spoken';
  if (role !== '' && isModel(role)) passRole(p, role, false);
  else if (role !== '' && isOther(role)) p.heading = alone === role && p.ended ? 'sure' : 'named';
  else if (p.heading === 'sure' || p.heading === 'named') {
    p.otherRole ||= p.heading === 'sure' && /\S\s+\S/.test(line);
    p.heading = 'spoken';
  }
}

/** Tracks that a call starts, which may be the first of a turn. */
export function passCallOfTurn(p: Place): void {
  if (p.solid) passLineOfTurn(p);
  p.otherRole ||= p.heading === 'sure';
}

/** Whether a line ended a sentence, so that a role alone in the next one isn't part of it. */
export const endsSentence = ({ lastSolid }: Place): boolean => lastSolid === '' || sentenceEnds.has(lastSolid);
