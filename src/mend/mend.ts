/** The pipeline: turns model output into a checked call, or into a list of problems. */

import { defaultLimits } from '../json/limits.ts';
import { hasTruncated, innerQuotes, type Problem, problemAt } from '../json/problem.ts';
import type { Repair, RepairKind } from '../json/repair.ts';
import { shorten } from '../json/tolerant/machine.ts';
import { checkArgument, isObject } from '../json/value.ts';
import type { RawCall } from '../model/index.ts';
import { foldKey } from '../schema/coerce/fold-key.ts';
import { declaredKeys } from '../schema/coerce/layout.ts';
import { schemaOf } from '../schema/schema.ts';
import { describe } from '../schema/validate/messages.ts';
import { findTool, type ToolMatch } from '../tools/find-tool.ts';
import { resolvePolicy } from '../tools/resolve-policy.ts';
import type { Policy, Tool } from '../tools/tool.ts';
import { type Toolbox, toolboxOf } from '../tools/toolbox.ts';
import { checkArguments } from './check-arguments.ts';
import type { BadOutcome, GoodOutcome, Outcome } from './outcome.ts';
import { inEntities, parseArguments } from './parse-arguments.ts';
import { shorten as shortenPath } from './preview.ts';
import { residue } from './residue.ts';

/**
 * A call as an SDK has it: `openai` (Chat Completions and Responses), `@anthropic-ai/sdk`, `@google/genai`, `ollama` or
 * LangChain.
 */
export type SdkCall =
  | { readonly id?: string | undefined; readonly function: { readonly name: string; readonly arguments: unknown } }
  | { readonly id?: string | undefined; readonly custom: { readonly name: string; readonly input: unknown } }
  | { readonly id?: string | undefined; readonly name: string; readonly input: unknown }
  | { readonly id?: string | undefined; readonly name?: string | undefined; readonly args?: unknown };

/** The call in an SDK's object. Fields that a raw call has as well are left. */
function rawCallOf(call: object): RawCall {
  const { function: fn, custom, ...own } = call as Record<string, RawCall>;
  const { name, arguments: text, input, args } = (fn ?? custom ?? own) as RawCall & Record<'input' | 'args', unknown>;
  return { ...own, id: (own.call_id ?? own.id) as never, name, arguments: text ?? input ?? args };
}

/**
 * Mends a call: finds the tool, parses the arguments, validates them, and coerces what fails if there is only one
 * reading. Pure and synchronous; never throws for model output.
 *
 * @example
 * mend({ name: 'Read-File', arguments: "{path: 'a.ts', limit: '5',}" }, toolbox)
 * // { status: 'mended', name: 'read_file', input: { path: 'a.ts', limit: 5 }, repairs: […], … }
 */
export function mend<T extends Tool = Tool>(
  written: RawCall | SdkCall,
  tools: Toolbox<T> | readonly T[],
  policy?: Policy,
): Outcome<T> {
  checkArgument(isObject(written), 'call', '{ name, arguments }', written);
  const toolbox = toolboxOf(tools);
  const raw = 'arguments' in written && !('call_id' in written) ? (written as RawCall) : rawCallOf(written);
  const { found, call } = locate(raw, toolbox);
  if (!found.tool) return unknownTool(raw, found.problem);
  const { tool } = found;
  const rules = resolvePolicy(toolbox.policy, tool, policy);

  const reading = parseArguments(call, tool.schema.json, rules.limits, tool.name);
  const read = [...(raw.read ?? []), ...(found.repair ? [found.repair] : []), ...reading.repairs];
  const unread = reading.problems.length ? reading.problems : (raw.found ?? []);
  if (unread.length) return invalid(raw, tool, reading.value, read, unread);

  const text = typeof call.arguments === 'string' ? call.arguments : undefined;
  const schema = rules.check ? tool.schema : unchecked;
  const {
    input,
    value,
    repairs: made,
    problems,
  } = checkArguments(reading, schema, {
    name: tool.name,
    text,
    writes: tool.effect !== 'read',
  });
  const repairs = made.length ? [...read, ...made] : read;
  if (problems.length) return invalid(raw, tool, reading.value, repairs, problems);

  const named = made.flatMap((repair) => namesOther(repair, tool, toolbox));
  if (named.length) return invalid(raw, tool, reading.value, repairs, named);

  const unsure = rules.minCertainty === 'lossless' ? inexact(repairs, tool, reading.value) : [];
  if (unsure.length) return invalid(raw, tool, reading.value, repairs, unsure);

  const sound = raw.repeated || (text !== undefined && !mayHoldResidue(text, input));
  const left = sound ? clean : residue(input, declaredKeys(tool.schema.json), tool.name);
  if (left.problems.length) return invalid(raw, tool, reading.value, repairs, left.problems);

  const note = [repairs.length ? noteOf(repairs) : undefined, left.note].filter(Boolean).join('. ');
  const status = repairs.some(({ kind }) => kind !== 'text') ? 'mended' : 'ok';
  const outcome: GoodOutcome = { status, raw, tool, name: tool.name, input, value, repairs, problems: [] };
  // The tool is one of the toolbox, and its schema has checked the value.
  return (note === '' ? outcome : { ...outcome, note }) as GoodOutcome<T>;
}

