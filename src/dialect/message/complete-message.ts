import { hasOwn, isObject } from '../../json/value.ts';
import { foldKey } from '../../schema/coerce/fold-key.ts';
import { findTool } from '../../tools/find-tool.ts';
import type { Toolbox } from '../../tools/toolbox.ts';
import { schemaFor } from '../call/arguments.ts';
import { newCallNotes } from '../call/call-notes.ts';
import { callKeys } from '../call/call-shape.ts';
import { applyTypes } from '../call/typing.ts';
import { messageHeads, messageRows, rowsFor } from '../detect.ts';
import { beginsMarker } from '../grammar/faulty-markers.ts';
import { grammarOf } from '../grammar/grammar.ts';
import { closeCall } from '../machine/open-call.ts';
import { contentLabel } from '../machine/reasoning.ts';
import { endMachine } from '../machine/run.ts';
import { type Machine, newMachine } from '../machine/state.ts';
import { listsTools } from '../placement/candidate.ts';
import { isTemplate } from '../placement/template.ts';
import { isRetracted } from '../prompted/retraction.ts';
import { bindArguments } from '../python/bind-arguments.ts';
import { isColon, readPythonCalls } from '../python/parse-call.ts';
import type { Dialect } from '../types.ts';
import { readInventedMessage } from './invented-message.ts';
import { readMendedMessage } from './mended-message.ts';

