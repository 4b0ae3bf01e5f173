import { isObject } from '../../json/value.ts';
import type { JsonSchema } from '../../schema/types.ts';
import { type Fence, fenceAt, fenceFrom, fencesIn, isCode } from './fences.ts';
import type { PromptedRegion } from './regions.ts';

/** The maximum number of characters to check around a call, so that reading stays linear. */
const reach = 400;

/** Many models write the expected result after a call, in a comment. */
const foretold = /^[\])]*[ \t]*#[ \t]*(?:outputs?|results?|returns?|prints?)\b/i;
/** Code that assigns a callable to a name, and code that defines a function. */
const binding =
  /^[ \t]*class[ \t]+(\w+)|^[ \t]*([\w.]+)[ \t]*(?::[^=\n]{1,60})?=[ \t]*(?:lambda\b|[A-Za-z_][\w.]*[ \t\r]*(?:[[(#][^\n]*)?\n)|^[ \t]*(?:from|import|with)\b(?=[^\n]{0,200}\bas[ \t]+(\w+))|\b(?:patch|setattr)[\w.]*\([^\n]{0,200}?["'.](\w{1,64})["']/gm;
const defining = /^[ \t]*(?:async[ \t]+)?def[ \t]+(\w+)/gm;
/** A statement that doesn't call a tool. */
const statement =
  /^[ \t]*(?:(\w+)[ \t]*(?::[^=\n]{1,60})?=(?!=)[ \t]*\S|[\w.]+[ \t]*=(?!=)|import[ \t]+\w|from[ \t]+[\w.]+[ \t]+import\b|(?:with|for|while|if|elif|else|try|except|finally|async)\b[^\n]{0,200}:[ \t]*$|return\b)/;

/** Whether code before a call assigns something else to the tool's name. */
export function isRebound(text: string, regions: readonly PromptedRegion[], code = binding): boolean {
  const bound = new Set<string>();
  let from = 0;
  return regions.some(({ start, end, calls }) => {
    for (const [, ...names] of text.slice(from, start).matchAll(code))
      for (const name of names) if (name) bound.add(name);
    from = end;
    return calls.some(({ name }) => bound.has(name));
  });
}

const block = /^\s*(?:(?:el)?if|else|for|while|try|except|finally|with|match|case|async|def|class)\b[^\n]*:/;
const guarded = /\blambda\b|\b(?:and|or)\s+(?:\w+\()?$/;
const mostLines = 20;

/** Whether a call is conditional: in a Python block, or after an operator such as `and`. */
export function isGuarded(text: string, start: number): boolean {
  const lines = text.slice(Math.max(0, start - 2000), start).split('\n');
  const head = lines.pop() ?? '';
  if (block.test(head) || guarded.test(head)) return true;
  let indent = head.search(/\S|$/);
  for (const line of lines.slice(-mostLines).toReversed()) {
    const size = line.search(/\S/);
    if (size < 0 || size >= indent) continue;
    if (block.test(line)) return true;
    indent = size;
  }
  return false;
}

/** Replaces a call in the code around it. */
const call = '\uE000';
const prints = /\bprint\((?:[^()\uE000]|\([^()\uE000]*\)){0,600}\)/g;
const subscript = /(?<=\uE000\]?)(?:\[[\w'"]{1,60}\])+/g;
/** A line of calls alone, whose results may get a name, be printed or returned; a comment; closers. */
const callLine =
  /^[ \t]*(?:[\w., \t]{1,100}(?::[^=\n]{1,60})?=(?!=)[ \t]*|return[ \t]+)?(?:await[ \t]+)?(?:print\([ \t]*(?:[rRfF]?(?:"[^"\n]*"|'[^'\n]*')[ \t]*,)?)?[\s\uE000[\](){},;'"`*]*(?:#.*)?$/;
/** A Python line that starts a block, or imports something. */
const blockLine =
  /^[ \t]*(?:(?:async[ \t]+)?def[ \t]+\w+\(|class[ \t]+\w+[^\n]{0,80}:[ \t\r]*$|import[ \t]+[\w.]+(?:[ \t]+as[ \t]+\w+)?[ \t\r]*$|from[ \t]+[\w.]+[ \t]+import\b|(?:async[ \t]+)?for\b[^\n]{1,200}[ \t]in\b[^\n]{1,200}:[ \t\r]*$|(?:while|if|elif|with|except)\b[^\n]{1,200}:[ \t\r]*$|(?:else|try|finally)[ \t]*:)/m;

/**
 * Whether calls in a valid position belong to a program instead of a list of calls: there are other statements next to
 * them, an argument is an expression, or the code contains a result.
 */
export function isProgram(text: string, regions: readonly PromptedRegion[], all: readonly PromptedRegion[]): boolean {
  if (regions.length === 0) return false;
  const hasExpression = regions.some(({ calls }) =>
    calls.some(
      ({ whole, problems }) => whole && problems?.some(({ code, path }) => code === 'syntax' && path.length > 0),
    ),
  );
  return (
    hasExpression ||
    isRebound(text, regions, defining) ||
    regions.some(({ end }) => foretold.test(text.slice(end, end + reach))) ||
    hasStatements(text, regions, all)
  );
}

/** Whether the code around calls contains other statements. `all`: every call in the text, including repeated ones. */
function hasStatements(text: string, regions: readonly PromptedRegion[], all: readonly PromptedRegion[]): boolean {
  const fences = fencesIn(text);
  const bodies = new Map<Fence, string>();
  for (const [at, { start }] of regions.entries()) {
    const fence = fenceAt(fences, start);
    const from = Math.max(regions[at - 1]?.end ?? 0, fences[fenceFrom(fences, start) - 1]?.end ?? 0);
    if (fence && isCode(text, fence)) bodies.set(fence, '');
    else if (!fence && blockLine.test(text.slice(from, start))) return true;
  }
  for (const [at, { start, end }] of all.entries()) {
    const fence = fenceAt(fences, start);
    const body = fence && bodies.get(fence);
    if (!fence || body === undefined) continue;
    const before = text.slice(Math.max(fence.body, all[at - 1]?.end ?? 0), start);
    const next = all[at + 1]?.start ?? text.length;
    bodies.set(fence, body + before + call + (next < fence.close ? '' : text.slice(end, fence.close)));
  }
  return [...bodies.values()].some((body) => {
    const lines = body.replace(prints, '').replace(subscript, '').split('\n');
    return lines.some((line) => !callLine.test(line));
  });
}

/** Whether the line above or below a call outside of a fence is code. */
export function isStatement(text: string, regions: readonly PromptedRegion[], at: number): boolean {
  const { start, end } = regions[at] as PromptedRegion;
  const above = text.slice(Math.max(regions[at - 1]?.end ?? 0, start - reach), start).trimEnd();
  const below = text.slice(end, Math.min(regions[at + 1]?.start ?? text.length, end + reach)).trimStart();
  const written = text.slice(start, end);
  return [above.slice(above.lastIndexOf('\n') + 1), below.split('\n', 1)[0] ?? ''].some((line) => {
    const set = statement.exec(line);
    // A constant only defines an argument.
    return set !== null && !(set[1] && new RegExp(`[(,=]\\s{0,9}${set[1]}\\s{0,9}[,)]`).test(written));
  });
}

const signature =
  /^[ \t]*(?:[-*•+] )?([\p{L}_][\p{L}\p{N}_.]{0,100})\(([^()\n]{0,200})\)(?:[ \t]*->[^\n]{0,60})?[ \t]*[;,]?[ \t\r]*$/gmu;
/** A parameter by its name alone, or with its type. */
const parameter = /^\s*(?!(?:True|False|None|true|false|null)\s*$)[\p{L}_][\p{L}\p{N}_]*\s*(?::\s*\p{L}[^'"=]*)?$/u;

/** Names that code assigns a value or uses in a loop. */
const assigned = /(?:^|\bfor |,)[ \t]*([\p{L}_][\p{L}\p{N}_]{0,100})(?=[^\n=(]{0,40}(?:=|\bin\b))/gmu;

/**
 * Whether a line between or next to the calls names a tool with its parameters, or another tool without its required
 * parameters. All lines then list the available tools.
 */
export function isListing(
  text: string,
  regions: readonly PromptedRegion[],
  isTool: (name: string) => boolean,
  schema: (name: string) => JsonSchema | undefined,
): boolean {
  const [first] = regions;
  if (!first) return false;
  const near = text.slice(Math.max(0, first.start - reach), (regions.at(-1)?.end ?? 0) + reach);
  let values: Set<string> | undefined;
  for (const [, name = '', given = ''] of near.matchAll(signature)) {
    const [one = ''] = given.split(',', 1);
    if (!isTool(name)) continue;
    if (given.trim() === '' && needsValues(schema(name)) && regions.some(({ calls }) => calls.some(isNot(name))))
      return true;
    if (!parameter.test(one)) continue;
    values ??= new Set([...text.matchAll(assigned)].map(([, value = '']) => value));
    if (!values.has(one.split(':', 1)[0]?.trim() ?? '')) return true;
  }
  return false;
}

const isNot =
  (name: string) =>
  (call: { readonly name: string }): boolean =>
    call.name !== name;

const needsValues = (schema: JsonSchema | undefined): boolean =>
  isObject(schema) && Array.isArray(schema.required) && schema.required.length > 0;
