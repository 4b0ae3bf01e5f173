import { isObject, type Path } from '../json/value.ts';
import { lowerSchema } from '../provider/fit/lower-schema.ts';
import type { LoweringChange } from '../provider/fit/lowering.ts';
import type { LoweringTarget } from '../provider/fit/lowering-target.ts';
import { toolRules } from '../provider/fit/name-rule.ts';
import { safeNames } from '../provider/fit/safe-names.ts';
import type { JsonSchema, SchemaObject } from '../schema/json-schema.ts';
import type { FoundDefinition } from '../tool/read-definitions.ts';
import { locate, type Position } from './locate.ts';
import { UsageError } from './usage-error.ts';

/** One thing a provider would refuse, with where it stands in the file. */
export interface PlacedChange extends Position, LoweringChange {}

/** One tool as one provider takes it. */
export interface LoweredDefinition {
  readonly file: string;
  readonly tool: string;
  readonly provider: LoweringTarget;
  /** The name it is sent under. */
  readonly name: string;
  /** False where the provider can't say some value that the schema takes. */
  readonly covers: boolean;
  readonly changes: readonly PlacedChange[];
  readonly schema: SchemaObject;
}

/** The providers that are meant by the words of an option; `all` means each of them. */
export function providersOf(words: readonly string[]): LoweringTarget[] {
  const all = Object.keys(toolRules) as LoweringTarget[];
  const named = words.flatMap((word) => word.split(',')).map((word) => word.trim());
  const unknown = named.find((word) => word !== 'all' && !Object.hasOwn(toolRules, word));
  if (unknown !== undefined)
    throw new UsageError(`there is no provider '${unknown}'; there are: all, ${all.join(', ')}`);
  return named.includes('all') ? all : all.filter((one) => named.includes(one));
}

/** What each provider would refuse in the definitions of a file, and how it is lowered. */
export function lowerDefinitions(
  file: string,
  text: string,
  definitions: readonly FoundDefinition[],
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
      const why = `it is sent as '${name}', and calls come back under its own`;
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