const nameKey = /^(?:tool|function|fn|action|call|method|recipient)?(?:name)?$/;

/** A key that names another tool must not be dropped. */
function namesOther({ kind, path, before }: Repair, tool: Tool, toolbox: Toolbox): Problem[] {
  const key = path.length === 1 ? foldKey(String(path[0])) : '';
  if (kind !== 'dropped' || key === '' || typeof before !== 'string' || !nameKey.test(key)) return [];
  const other = findTool(before, toolbox).tool;
  if (!other || other === tool) return [];
  const why = `names another tool; call '${other.name}' itself, or leave the field out`;
  return [problemAt(path, 'unknown', why, { received: before })];
}

/** Finds the tool by name. If the arguments are in the name and nowhere else, they are extracted. */
function locate(raw: RawCall, toolbox: Toolbox): { found: ToolMatch; call: RawCall } {
  const name = nameOf(raw);
  const found = findTool(name, toolbox);
  const { arguments: args } = raw;
  const empty = args === undefined || args === null || args === '' || args === '{}';
  const forms = !found.tool && empty && name.length < 100_000 ? inName : [];
  const [, bare, text] = forms.map((form) => form.exec(name)).find(Boolean) ?? [];
  if (bare === undefined || text === undefined) return { found, call: raw };
  const { tool } = findTool(bare, toolbox);
  if (!tool) return { found, call: raw };
  const repair: Repair = { path: [], kind: 'name', before: shorten(name), after: tool.name, certainty: 'inferred' };
  const written = text.startsWith('(') ? tool.name + text : text;
  return { found: { tool, repair }, call: { ...raw, name: tool.name, arguments: written } };
}

