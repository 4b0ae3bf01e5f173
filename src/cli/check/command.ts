import { parseArgs } from 'node:util';
import { locate, type Position } from '../../json/spans.ts';
import { isObject, type Path } from '../../json/value.ts';
import { harmless } from '../../log/shown/visible.ts';
import type { LoweringTarget } from '../../provider/compat/lowering-target.ts';
import { definitionFaults } from '../../tools/check/definition.ts';
import type { Fault } from '../../tools/config-error.ts';
import { foldName } from '../../tools/name-index.ts';
import { parseDefinitions } from '../../tools/parse-definitions.ts';
import { toolFromMcp } from '../../tools/tool-from-mcp.ts';
import { readJsonFile } from '../shared/read-json-file.ts';
import { isModule, readToolModule } from '../shared/read-tool-module.ts';
import { type Colours, colour } from '../terminal/colour.ts';
import { plural, wrap } from '../terminal/layout.ts';
import { UsageError } from '../usage-error.ts';
import { type LoweredDefinition, lowerDefinitions, providersOf, showLowering } from './lowering.ts';

export const checkHelp = `Usage: toolmend check [OPTIONS] FILE…

Check tool definitions: names, descriptions and schemas of any depth. A JSON file
holds one definition, a list, or {"tools": [...]}, in the format of MCP, Anthropic,
OpenAI or Gemini. A module (.ts, .js) exports tools of Toolmend, MCP, the AI SDK,
LangChain or the OpenAI Agents SDK, or Zod schemas. Loading a module runs its code.

Options:
  --provider NAME   also show what a provider would reject, and how Toolmend
                    rewrites it: all, openai, openai-strict, anthropic,
                    anthropic-strict, gemini, gemini-openapi or plain (local
                    servers)
  --json            print the faults as JSON; with --provider, also the rewritten
                    schemas and their changes
  -h, --help        show this help

In a pipe, each fault is one line:
  FILE:LINE:COLUMN  FIELD  MESSAGE — FIX
  FILE:LINE:COLUMN  PROVIDER  TOOL  PLACE  KEYWORD CHANGE — REASON

Exit codes: 0 no faults, 1 faults, 2 usage error or unreadable file. Rejections by
a provider don't count as faults.
`;

/** `toolmend check FILE…`: prints the faults of tool definitions with their lines. */
export async function checkCommand(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      json: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
      provider: { type: 'string', multiple: true },
    },
  });
  if (values.help) {
    process.stdout.write(checkHelp);
    return 0;
  }
  if (positionals.length === 0) throw new UsageError('Missing FILE. Usage: toolmend check FILE…');
  const providers = providersOf(values.provider ?? []);
  const files = await Promise.all(
    positionals.map((file) => (isModule(file) ? faultsOfModule(file, providers) : faultsOfFile(file, providers))),
  );
  const faults = files.flatMap((file) => file.faults);
  const count = files.reduce((sum, file) => sum + file.count, 0);
  const lowered = files.flatMap((file) => file.lowered);
  const paint = colour(process.stdout);
  if (values.json) process.stdout.write(`${JSON.stringify(values.provider ? { faults, lowered } : faults, null, 2)}\n`);
  else {
    if (values.provider) process.stdout.write(`${showLowering(lowered, paint, terminalWidth())}\n`);
    process.stdout.write(showFaults(faults, count, paint, terminalWidth()));
  }
  return faults.length > 0 ? 1 : 0;
}

/** Undefined in a pipe, where each fault is one line. */
const terminalWidth = (): number | undefined =>
  process.stdout.isTTY ? Math.max(40, Math.min(process.stdout.columns || 80, 120)) : undefined;

interface CheckedFile {
  readonly count: number;
  readonly faults: PlacedFault[];
  readonly lowered: readonly LoweredDefinition[];
}

function faultsOfFile(file: string, providers: readonly LoweringTarget[]): CheckedFile {
  const { text, value } = readJsonFile(file);
  const faults: PlacedFault[] = [];
  const definitions = parseDefinitions(value, (at) => {
    const message = 'this is not a tool definition';
    faults.push({
      file,
      ...locate(text, at),
      tool: '',
      field: at.join('.'),
      message,
      fix: 'Give it a name and an inputSchema',
    });
  });
  const names = new Map<string, string>();
  for (const { definition, at, schemaKey } of definitions) {
    const tool = String(definition.name ?? '');
    for (const fault of [
      ...definitionFaults(toolFromMcp(definition, { trusted: true })),
      ...likeAnother(definition, names),
    ]) {
      const path = [...at, ...fieldPath(fault.field, definition, schemaKey)];
      faults.push({ file, ...locate(text, path), tool, ...fault });
    }
  }
  if (definitions.length === 0 && faults.length === 0) throw new UsageError(`${file}: no tool definitions found`);
  faults.sort((a, b) => a.line - b.line || a.column - b.column);
  return { count: definitions.length, faults, lowered: lowerDefinitions(file, text, definitions, providers) };
}

