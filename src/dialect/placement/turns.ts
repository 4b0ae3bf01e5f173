import { endTags } from '../grammar/grammar.ts';
import type { Place } from './place.ts';

/** Words in the names of tokens that say what the token does, not whose turn it is. */
export const parts: ReadonlySet<string> = new Set(
  'start begin of turn role header id im token message prompt prefix'.split(' '),
);
/** Of these, the words of a token that the role follows: `<|im_start|>user`, `<|start_header_id|>user`. */
export const heads: ReadonlySet<string> = new Set(['start', 'begin', 'turn', 'role', 'header']);
export const ends: ReadonlySet<string> = new Set(['end', 'suffix', 'sep']);

/** Roles of those who talk to the model, of tools, whose turns are results, and of the model. */
export const speakers: ReadonlySet<string> = new Set('user human system developer inst instruction'.split(' '));
export const tools: ReadonlySet<string> = new Set('tool function functions ipython environment observation'.split(' '));
export const models: ReadonlySet<string> = new Set('assistant model chatbot bot ai gpt'.split(' '));

/** Marks the turn of another role as the open block. */
export const otherTurn = '\n';
const longestRole = 24;

/** What a token of a chat template, or the name of an element, says about what follows it. */
export type TokenKind = 'result' | 'reasoning' | 'end' | 'header' | { readonly role: string } | undefined;

const wordsOf = (name: string): readonly string[] => name.split(/[_-]+/).filter(Boolean);

/**
 * What a tag or a token opens: the turn of a role, which it names or which follows it, results, or reasoning. Closers
 * open nothing.
 */
export function tokenKind(tag: string): TokenKind {
  if (endTags.has(tag) || tag === '/inst') return 'end';
  const [, open = '', name = '', close = ''] = /^(\|?)([a-z][\w-]*)(\|?)(?=[\s/>]|$)/.exec(tag) ?? [];
  const all = wordsOf(name);
  if (all.length === 0 || all.some((word) => ends.has(word)) || (close !== '' && open === '' && !tag.includes('[')))
    return undefined;
  const said = all.filter((word) => !parts.has(word));
  const what = heldBy(said);
  if (what) return what;
  const [role = ''] = said;
  if (said.length === 1 && open !== '' && [speakers, tools, models].some((roles) => roles.has(role))) return { role };
  const isToken = open !== '' || all.length > 1;
  return said.length === 0 && isToken && all.some((word) => heads.has(word)) ? 'header' : undefined;
}

const thoughts = /^(?:think(?:ing)?|thoughts?|reasoning|reflection|scratchpad|analysis|monologue)$/;
const results = /^(?:results?|observations?|std(?:out|err))$/;
/** A response is the model's own, unless its name says whose. */
const responses = /^(?:responses?|outputs?)$/;
const own = new Set([...models, ...'final agent my json xml structured'.split(' ')]);

function heldBy(said: readonly string[]): 'result' | 'reasoning' | undefined {
  const last = said.at(-1) ?? '';
  if (said.length === 1 && thoughts.test(last)) return 'reasoning';
  const isResult = results.test(last) || (said.length > 1 && responses.test(last));
  return isResult && !said.some((word) => own.has(word)) ? 'result' : undefined;
}

/** Tracks a token of a chat template. */
export function passToken(p: Place, kind: TokenKind): void {
  if (kind === 'end') {
    if (p.results === otherTurn) p.results = '';
    p.wordy = false;
  } else if (kind === 'header' || typeof kind === 'object') {
    const role = kind === 'header' ? '' : kind.role;
    if (role !== '' && p.startsTurn) openTurn(p, role);
    p.turn = p.startsTurn ? '' : role;
  }
}

/** Adds what follows a token that opens a turn. */
export function addToTurn(p: Place, text: string): void {
  p.turn += text.slice(0, longestRole);
  if ((p.turn ?? '').length >= longestRole) endTurn(p, false);
}

/** The role that a token is followed by is complete. Within a sentence, nothing else may be in its line. */
export function endTurn(p: Place, alone: boolean): void {
  const [, role = '', more = ''] = /^\s*(\w+)(.*)$/s.exec((p.turn ?? '').toLowerCase()) ?? [];
  p.turn = undefined;
  if (p.startsTurn || (alone && more.trim() === '')) openTurn(p, role);
}

/** Starts the turn of a role. After the turn of another role, text is only a call if a dialect is named. */
export function openTurn(p: Place, role: string): void {
  const isTool = tools.has(role) || tools.has(role.split('_')[0] as string);
  if (models.has(role)) p.results = '';
  else if (speakers.has(role) || isTool) {
    p.results = otherTurn;
    p.otherRole = true;
    p.transcript = true;
    p.resulted ||= isTool;
  }
}
