import { keepLiterals, textAsWritten } from '../../json/value.ts';
import type { OutputForm, ToolSpec, WithPassthrough } from '../../model/index.ts';
import type { JsonSchema } from '../../schema/types.ts';
import type { LoweringTarget } from './lowering-target.ts';
import { type SafeNames, safeNames, toolRules } from './safe-names.ts';
import { type LoweredSchema, type LoweringOptions, lowerSchema } from './schema/lower-schema.ts';
import type { Fitting } from './schema/state.ts';

/** A tool as it is sent, and the function that converts its arguments back. */
export interface FittedTool {
  readonly spec: ToolSpec;
  readonly lift: LoweredSchema['lift'];
}

const strictly: Partial<Record<LoweringTarget, LoweringTarget>> = {
  openai: 'openai-strict',
  'openai-strict': 'openai-strict',
  anthropic: 'anthropic-strict',
  'anthropic-strict': 'anthropic-strict',
};
const loosely: Partial<Record<LoweringTarget, LoweringTarget>> = {
  'openai-strict': 'openai',
  'anthropic-strict': 'anthropic',
};

/** Adapts a tool's name and schema. Strict mode is used only if it can express every value that the schema accepts. */
export function fitTool(
  spec: ToolSpec,
  target: LoweringTarget,
  names: SafeNames,
  where: string,
  changes: Fitting[],
): FittedTool {
  const name = names.safe(spec.name);
  if (name !== spec.name)
    changes.push({ where: `${where}.name`, what: nameChange(spec.name, name), kind: 'rewritten' });
  const isGemini = target.startsWith('gemini');
  if (spec.schema === undefined && isGemini) return { spec: { ...spec, name }, lift: (value) => value };
  const { lowered, strict } = lowerFor(
    spec.schema ?? { type: 'object' },
    spec.strict,
    formFor(spec, 'parameters', target),
    `${where}.schema`,
    changes,
  );
  const { schema: _, strict: __, ...rest } = spec;
  // Gemini expects no schema for tools without arguments.
  const silent = isGemini && lowered.schema.properties === undefined && lowered.schema.description === undefined;
  return {
    spec: {
      ...rest,
      name,
      ...(!silent && { schema: lowered.schema }),
      ...(strict !== undefined && { strict }),
    },
    lift: lowered.lift,
  };
}

/** Requests received in Gemini's older schema fields are sent in them. */
const formFor = ({ passthrough }: WithPassthrough, field: string, target: LoweringTarget): LoweringTarget =>
  target === 'gemini' && passthrough?.format === 'gemini' && passthrough.fields[field] !== undefined
    ? 'gemini-openapi'
    : target;

/** Adapts the output schema. */
export function fitOutput(
  output: OutputForm,
  target: LoweringTarget,
  changes: Fitting[],
): { readonly output: OutputForm; readonly lift: LoweredSchema['lift'] } {
  if (output.type === 'json') return { output, lift: (value) => value };
  // Anthropic always enforces the output schema.
  const asked = target.startsWith('anthropic') ? true : output.strict;
  const form = formFor(output, 'responseSchema', target);
  const { lowered, strict } = lowerFor(output.schema, asked, form, 'output.schema', changes, output.strict);
  const name = output.name === undefined ? undefined : safeNames([output.name], toolRules[target]).safe(output.name);
  return {
    output: {
      ...output,
      schema: lowered.schema,
      ...(strict !== undefined && { strict }),
      ...(name !== undefined && { name }),
    },
    lift: lowered.lift,
  };
}

function lowerFor(
  schema: JsonSchema,
  asked: boolean | undefined,
  target: LoweringTarget,
  where: string,
  changes: Fitting[],
  said = asked,
): { readonly lowered: LoweredSchema; readonly strict: boolean | undefined } {
  const isOutput = where.startsWith('output');
  const options = { root: isOutput && !target.startsWith('openai') ? ('any' as const) : ('object' as const) };
  const holds = target.endsWith('-strict') ? asked !== false : asked === true;
  const strict = holds ? strictly[target] : undefined;
  if (strict) {
    const lowered = kept(schema, strict, options);
    const must = isOutput && target.startsWith('anthropic');
    if (lowered.covers || must) {
      report(lowered, where, changes);
      return { lowered, strict: must ? said : true };
    }
    const what = "strict mode can't express this schema, so it is turned off";
    changes.push({ where, what, kind: 'dropped' });
  }
  const lowered = kept(schema, loosely[target] ?? target, options);
  report(lowered, where, changes);
  return { lowered, strict: strict ? false : said };
}

/** Caches lowered schemas per target, because each turn sends the same tools. */
const lowerings = new WeakMap<object, Map<string, LoweredSchema>>();

function kept(schema: JsonSchema, target: LoweringTarget, options: LoweringOptions): LoweredSchema {
  if (typeof schema !== 'object') return lowerSchema(schema, target, options);
  const known = lowerings.get(schema) ?? new Map<string, LoweredSchema>();
  lowerings.set(schema, known);
  const key = `${target} ${options.root}`;
  const before = known.get(key);
  if (before) return before;
  const lowered = lowerSchema(schema, target, options);
  // Numbers that JavaScript would round.
  if (textAsWritten(schema) !== undefined) keepLiterals(schema, lowered.schema, true, () => undefined);
  known.set(key, lowered);
  return lowered;
}

function report({ changes: made }: LoweredSchema, where: string, changes: Fitting[]): void {
  for (const { path, word, kind, why } of made)
    changes.push({ where: [where, ...path].join('.'), what: `${word} was ${kind}: ${why}`, kind });
}

const nameChange = (from: string, to: string): string =>
  `the name ${JSON.stringify(from)} is rejected; sent as ${JSON.stringify(to)}, and restored in the response`;
