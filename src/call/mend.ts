/**
 * The pipeline: from what a model wrote to a checked call, or to what is wrong with it. May import everything from
 * `json/` to `turn/`.
 */
import { fieldName } from '../json/field-name.ts';
import { defaultLimits } from '../json/limits.ts';
import { shorten } from '../json/machine.ts';
import type { Problem } from '../json/problem.ts';
import type { Repair } from '../json/repair.ts';
import { foldKey } from '../schema/coerce/fold.ts';
import { declaredKeys } from '../schema/coerce/layout.ts';
import { schemaOf } from '../schema/schema.ts';
import { type FoundTool, findTool } from '../tool/find-tool.ts';
import type { Policy } from '../tool/policy.ts';
import { resolvePolicy } from '../tool/resolve-policy.ts';
import type { Tool } from '../tool/tool.ts';
import type { Toolbox } from '../tool/toolbox.ts';
import type { RawCall } from '../turn/turn.ts';
import { inexact } from './inexact.ts';
import { checkArguments } from './judge.ts';
import { noteOf } from './note-of.ts';
import type { BadOutcome, GoodOutcome, Outcome } from './outcome.ts';
import { readArguments } from './read-arguments.ts';
import { residue } from './residue.ts';

/**
 * Mends one call: finds the tool, reads the arguments, checks them, and coerces what fails where that leaves one
 * reading. Pure and synchronous; it never throws for anything a model wrote.
 *
 * @example
 * mend({ name: 'Read-File', arguments: "{path: 'a.ts', limit: '5',}" }, toolbox)
 * // { status: 'mended', name: 'read_file', input: { path: 'a.ts', limit: 5 }, repairs: […], … }
 */
export function mend(raw: RawCall, toolbox: Toolbox, policy?: Policy): Outcome {
  const { found, call } = locate(raw, toolbox);
  if (!found.tool) return unknownTool(raw, found.problem);
  const { tool } = found;
  const rules = resolvePolicy(toolbox.policy, tool, policy);

  const reading = readArguments(call, tool.schema.json, rules.limits, tool.name);
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

  const unsure = rules.accept === 'lossless' ? inexact(repairs, tool, reading.value) : [];
  if (unsure.length) return invalid(raw, tool, reading.value, repairs, unsure);

  // A value that holds no `<` has neither markup nor a placeholder.
  const sound = raw.repeated || (text !== undefined && !/<|\\u003c|&lt;/i.test(text));
  const left = sound ? clean : residue(input, tool.schema.json === undefined ? none : declaredKeys(tool.schema.json));
  if (left.problems.length) return invalid(raw, tool, reading.value, repairs, left.problems);

  const note = [repairs.length ? noteOf(repairs) : undefined, left.note].filter(Boolean).join('. ');
  const status = repairs.some(({ kind }) => kind !== 'text') ? 'mended' : 'ok';
  const outcome: GoodOutcome = { status, raw, tool, name: tool.name, input, value, repairs, problems: [] };
  return note === '' ? outcome : { ...outcome, note };
}

const nameKey = /^(?:tool|function|fn|action|call|method|recipient)?(?:name)?$/;

/** A key that says which tool is called, and says another than this: never one to drop. */
function namesOther({ kind, path, before }: Repair, tool: Tool, toolbox: Toolbox): Problem[] {
  const key = path.length === 1 ? foldKey(String(path[0])) : '';
  if (kind !== 'dropped' || key === '' || typeof before !== 'string' || !nameKey.test(key)) return [];
  const other = findTool(before, toolbox).tool;
  if (!other || other === tool) return [];
  const message = `${fieldName(path)} names another tool; call '${other.name}' itself, or leave the field out`;
  return [{ path, code: 'unknown', received: before, message }];
}

/** The tool by its name; where the arguments stand in the name, and nowhere else, they are taken out of it. */
function locate(raw: RawCall, toolbox: Toolbox): { found: FoundTool; call: RawCall } {
  const name = nameOf(raw);
  const found = findTool(name, toolbox);
  const { arguments: args } = raw;
  const empty = args === undefined || args === null || args === '' || args === '{}';
  const [, bare, text] = (!found.tool && empty && name.length < 100_000 && inName.exec(name)) || [];
  if (bare === undefined || text === undefined) return { found, call: raw };
  const { tool } = findTool(bare, toolbox);
  if (!tool) return { found, call: raw };
  const repair: Repair = { path: [], kind: 'name', before: shorten(name), after: tool.name, certainty: 'inferred' };
  return { found: { tool, repair }, call: { ...raw, name: tool.name, arguments: text } };
}

const inName =
  /^\s*([\p{L}\p{N}_.:-]+)(?:<[|｜][^<>]{0,40}>[a-z]*)*\s*(?:\(\s*)?(\{.*\})\s*(?:\)\s*)?(?:<[|｜/][^<>]{0,40}>\s*)*$/su;

const none: ReadonlySet<string> = new Set();
const clean: ReturnType<typeof residue> = { problems: [], note: undefined };
const unchecked = schemaOf(undefined);

function invalid(
  raw: RawCall,
  tool: Tool,
  input: unknown,
  repairs: readonly Repair[],
  problems: readonly Problem[],
): BadOutcome {
  const errorType = problems.some(({ code }) => code === 'truncated') ? 'truncated' : 'validation';
  return { status: 'invalid', errorType, raw, tool, name: tool.name, input, repairs, problems };
}

/** The name a model wrote; what is no text names nothing, and its own `toString` is never asked. */
const nameOf = ({ name }: { readonly name: unknown }): string =>
  typeof name === 'string' ? name : typeof name === 'number' || typeof name === 'boolean' ? String(name) : '';

const unknownTool = (raw: RawCall, problem: Problem): BadOutcome => ({
  status: 'invalid',
  errorType: 'unknown_tool',
  raw,
  name: nameOf(raw),
  input: readArguments(raw, undefined, defaultLimits).value,
  repairs: [],
  problems: [problem],
});
