import { locate, type Position } from '../../json/spans.ts';
import { isObject, type Path } from '../../json/value.ts';
import { harmless } from '../../log/shown/visible.ts';
import type { LoweringTarget } from '../../provider/compat/lowering-target.ts';
import { safeNames, toolRules } from '../../provider/compat/safe-names.ts';
import { lowerSchema } from '../../provider/compat/schema/lower-schema.ts';
import type { LoweringChange } from '../../provider/compat/schema/state.ts';
import type { JsonSchema, SchemaObject } from '../../schema/types.ts';
import type { ParsedDefinition } from '../../tools/parse-definitions.ts';
import type { Colours } from '../terminal/colour.ts';
import { wrap } from '../terminal/layout.ts';
import { UsageError } from '../usage-error.ts';

/** Something that a provider would reject, with its position in the file. */
export interface PlacedChange extends Position, LoweringChange {}

/** A tool adapted to a provider. */
export interface LoweredDefinition {
  readonly file: string;
  readonly tool: string;
  readonly provider: LoweringTarget;
  /** The name to send. */
  readonly name: string;
  /** False if the provider can't express some value that the schema accepts. */
  readonly covers: boolean;
  readonly changes: readonly PlacedChange[];
  readonly schema: SchemaObject;
}

/** The providers of an option; `all` means each. */
export function providersOf(words: readonly string[]): LoweringTarget[] {
  const all = Object.keys(toolRules) as LoweringTarget[];
  const named = words.flatMap((word) => word.split(',')).map((word) => word.trim());
  const unknown = named.find((word) => word !== 'all' && !Object.hasOwn(toolRules, word));
  if (unknown !== undefined)
    throw new UsageError(`Unknown provider '${unknown}'. Expected one of: all, ${all.join(', ')}`);
  return named.includes('all') ? all : all.filter((one) => named.includes(one));
}

/** What each provider would reject in the definitions of a file, and how it is adapted. */
export function lowerDefinitions(
  file: string,
  text: string,
  definitions: readonly ParsedDefinition[],
  providers: readonly LoweringTarget[],
): LoweredDefinition[] {
  const tools = definitions.map(({ definition }) => String(definition.name ?? ''));
  return definitions.flatMap(({ definition, at, schemaKey }, index) => {
    const tool = tools[index] ?? '';
    const given: unknown = definition.inputSchema;
    const schema = (isObject(given) || typeof given === 'boolean' ? given : { type: 'object' }) as JsonSchema;
    return providers.map((provider): LoweredDefinition => {
      const name = safeNames(tools, toolRules[provider]).safe(tool);
      const lowered = lowerSchema(schema, provider);
      const placed = (change: LoweringChange, path: Path): PlacedChange => ({ ...locate(text, path), ...change });
      const changes = lowered.changes.map((change) => placed(change, [...at, schemaKey, ...change.path]));
      const why = `sent as '${name}'; calls come back under the original name`;
      const renamed: LoweringChange = { path: [], word: 'name', kind: 'rewritten', why };
      return {
        file,
        tool,
        provider,
        name,
        covers: lowered.covers,
        changes: name === tool ? changes : [placed(renamed, [...at, 'name']), ...changes],
        schema: lowered.schema,
      };
    });
  });
}

/**
 * The changes as text. Without a width, one line each for pipes; otherwise a table per tool, with equal changes in one
 * row. Ends with a summary per provider.
 */
export function showLowering(lowered: readonly LoweredDefinition[], paint: Colours, width?: number): string {
  const shown = width === undefined ? lowered.flatMap((one) => inLines(one, paint)) : inTables(lowered, paint, width);
  return [...shown, ...totals(lowered, paint), ''].join('\n');
}

const tint: Readonly<Record<PlacedChange['kind'], keyof Colours>> = {
  rewritten: 'green',
  described: 'yellow',
  dropped: 'red',
};

const whole = '(root)';

/** The location in a value that a schema path describes: `edits[].at`. */
export function placeOf(path: Path): string {
  let place = '';
  for (let i = 0; i < path.length; i++) {
    const word = path[i];
    if (word === 'properties') place += `${place === '' ? '' : '.'}${path[++i]}`;
    else if (word === 'items') place += '[]';
    else if (typeof word === 'number' || path[i - 1] === 'prefixItems') place += `[${word}]`;
    else if (word !== 'prefixItems') place += `${place === '' ? '' : '.'}${word}`;
  }
  return place === '' ? whole : place;
}

