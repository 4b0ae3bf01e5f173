import { findTool } from '../../tools/find-tool.ts';
import type { ReadyForm } from '../grammar/grammar.ts';
import { type Pattern, patternOf } from '../grammar/pattern.ts';
import { closeCandidate } from '../placement/candidate.ts';
import { startsLine } from '../placement/shown.ts';
import { passCall, placeOf } from '../placement/track-text.ts';
import { openTurn } from '../placement/turns.ts';
import type { Dialect, Frame } from '../types.ts';
import { noteLack } from './marker-faults.ts';
import { closeCall, openCall, plainName } from './open-call.ts';
import { openJson } from './open-form.ts';
import type { Machine } from './state.ts';

const longestHeader = 400;

/** Reads a frame's header, which decides whether reasoning, text or a call follows. */
export function stepFrame(m: Machine): boolean {
  const first = m.frameRow as Dialect;
  const { message } = first.frame as Frame;
  const near = m.buffer.slice(m.at, m.at + longestHeader + message.length).indexOf(message);
  const end = near < 0 ? -1 : m.at + near;
  if (end < 0 && !m.ended && m.buffer.length - m.at < longestHeader) return false;
  if (end < 0 && m.ended && m.buffer.length - m.at < longestHeader && cutHeader(m, first)) return true;
  if (end < 0 || end - m.at > longestHeader) {
    dropOpener(m, first.frame as Frame);
    return true;
  }
  const body = end + message.length;
  const next = nonSpace(m.buffer, body);
  if (next === m.buffer.length && !m.ended) return false;
  const { header, glued } = mendedHeader(m, m.buffer.slice(m.at, end));
  if (!isHeader(header, m.grammar.frames)) {
    dropOpener(m, first.frame as Frame);
    return true;
  }
  const row = rowOf(m.grammar.frames, header, m.buffer[next] === '{') ?? first;
  const frame = row.frame as Frame;
  m.frameRow = row;
  const to = /(?:^|[\s>t])to=([^\s<]+)/.exec(header)?.[1];
  const channel = frame.open.length > 1 ? /<\|channel\|>\s*(\w+)/.exec(header)?.[1] : undefined;
  const isTool = to !== undefined && !frame.text.includes(to) && !frame.reasoning.includes(to) && to !== 'assistant';
  if (isProse(m, m.buffer.slice(body, Math.max(next + 1, body + 2)), isTool)) {
    m.candidate?.kinds.add('drop');
    m.at = body;
    m.mode = 'text';
    return true;
  }
  if (isTool && roleIn(header) !== 'assistant') openTurn(placeOf(m), roleIn(header));
  if (glued) noteLack(m, ' ');
  if (isTool && frame.tool === 'args')
    return openTool(m, row, frame, plainName(row, to), body, /[\s>]code\s*$/.test(header));
  m.at = body;
  m.mode = 'text';
  m.frameFor = isTool ? 'tool' : 'text';
  if (!isTool) openTurn(placeOf(m), roleIn(header));
  // The calls of a message to a tool start with its header.
  if (isTool) return true;
  leaveHeader(m);
  m.space ??= '';
  if (frame.reasoning.includes(to ?? channel ?? '')) {
    m.mode = 'think';
    m.think = { closes: endsOf(row, frame), held: undefined, callEnds: false, frame: true };
  }
  return true;
}

/** A recipient up to the next token, and the type of the content if nothing separates it from the name at the end. */
const recipient = /(?<=[\s>t]to=)([^<>=]*?)(json\s*$)?(?=\s*(?:<\||$))/;

/** A header in which the tool's name is one word, without the type of the content. Only the toolbox tells where it ends. */
function mendedHeader(m: Machine, header: string): { readonly header: string; readonly glued: boolean } {
  const [, name = '', type = ''] = m.toolbox ? (recipient.exec(header) ?? []) : [];
  const meant = (written: string) => m.toolbox && findTool(written, m.toolbox).tool;
  if (/\s/.test(name.trim())) {
    const tool = isHeader(header, m.grammar.frames) ? undefined : meant(name + type);
    return { header: tool ? header.replace(recipient, () => `${tool.name} `) : header, glued: false };
  }
  const other = type !== '' && /[^\W_]$/.test(name) ? meant(name) : undefined;
  const tool = other && meant(name + type);
  // Without its separator, the name of one tool may be that of another and the type: no tool has both.
  if (tool)
    return { header: `${name}${type}`.endsWith(tool.name) ? header : header.replace(recipient, '$1|$2'), glued: false };
  return { header: other ? header.replace(recipient, () => name) : header, glued: other !== undefined };
}

/** Who wrote a message, by its header. What isn't a role is the name of a tool. */
function roleIn(header: string): string {
  const [, role = ''] = /^<\|\w+\|>\s*([^\s<]+)/.exec(header) ?? [];
  return role === '' || header.startsWith('<|channel|>') ? 'assistant' : roles.includes(role) ? role : 'tool';
}

const roles = ['assistant', 'user', 'system', 'developer', 'tool', 'json', 'code'];

