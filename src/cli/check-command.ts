import { parseArgs } from 'node:util';
import type { LoweringTarget } from '../provider/fit/lowering-target.ts';
import { definitionFaults } from '../tool/definition-faults.ts';
import { foldName } from '../tool/fold-name.ts';
import { toolFromMcp } from '../tool/mcp.ts';
import { type FoundDefinition, readDefinitions } from '../tool/read-definitions.ts';
import { colour } from './colour.ts';
import { fieldPath } from './field-path.ts';
import { locate } from './locate.ts';
import { type LoweredDefinition, lowerDefinitions, providersOf } from './lower-definitions.ts';
import { readJsonFile } from './read-json-file.ts';
import { type PlacedFault, showFaults } from './show-faults.ts';
import { showLowering } from './show-lowering.ts';
import { UsageError } from './usage-error.ts';

export const checkHelp = `toolmend check FILE…

Checks tool definitions: names, descriptions, schemas to any depth. A file holds
one definition, a list, or {"tools": [...]}, as MCP, Anthropic, OpenAI or Gemini
write them.

  --provider NAME   show what a provider would refuse, and how it is lowered:
                    all, openai, openai-strict, anthropic, anthropic-strict,
                    gemini, gemini-openapi, plain (local servers)
  --json            print the faults as JSON; with --provider, the lowered
                    schemas and their changes too
  -h, --help        show this

On a terminal each fault is a paragraph; into a pipe it is one line:
  FILE:LINE:COLUMN  FIELD  MESSAGE — WHAT TO DO
  FILE:LINE:COLUMN  PROVIDER  TOOL  PLACE  WORD WHAT — WHY

Exit code: 0 no faults, 1 faults, 2 the command or a file can't be used. What a
provider would refuse is no fault: it is lowered when it is sent.
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
  if (positionals.length === 0) throw new UsageError('which file? Usage: toolmend check FILE…');
  const providers = providersOf(values.provider ?? []);
  const files = positionals.map((file) => faultsOfFile(file, providers));
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

/** Undefined in a pipe, where a fault is a line. */
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
  const definitions = readDefinitions(value, (at) => {
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
  for (const found of definitions) {
    const { definition, at, schemaKey } = found;
    const tool = String(definition.name ?? '');
    for (const fault of [
      ...definitionFaults(toolFromMcp(definition, { trusted: true })),
      ...likeAnother(found, names),
    ]) {
      const path = [...at, ...fieldPath(fault.field, definition, schemaKey)];
      faults.push({ file, ...locate(text, path), tool, ...fault });
    }
  }
  if (definitions.length === 0 && faults.length === 0)
    throw new UsageError(`${file}: there are no tool definitions in it`);
  faults.sort((a, b) => a.line - b.line || a.column - b.column);
  return { count: definitions.length, faults, lowered: lowerDefinitions(file, text, definitions, providers) };
}

function likeAnother({ definition: { name } }: FoundDefinition, names: Map<string, string>) {
  if (typeof name !== 'string') return [];
  const other = names.get(foldName(name));
  names.set(foldName(name), name);
  if (other === undefined) return [];
  const message =
    other === name ? `'${name}' is defined twice` : `'${name}' differs from '${other}' only by case or separators`;
  return [{ field: 'name', message, fix: 'Give it a name a model can tell apart' }];
}