const inLines = ({ file, tool, provider, changes }: LoweredDefinition, paint: Colours): string[] =>
  changes.map(({ line, column, path, word, kind, why }) =>
    [
      paint.cyan(harmless(`${file}:${line}:${column}`)),
      provider,
      harmless(tool),
      paint.bold(harmless(placeOf(path))),
      `${harmless(word)} ${paint[tint[kind]](kind)} ${paint.dim(`— ${harmless(why)}`)}`,
    ].join('  '),
  );

/** Changes of one kind for one reason, with all their locations. */
function rowsOf(changes: readonly PlacedChange[]): { change: PlacedChange; places: string[] }[] {
  const rows = new Map<string, { change: PlacedChange; places: string[] }>();
  for (const change of changes) {
    const key = [change.word, change.kind, change.why].join('\n');
    const row = rows.get(key) ?? { change, places: [] };
    row.places.push(harmless(placeOf(change.path)));
    rows.set(key, row);
  }
  return [...rows.values()];
}

function inTables(lowered: readonly LoweredDefinition[], paint: Colours, width: number): string[] {
  const tools = new Map<string, LoweredDefinition[]>();
  for (const one of lowered)
    tools.set(`${one.file}\n${one.tool}`, [...(tools.get(`${one.file}\n${one.tool}`) ?? []), one]);
  return [...tools.values()].flatMap((ones) => {
    const { tool = '', file = '' } = ones[0] ?? {};
    const blocks = ones.filter(({ changes }) => changes.length > 0).flatMap((one) => inTable(one, paint, width));
    return [
      `${paint.bold(harmless(tool))}  ${paint.dim(harmless(file))}`,
      ...(blocks.length > 0 ? blocks : ['  accepted unchanged']),
      '',
    ];
  });
}

function inTable({ provider, changes, covers }: LoweredDefinition, paint: Colours, width: number): string[] {
  const rows = rowsOf(changes);
  const widest = (texts: readonly string[], most: number): number =>
    Math.min(most, Math.max(...texts.map((text) => [...text].length)));
  const wordWidth = widest(
    rows.map(({ change }) => change.word),
    22,
  );
  const reasonWidth = Math.max(16, width - 4 - wordWidth - 2 - 'rewritten'.length - 2);
  const held = covers ? '' : paint.red("  can't express every value that the schema allows");
  const pad = (text: string, size: number): string => text + ' '.repeat(Math.max(0, size - [...text].length));
  const lines = rows.flatMap(({ change, places }) => {
    const reason = harmless(change.why);
    const kind = paint[tint[change.kind]](pad(change.kind, 'rewritten'.length));
    const [first = '', ...more] = wrap(
      places.every((one) => one === whole) ? reason : `${places.join(', ')}: ${reason}`,
      reasonWidth,
    );
    const indent = ' '.repeat(4 + wordWidth + 2 + 'rewritten'.length + 2);
    return [`    ${pad(harmless(change.word), wordWidth)}  ${kind}  ${first}`, ...more.map((line) => indent + line)];
  });
  return [`  ${paint.cyan(provider)}${held}`, ...lines];
}

function totals(lowered: readonly LoweredDefinition[], paint: Colours): string[] {
  const providers = [...new Set(lowered.map(({ provider }) => provider))];
  const size = Math.max(...providers.map((provider) => provider.length));
  return providers.map((provider) => {
    const own = lowered.filter((one) => one.provider === provider);
    const changed = own.filter(({ changes }) => changes.length > 0).length;
    const name = provider.padEnd(size);
    if (changed === 0)
      return `${name}  ${paint.green(`accepts ${own.length === 1 ? 'it' : `all ${own.length}`} unchanged`)}`;
    const kinds = (Object.keys(tint) as PlacedChange['kind'][]).flatMap((kind) => {
      const count = own.reduce((sum, { changes }) => sum + changes.filter((one) => one.kind === kind).length, 0);
      return count > 0 ? [paint[tint[kind]](`${count} ${kind}`)] : [];
    });
    return `${name}  would reject ${changed} of ${own.length}: ${kinds.join(', ')}`;
  });
}