/** Whether a header only contains roles, channels, recipients and names. */
function isHeader(header: string, rows: readonly Dialect[]): boolean {
  const known = new Set([
    ...roles,
    ...rows.flatMap(({ frame }) => [...(frame?.reasoning ?? []), ...(frame?.text ?? [])]),
  ]);
  const words = header.replace(/<\|\w+\|>/g, ' ').split(/\s+/);
  return words.every((word) => word === '' || known.has(word) || /^[\w-]*[.:=][^,;()"'`]*$/.test(word));
}

/**
 * Whether a header is prose: a sentence continues after it, or it is in the middle of a response without frames. For a
 * tool, arguments must then start with a bracket, or follow the header on its own line.
 */
function isProse(m: Machine, rest: string, isTool: boolean): boolean {
  const { start } = m;
  const place = placeOf(m);
  const alone = m.candidate?.kinds.size === 1 && m.candidate.outcomes.length === 0 && m.frameFor === 'none';
  if (!alone || (!start && place.fresh) || (isTool && /^\s*[{<]/.test(rest))) return false;
  if (/^[ \t]\p{Ll}/u.test(rest)) return true;
  if (start) return false;
  if (!isTool) return !(m.named && m.framed);
  return !startsLine(place) || /^\s+\S/.test(rest);
}

/** The end of the text cut a header off. It isn't text, and if it names a tool it would have been a call. */
function cutHeader(m: Machine, row: Dialect): boolean {
  const { reasoning, text } = row.frame as Frame;
  const known = ['assistant', 'json', ...reasoning, ...text];
  const header = m.buffer.slice(m.at).replace(/<(?:\|\w*)?(?:\|>|$|\|$)/g, ' ');
  const words = header.split(/\s+/).filter(Boolean);
  const fits = words.every((word) => /^to=?/.test(word) || known.some((one) => one.startsWith(word)));
  if (!fits) return false;
  const to = words.map((word) => /^to=(.*\w.*)$/.exec(word)?.[1]).find((name) => name !== undefined);
  m.at = m.buffer.length;
  m.mode = 'text';
  if (to === undefined || known.includes(to)) return true;
  const name = plainName(row, to);
  openCall(m, name, undefined);
  closeCall(m, { name, arguments: {} }, row, true);
  return true;
}

/** A message to a tool contains its arguments: JSON, or other text unchanged. */
function openTool(m: Machine, row: Dialect, frame: Frame, name: string, body: number, raw: boolean): boolean {
  const at = nonSpace(m.buffer, body);
  const form = formOf(row, frame);
  m.at = at;
  m.lastForm = form;
  m.frameFor = 'none';
  if (m.buffer[at] === '{' || at === m.buffer.length) openJson(m, form, name, undefined, '');
  else {
    m.mode = 'word';
    m.body = { kind: 'word', form, name, value: '', rest: undefined, raw };
    openCall(m, name, undefined, () => undefined);
  }
  return true;
}

function nonSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charCodeAt(at) <= 32) at += 1;
  return at;
}

/** Of several dialects with frames, the one with the fewest markers that has all of the header's. */
function rowOf(rows: readonly Dialect[], header: string, json: boolean): Dialect | undefined {
  const markers = header.match(/<\|\w+\|>/g) ?? [];
  const knows = ({ open }: Frame): boolean => markers.every((one) => open.includes(one) || one === '<|constrain|>');
  const fits = rows.filter(({ frame }) => frame && knows(frame) && (!json || frame.tool === 'args'));
  return fits.sort((a, b) => (a.frame as Frame).open.length - (b.frame as Frame).open.length)[0];
}

/** A complete header is a frame of the dialect, not text. */
function leaveHeader(m: Machine): void {
  m.framed = true;
  m.candidate?.kinds.clear();
  if (m.candidate && m.candidate.outcomes.length === 0) m.candidate = undefined;
  else closeCandidate(m, m.base + m.at);
  passCall(placeOf(m));
}

/** Treats an invalid header as text. */
function dropOpener(m: Machine, frame: Frame): void {
  const opener = frame.open.find((one) => m.buffer.startsWith(one, m.at));
  const size = opener?.length ?? 1;
  m.candidate?.kinds.add('drop');
  m.at += size;
  m.mode = 'text';
}

const made = new WeakMap<Dialect, { ends: readonly Pattern[]; form: ReadyForm }>();

function readyFor(row: Dialect, frame: Frame): { ends: readonly Pattern[]; form: ReadyForm } {
  const known = made.get(row);
  if (known) return known;
  const ends = [...frame.end, ...(frame.strict ? [] : frame.open.slice(0, 1))].map((end) => patternOf(end));
  const closes = frame.end.map((end) => patternOf(end));
  const form: ReadyForm = {
    open: '',
    body: 'args',
    row,
    closes,
    paramOpen: undefined,
    paramLoose: [],
    paramClose: undefined,
    paramCloseTemplate: '',
    words: false,
    special: row.special === true,
  };
  made.set(row, { ends, form });
  return { ends, form };
}

const endsOf = (row: Dialect, frame: Frame): readonly Pattern[] => readyFor(row, frame).ends;
const formOf = (row: Dialect, frame: Frame): ReadyForm => readyFor(row, frame).form;