/** Names with arguments: as an object, as parameter tags or in parentheses. */
const inName = [
  /^\s*([\p{L}\p{N}_.:-]+)(?:<[|｜][^<>]{0,40}>[a-z]*)*\s*(?:\(\s*)?(\{.*\})\s*(?:\)\s*)?(?:<[|｜/][^<>]{0,40}>\s*)*$/su,
  /^\s*([\p{L}\p{N}_.:-]+)["']?>?\s*(<(?:arg_key>|parameter[\s=]).*?)(?:\s*<\/(?!arg_value|parameter)[\w:]+>)*\s*$/su,
  /^\s*([\p{L}\p{N}_.:-]+)(\(\s*\w+\s*=.*\))\s*$/su,
];

/**
 * Whether the arguments may have `<`, and so markup or a placeholder, or an ellipsis, or markup in a key. Only uses
 * searches that are much faster than reading.
 */
const mayHoldResidue = (text: string, input: unknown): boolean =>
  text.includes('<') ||
  text.includes('...') ||
  text.includes('…') ||
  text.includes('&lt;') ||
  text.includes('&LT;') ||
  (text.includes('\\u003') && /\\u003c/i.test(text)) ||
  (isObject(input) && Object.keys(input).some((key) => key.includes('=')));

const clean: ReturnType<typeof residue> = { problems: [], note: undefined };
const unchecked = schemaOf(undefined);

function invalid(
  raw: RawCall,
  tool: Tool,
  input: unknown,
  repairs: readonly Repair[],
  problems: readonly Problem[],
): BadOutcome {
  const errorType = hasTruncated(problems) ? 'truncated' : 'validation';
  return { status: 'invalid', errorType, raw, tool, name: tool.name, input, repairs, problems };
}

/** The name as text. Never calls `toString` of other values. */
const nameOf = ({ name }: { readonly name: unknown }): string =>
  typeof name === 'string' ? name : typeof name === 'number' || typeof name === 'boolean' ? String(name) : '';

const unknownTool = (raw: RawCall, problem: Problem): BadOutcome => ({
  status: 'invalid',
  errorType: 'unknown_tool',
  raw,
  name: nameOf(raw),
  input: parseArguments(raw, undefined, defaultLimits).value,
  repairs: [],
  problems: [problem],
});

/** Problems for a tool that only accepts lossless repairs: those of the validator, otherwise what was inferred. */
export function inexact(repairs: readonly Repair[], tool: Tool, received: unknown): readonly Problem[] {
  const unsure = repairs.filter(({ certainty }) => certainty !== 'lossless');
  if (unsure.length === 0) return [];
  const checked = tool.schema.check(received);
  // In a wrapper, every field looks missing, so the wrapper is reported instead.
  if (!checked.ok && !unsure.some(({ kind }) => kind === 'wrapper')) {
    const renamed = respelled(unsure);
    const known = new Set(unsure.flatMap(({ kind, path }) => (kind === 'key' ? [JSON.stringify(path)] : [])));
    const told = new Set(renamed.map(({ path }) => JSON.stringify(path)));
    const others = checked.problems.filter(
      ({ code, path }) =>
        !(code === 'required' ? known : code === 'unknown' ? told : undefined)?.has(JSON.stringify(path)),
    );
    return [...others, ...renamed];
  }
  return unsure.map((repair) => {
    const [renamed] = respelled([repair]);
    if (renamed) return renamed;
    const path = ofWhole.has(repair.kind) ? [] : repair.path;
    const why = `${faults[repair.kind]?.(repair) ?? exactly(repair)}: ${demand}`;
    return problemAt(path, 'not_exact', why, { received: repair.before });
  });
}

const demand = 'this tool runs only if its arguments need no inference';

/** Repairs of the text as a whole, whatever field was being read. */
const ofWhole: ReadonlySet<RepairKind> = new Set(['closer', 'opener', 'prose', 'lines', 'wrapper', 'reasoning']);

const exactly = ({ after }: Repair): string => `must be written exactly${shown(after)}`;

const unknown = 'is not known; leave it out';
const isTag = (before: unknown): boolean => typeof before === 'string' && /^<[^<>]+>$/.test(before);

/** The form of arguments that aren't an object: `name(…)` or tags. */
const formOf = (before: unknown): string | undefined =>
  typeof before !== 'string'
    ? undefined
    : /^[\w.-]+\s*\(/.test(before)
      ? 'a call'
      : before.startsWith('<')
        ? 'tags'
        : undefined;

/** Describes what was wrong with the notation, by repair. */
const faults: Partial<Record<RepairKind, (repair: Repair) => string>> = {
  closer: ({ before }) => `lacks a closing ${bracket(before, '}')}`,
  opener: ({ before }) => `lacks an opening ${bracket(before, '{')}`,
  extra_closer: ({ before }) => `has an extra closing ${bracket(before, '}')}`,
  encoding: () => inEntities,
  prose: () => 'has text around the JSON object; send only the object',
  lines: ({ before }) => `is written as ${formOf(before) ?? 'key-value lines'}; send a JSON object`,
  wrapper: ({ before }) =>
    formOf(before)
      ? `is written as ${formOf(before)}; send a JSON object`
      : 'is inside a wrapper; send its fields directly',
  comment: ({ before }) => `has the comment ${JSON.stringify(before).slice(0, 80)} beside it; leave it out`,
  inner_quote: () => innerQuotes,
  quote: ({ before, after }) =>
    typeof after === 'string'
      ? 'lacks quotes; write it in double quotes'
      : before === '\\'
        ? 'has a backslash at the end of a line; write one string, with \\n for a line break'
        : /^(["'])[\s+]*\1$/.test(String(before))
          ? 'is a string in pieces; write one string'
          : 'has mismatched quotes; write it in double quotes',
  escape: ({ before }) => `has an invalid escape ${JSON.stringify(before).slice(0, 40)}; write each backslash as \\\\`,
  key: () => 'is given by position; arguments must be named',
  name: ({ after }) => `has an inexact tool name; call '${after}'`,
  comma: () => 'lacks a comma between two values',
  colon: () => 'lacks a colon between key and value',
  dropped: () => unknown,
  object: (repair) => (isTag(repair.before) ? unknown : exactly(repair)),
  null: () => 'is null, which is not allowed; leave it out',
  text: () => 'is in the text of the message; make it a call',
};

const bracket = (before: unknown, otherwise: string): string =>
  typeof before === 'string' && /^(?:[[\]{}()]|<.*>)$/.test(before) ? `'${before}'` : `'${otherwise}'`;

/** Names the key that would have been renamed, so that its field doesn't just look missing. */
const respelled = (repairs: readonly Repair[]): Problem[] =>
  repairs
    .filter(({ kind, before, path }) => kind === 'key' && before !== undefined && path.length > 0)
    .map(({ path, before }) => {
      const at = [...path.slice(0, -1), String(before)];
      return describe({ path: at, code: 'unknown', want: String(path.at(-1)), received: undefined });
    });

const shown = (after: unknown): string => (after === undefined ? '' : `, as ${JSON.stringify(after).slice(0, 80)}`);

const most = 10;

/** A note for the model about dropped keys; undefined if there are none. */
export function noteOf(repairs: readonly Repair[]): string | undefined {
  const names = new Set<string>();
  for (const { kind, path } of repairs) if (kind === 'dropped') names.add(shortenPath(path.join('.'), 80));
  if (names.size === 0) return undefined;
  const listed = [...names].slice(0, most).map((name) => `'${name}'`);
  const more = names.size > most ? ` and ${names.size - most} more` : '';
  return names.size === 1
    ? `Unknown parameter ${listed[0]} was ignored`
    : `Unknown parameters ${listed.join(', ')}${more} were ignored`;
}