async function faultsOfModule(file: string, providers: readonly LoweringTarget[]): Promise<CheckedFile> {
  const exported = await readToolModule(file);
  const names = new Map<string, string>();
  const faults = exported.flatMap(({ tool, line, column }) =>
    [...definitionFaults(tool), ...likeAnother(tool, names)].map(
      (fault): PlacedFault => ({ file, line, column, tool: String(tool.name ?? ''), ...fault }),
    ),
  );
  const lowered = exported.flatMap(({ tool, line, column }) => {
    const definition = { name: tool.name, description: tool.description, inputSchema: tool.schema.json };
    const own = lowerDefinitions(file, '', [{ definition, at: [], schemaKey: 'inputSchema' }], providers);
    return own.map((one) => ({ ...one, changes: one.changes.map((change) => ({ ...change, line, column })) }));
  });
  return { count: exported.length, faults, lowered };
}

function likeAnother({ name }: { readonly name: unknown }, names: Map<string, string>): Fault[] {
  if (typeof name !== 'string') return [];
  const other = names.get(foldName(name));
  names.set(foldName(name), name);
  if (other === undefined) return [];
  const message =
    other === name ? `'${name}' is defined twice` : `'${name}' differs from '${other}' only by case or separators`;
  return [{ field: 'name', message, fix: 'Use a name that a model can tell apart' }];
}

/**
 * The path of a fault's field: from `parameters.properties.user.address[].zip.type` to `['inputSchema', 'properties',
 * 'user', 'properties', 'address', 'items', 'properties', 'zip', 'type']`. Ends early if the last part is missing.
 */
export function fieldPath(field: string, definition: unknown, schemaKey: string): Path {
  if (!isObject(definition)) return [];
  const inSchema = /^parameters(?=$|[.[])/.exec(field);
  if (!inSchema) return Object.hasOwn(definition, field) ? [field] : [];
  return [schemaKey, ...follow(field.slice('parameters'.length), definition[schemaKey]).path];
}

interface Followed {
  readonly path: Path;
  /** Length of the remaining field text. */
  readonly left: number;
}

function follow(rest: string, node: unknown): Followed {
  let best: Followed = { path: [], left: rest.length };
  for (const [steps, text] of ways(rest, node)) {
    const inner = steps.reduce<unknown>((at, step) => (at as Record<string | number, unknown>)[step], node);
    const found = follow(text, inner);
    if (found.left < best.left) best = { path: [...steps, ...found.path], left: found.left };
    if (best.left === 0) break;
  }
  return best;
}

/** The possible steps here, each with the remaining text. */
function* ways(rest: string, node: unknown): Generator<[Path, string]> {
  if (typeof node !== 'object' || node === null) return;
  const [whole, index] = /^\[(\d*)\]/.exec(rest) ?? [];
  if (whole !== undefined) {
    const places: Path[] = index
      ? [[Number(index)], ['prefixItems', Number(index)], ['items', Number(index)]]
      : [['items']];
    for (const place of places) if (exists(node, place)) yield [place, rest.slice(whole.length)];
    return;
  }
  if (!rest.startsWith('.')) return;
  const { properties } = node as { properties?: unknown };
  for (const [held, before] of [
    [node, []],
    [properties, ['properties']],
  ] as const) {
    if (!isObject(held)) continue;
    for (const key of Object.keys(held)) {
      const after = rest.slice(1 + key.length);
      if (rest.startsWith(key, 1) && /^($|[.[])/.test(after)) yield [[...before, key], after];
    }
  }
}

function exists(node: unknown, path: Path): boolean {
  let at = node;
  for (const step of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, step)) return false;
    at = (at as Record<string | number, unknown>)[step];
  }
  return true;
}

/** A fault with its position. */
export interface PlacedFault extends Position, Fault {
  readonly file: string;
  readonly tool: string;
}

/** The faults as text. Without a width, one line each for pipes; otherwise a head with wrapped sentences below. */
export function showFaults(faults: readonly PlacedFault[], count: number, paint: Colours, width?: number): string {
  const shown = faults.map((fault) => (width === undefined ? inLine(fault, paint) : inBlock(fault, paint, width)));
  const tools = plural(count, 'tool');
  const total =
    faults.length === 0 ? paint.green(`${tools}, no faults`) : paint.red(`${tools}, ${plural(faults.length, 'fault')}`);
  return [...shown, total, ''].join('\n');
}

const where = ({ file, line, column }: PlacedFault): string => harmless(`${file}:${line}:${column}`);

const inLine = (fault: PlacedFault, paint: Colours): string =>
  [
    paint.cyan(where(fault)),
    paint.bold(harmless(fault.field)),
    `${harmless(fault.message)} ${paint.dim(`— ${harmless(fault.fix)}`)}`,
  ].join('  ');

function inBlock(fault: PlacedFault, paint: Colours, width: number): string {
  const { tool, field, message, fix } = fault;
  const indented = (text: string, tint: (line: string) => string) =>
    wrap(harmless(text), width - 2).map((line) => `  ${tint(line)}`);
  const name = tool === '' ? '' : `  ${harmless(tool)}`;
  return [
    `${paint.cyan(where(fault))}${name}`,
    ...indented(field, paint.bold),
    ...indented(message, (line) => line),
    ...indented(fix, paint.dim),
    '',
  ].join('\n');
}