const fence = /^\s*(`{3,}|~{3,})[ \t]*([\w-]*)[ \t]*\r?\n([\s\S]*?)\r?\n?[ \t]*\1\s*$/;
const fences = new Set(['', 'json', 'tool_code', 'tool_call']);
const languages = [...fences].join('|');

/**
 * Reads a response that only consists of calls without markers or with faulty ones, in one code fence or none. Undefined
 * if there is anything else, or if it is indented like code, because calls are then only mentioned.
 *
 * @param named the rows of a named dialect, of which only the markers may be faulty
 */
export function readCompleteMessage(
  text: string,
  cut: boolean,
  toolbox: Toolbox | undefined,
  named?: readonly Dialect[],
): Machine | undefined {
  if (isIndented(text) || (named && !namesTool(text, toolbox))) return undefined;
  const [, , language = '', inner] = fence.exec(text) ?? [];
  const isOther = inner !== undefined && !fences.has(language.toLowerCase());
  const body = isOther ? text : (inner ?? text);
  const read =
    readWith(body, cut, toolbox) ??
    readLabels(body, cut, toolbox) ??
    (isOther ? undefined : readPython(body, toolbox)) ??
    (inner === undefined ? readFaultyMessage(text, cut, toolbox, named) : undefined);
  // In a named dialect, a response without its markers must be certain.
  if (named && read?.calls.some(({ status }) => status === 'invalid')) return undefined;
  return read && listsTools(read.calls) ? undefined : read;
}

/** Whether a text contains the name of a tool, as every call does. */
export const namesTool = (text: string, toolbox: Toolbox | undefined): boolean =>
  toolbox?.list().some(({ name }) => text.includes(name)) === true;

/** A blockquote, of which the first line may have the only sign. */
const isQuotation = /^\s*>(?!>)/;

export const isIndented = (text: string): boolean => /^\n*(?: {4}|\t)/.test(text);

/**
 * Reads a response of calls whose markers are faulty or invented. A truncated one may have lost more than a marker, and
 * in a fence, markers are shown.
 */
export function readFaultyMessage(
  text: string,
  cut: boolean,
  toolbox: Toolbox | undefined,
  named?: readonly Dialect[],
): Machine | undefined {
  if (!toolbox || cut || isIndented(text) || isQuotation.test(text) || !namesTool(text, toolbox)) return undefined;
  const rows = named ?? rowsFor('auto').rows;
  const read = readMendedMessage(text, rows, toolbox) ?? readInventedMessage(text, toolbox, grammarOf(messageRows, []));
  return read && listsTools(read.calls) ? undefined : read;
}

function readWith(text: string, cut: boolean, toolbox: Toolbox | undefined): Machine | undefined {
  const m = newMachine(grammarOf(messageRows, toolbox?.list().map(({ name }) => name) ?? []), toolbox, true);
  Object.assign(m, { buffer: text, cut, whole: true, sure: false });
  endMachine(m);
  const isText = m.events.some((event) => event.type === 'text' && /\S/.test(event.text));
  if (m.calls.length === 0 || isText || m.answered === contentLabel || isUnthought(m)) return undefined;
  return m.calls.every((call) => isPlain(call, toolbox)) ? m : undefined;
}

const mark = '(?:\\*\\*|__)?';
const labelOf = (word: string): string => `${mark}${word}(?:${mark}:|:${mark})[ \\t]*`;

/** One call in labelled lines: labels may be bold, the name in brackets, and the arguments in parentheses behind it. */
const labelledCall = new RegExp(
  `^\\s*(?:${labelOf('Thought')}([^\\n]*(?:\\n(?!${labelOf('(?:Thought|Action|Action Input|Observation)')})[^\\n]*)*)\\n)?` +
    `${labelOf('Action')}(?:\\[([\\w.:-]{1,128})\\]|\`([\\w.:-]{1,128})\`|([\\w.:-]{1,128}))[ \\t]*` +
    `(?:\\r?\\n\\s{0,9}${labelOf('Action Input')}(\\{[\\s\\S]*\\})|\\((\\{[\\s\\S]*\\})\\))` +
    `\\s*(?:${mark}Observation${mark}:?${mark}\\s*)?$`,
);

/** A response of one call in labelled lines as ReAct spells it. Undefined if it is none, or is spelled like that already. */
function plainLabels(text: string, toolbox: Toolbox | undefined): string | undefined {
  const [begun, thought, ...parts] = labelledCall.exec(text) ?? [];
  const [name, given] = parts.filter((part) => part !== undefined);
  if (begun === undefined || name === undefined || given === undefined || !toolbox?.has(name)) return undefined;
  const made = `${thought === undefined ? '' : `Thought: ${thought}\n`}Action: ${name}\nAction Input: ${given}`;
  return made === text.trim() ? undefined : made;
}

/** Reads one call in labelled lines in another spelling, which must be valid. */
function readLabels(text: string, cut: boolean, toolbox: Toolbox | undefined): Machine | undefined {
  const spelled = cut ? undefined : plainLabels(text, toolbox);
  const read = spelled === undefined ? undefined : readWith(spelled, cut, toolbox);
  const [call, another] = read?.calls ?? [];
  return call && !another && call.status !== 'invalid' ? read : undefined;
}

/** Whether the thought before labelled calls of tools that don't only read is that they aren't to be made, or not now. */
function isUnthought({ calls, events, lastForm }: Machine): boolean {
  if (lastForm?.row.group !== 'F' || calls.every(({ tool }) => tool?.effect === 'read')) return false;
  const thought = events.map((event) => (event.type === 'reasoning' ? event.text : '')).join('');
  return isRetracted(
    thought,
    calls.map(({ name, input }) => ({ name, arguments: input })),
  );
}

/** Whether a call can be checked as one: its tool exists. Without a toolbox, positional arguments have no names. */
function isPlain({ input, ...outcome }: Machine['calls'][number], toolbox: Toolbox | undefined): boolean {
  if (outcome.status === 'invalid' && outcome.errorType === 'truncated') return true;
  if (toolbox) return outcome.status !== 'invalid' || outcome.errorType !== 'unknown_tool';
  return isObject(input) && !hasOwn(input, 'args') && outcome.status !== 'invalid';
}

/** Reads consecutive Python calls, with or without `print(…)` around them. */
function readPython(text: string, toolbox: Toolbox | undefined): Machine | undefined {
  if (!toolbox || /^\s*#/m.test(text)) return undefined;
  const code = text.replace(/^(\s*)print\(([\s\S]*)\)(\s*)$/, '$1$2$3');
  const { calls, rest } = readPythonCalls(code);
  const isCall = ({ name, bare, inferred }: (typeof calls)[number]) =>
    bare.length === 0 && !inferred.some(isColon) && findTool(name, toolbox).tool;
  const [after = '', ...before] = gapsOf(calls, code).toReversed();
  // Comments and statements mean that this is code that is shown.
  if ([after, ...before].some((gap) => gap.includes('#')) || after.includes(';')) return undefined;
  if (calls.length === 0 || rest !== '' || !calls.every(isCall)) return undefined;
  const m = newMachine(grammarOf(messageRows, []), toolbox, true);
  Object.assign(m, { ended: true, sure: false });
  for (const call of calls) {
    const schema = schemaFor(m, call.name);
    const found = newCallNotes(call.problems);
    const bound = bindArguments(call, schema, found);
    if (isTemplate(bound, schema)) return undefined;
    const values = applyTypes(bound, schema, call.marks, found);
    const raw = { name: call.name, arguments: values, read: found.read };
    closeCall(m, raw, { name: 'pythonic' }, !call.closed, found.problems);
  }
  return m;
}

/** The text between calls, and after the last. */
const gapsOf = (calls: readonly { readonly start: number; readonly end: number }[], text: string): string[] =>
  calls.map(({ end }, index) => text.slice(end, calls[index + 1]?.start));

const key = new RegExp(`^(?:\\[\\s*)?\\{\\s*["'](?:${callKeys.join('|')})["']\\s*:`);
const keyBegun = /^(?:\[\s*)?(?:\{\s*(?:["']\w{0,20}["']?\s*)?)?$/;
const called = /^(?:\[\s*)?([\p{L}_][\p{L}\p{N}_.-]*)\s*\(/u;
const calledBegun = /^(?:\[\s*)?(?:[\p{L}_][\p{L}\p{N}_.-]{0,127})?\s{0,8}$/u;
const label =
  /^(?:(?:\*\*|__)?(?:Thought|Action)(?:\*\*|__)?:|functools\s*\[|<(?:tools?|response|json|JSON|xml|function_call)>\s*[[{])/;
const labelBegun =
  /^(?:\*\*?|__?)?(?:T(?:h(?:o(?:u(?:g(?:ht?)?)?)?)?)?|A(?:c(?:t(?:i(?:on?)?)?)?)?|(?:Thought|Action)(?:\*\*?|__?)|f(?:u(?:n(?:c(?:t(?:o(?:o(?:ls?)?)?)?)?)?)?)?|functools\s*|<\w{0,14}(?:>\s{0,99})?)?$/;
const opensFence = new RegExp(`^(?:\`{3,}|~{3,})[ \\t]*(?:${languages}|xml)[ \\t]*\\r?\\n`);
const fenceBegun = /^(?:`{1,3}|~{1,3}|(?:`{3,8}|~{3,8})[ \t]*[\w-]{0,12}[ \t]*\r?)$/;

const printedText = /^print\s*\(\s*[bfru]{0,2}["']/i;
const nameBegun = /^\{\s*"name"\s*:\s*(?:"[^"\\]*)?$/;
const namedData = /^\{\s*"name"\s*:\s*"([^"\\]*)"\s*(?:,\s*(?:"(\w{0,40})("\s*:)?)?)?/;
const actionLine = /^Action:[ \t]+([\p{L}_][^\n]*)(\n)?/u;
const longestAction = 100;

/** Whether an object with a name is data: no tool has the name, and a key follows that calls don't have. */
function dataBegun(text: string, tools: Toolbox): 'no' | 'maybe' | undefined {
  if (nameBegun.test(text)) return 'maybe';
  const [begun, name = '', next, ended] = namedData.exec(text) ?? [];
  if (begun === undefined || findTool(name, tools).tool) return undefined;
  if (ended !== undefined) return callKeys.includes(next as never) ? undefined : 'no';
  return begun.length === text.length ? 'maybe' : undefined;
}

/** Whether a line that starts with `Action:` is prose: it contains no tool's name. */
function proseBegun(text: string, tools: Toolbox): 'no' | 'maybe' | undefined {
  const [, line = '', ended] = actionLine.exec(text) ?? [];
  if (line === '' || findTool(line.trim(), tools).tool) return undefined;
  const folded = foldKey(line.replaceAll('.', ''));
  if (tools.list().some(({ name }) => folded.includes(foldKey(name.replaceAll('.', ''))))) return undefined;
  return ended !== undefined || line.length > longestAction ? 'no' : 'maybe';
}

/** Whether a tool's name may have started. */
function mayBeCalled(text: string, tools: Toolbox | undefined): boolean {
  if (!calledBegun.test(text)) return false;
  return text.startsWith('[') || !tools || isBegun(text.trimEnd(), tools);
}

/** Whether a tool's name starts like this except for case and separators, with or without a known prefix. */
function isBegun(name: string, tools: Toolbox): boolean {
  if (/^mcp__|^mc?p?_?$/.test(name)) return true;
  const begun = foldKey(name.replaceAll('.', ''));
  if (begun === '' || prefixes.some((prefix) => prefix.startsWith(begun))) return true;
  const rests = prefixes.filter((prefix) => begun.startsWith(prefix)).map((prefix) => begun.slice(prefix.length));
  return [begun, ...rests].some(
    (rest) => 'print'.startsWith(rest) || tools.list().some((tool) => foldsTo(tool.name, rest)),
  );
}

const prefixes = ['functions', 'tools', 'defaultapi'];

/** Whether a folded name starts like this. Most names differ in their first letter, which needs no folding. */
function foldsTo(name: string, start: string): boolean {
  const first = name.charCodeAt(0) | 32;
  const isLetter = first >= 97 && first <= 122;
  return (!isLetter || first === start.charCodeAt(0)) && foldKey(name.replaceAll('.', '')).startsWith(start);
}

/** A response that doesn't look like calls within this many characters isn't one. */
const longestBeginning = 400;

/** Whether a text starts like a call without markers or with faulty ones: `maybe` if more text is needed. */
export function mayBeCompleteMessage(
  text: string,
  tools: Toolbox | undefined,
  rows: readonly Dialect[],
): 'no' | 'maybe' | 'sure' {
  const start = text.slice(0, longestBeginning);
  const begins = beginsAs(start, tools, rows);
  return begins === 'maybe' && text.length > longestBeginning ? 'no' : begins;
}

function beginsAs(text: string, tools: Toolbox | undefined, rows: readonly Dialect[]): 'no' | 'maybe' | 'sure' {
  const from = text.search(/\S/);
  if (from < 0) return 'maybe';
  const head = text.slice(from);
  if (fenceBegun.test(head)) return 'maybe';
  const opened = opensFence.exec(head)?.[0];
  const body = opened ? head.slice(opened.length).trimStart() : head;
  if (opened && body === '') return 'maybe';
  const data = tools && (dataBegun(body, tools) ?? proseBegun(body, tools));
  if (data) return data;
  if (key.test(body) || label.test(body)) return 'sure';
  // Text that is printed isn't a call.
  if (printedText.test(body)) return 'no';
  const name = called.exec(body)?.[1];
  if (name !== undefined)
    return body.startsWith('[') || !tools || name === 'print' || (isBegun(name, tools) && findTool(name, tools).tool)
      ? 'sure'
      : 'no';
  const tag = /^<([^<>\s]{1,128})>/.exec(body)?.[1];
  if (tag !== undefined && tools?.has(tag)) return 'sure';
  if (tag === undefined && /^<[^<>\s]{0,128}$/.test(body)) return 'maybe';
  if (keyBegun.test(body) || labelBegun.test(body) || mayBeCalled(body, tools)) return 'maybe';
  return tools ? mayBeMended(body, tools, rows) : 'no';
}

/** A label in brackets, which may name a tool. */
const labelled = /^\[([\p{L}][\p{L} ]{0,30}(?::\s*[\w.:-]{0,128})?) ?([\](])?/u;
const namedHead = /^<[A-Za-z_]{2,30}>\s{0,9}([\w.:-]{0,128})\s{0,9}(<)?/;
const attributeBegun = /^\s+[\w-]{0,60}(?:=|$)/;
const headed = /^([\p{L}_][\p{L}\p{N}_.-]{0,127})(?::\d{0,4})?((?:\s{1,9}[a-z]{1,10}(?![a-z=])){1,2})?\s{0,9}(.?)/u;

/** A word that no bracket follows, as most responses start. */
const plainWord = /^\w{1,60}[\s,.!?'’;]/;

/** A marker, the word after it, and the start of another word. */
const worded = /^[<[［][^\s<>[\]［］]{1,60}[>\]］][ \t]*(?:([\p{L}_][\p{L}\p{N}_.-]*)(?:[ \t]+(\p{L})?)?)?/u;
/** Words before the name of a tool. */
const callWords = new Set(['call', 'function', 'tool', 'name', 'action', 'invoke', 'use', 'run', 'to']);

/** Whether a sentence follows a marker, so that it is only mentioned. */
function mentionBegun(text: string, tools: Toolbox): 'no' | 'maybe' | undefined {
  const [begun, word, next] = worded.exec(text) ?? [];
  if (begun === undefined) return undefined;
  if (word === undefined || next === undefined) return begun.length === text.length ? 'maybe' : undefined;
  return callWords.has(word.toLowerCase()) || findTool(word, tools).tool ? undefined : 'no';
}

/** Whether a text starts with a marker in any spelling, or with the name of a tool and what may follow it there. */
function mayBeMended(text: string, tools: Toolbox, rows: readonly Dialect[]): 'no' | 'maybe' | 'sure' {
  if (text === '') return 'maybe';
  const begins = plainWord.test(text) ? 'no' : beginsMarker(text, rows);
  if (begins !== 'no') return mentionBegun(text, tools) ?? begins;
  const [, element, more] = /^<([\w.:-]{1,128})([\s/])?/.exec(text) ?? [];
  if (element !== undefined && more && tools.has(element)) return 'sure';
  const [named = '', name, isEnded] = namedHead.exec(text) ?? [];
  if (name !== undefined && !isEnded && named.length === text.length && isBegun(name, tools)) return 'maybe';
  if (name && isEnded && tools.has(name)) return 'sure';
  const [labelling = '', label, isClosed] = labelled.exec(text) ?? [];
  if (label !== undefined && !isClosed) return labelling === text ? 'maybe' : 'no';
  if (label !== undefined) return tools.has(label.replace(/^.*:\s*/, '')) ? 'sure' : 'no';
  if (messageHeads.some((head) => head.startsWith(text))) return 'maybe';
  for (const head of messageHeads) {
    if (!text.startsWith(head)) continue;
    const [, name = '', word, next = ''] = headed.exec(text.slice(head.length)) ?? [];
    if (head === '' && tools.has(name) && attributeBegun.test(text.slice(name.length)))
      return text.includes('=') ? 'sure' : 'maybe';
    // Only a header has a word after the name.
    if (head === '' && word !== undefined) continue;
    if (next === '' && name !== '' && isBegun(name, tools)) return 'maybe';
    if (/[<[{`]/.test(next) && findTool(name, tools).tool) return 'sure';
  }
  return 'no';
}
