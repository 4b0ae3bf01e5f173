import type { StructuredToolInterface } from '@langchain/core/tools';
import type { Checked, Schema } from '../../schema/schema.ts';
import type { Effect, Tool } from '../../tools/tool.ts';
import { Toolbox } from '../../tools/toolbox.ts';
import { boundTools } from './bound-tools.ts';

/** What LangChain's tools do not say of themselves. */
export interface FromOptions {
  /** What running a tool does to the world, by its name; `write` where nothing is said. */
  readonly effects?: Readonly<Record<string, Effect>>;
}

/**
 * Tools of LangChain as a toolbox, to be run by `invoke()` or `agent()`. Their arguments are mended and checked by their own
 * schemas; defaults and transforms are then applied by LangChain, as always.
 *
 * @example
 * const toolbox = fromLangChainTools([search, calculator], { effects: { search: 'read' } });
 */
export function fromLangChainTools(
  tools: readonly StructuredToolInterface[],
  { effects = {} }: FromOptions = {},
): Toolbox {
  const { toolbox } = boundTools([...tools]);
  const made = tools.flatMap((one): Tool[] => {
    const known = toolbox.get(one.name);
    const effect = Object.hasOwn(effects, one.name) ? effects[one.name] : undefined;
    if (!known) return [];
    const run: Tool['execute'] = (input, { signal }) => one.invoke(input as never, { signal });
    return [{ ...known, schema: untransformed(known.schema), ...(effect && { effect }), execute: run }];
  });
  return new Toolbox(made, { validate: false });
}

/** A schema that only checks: what it makes of a value LangChain makes of it once more, and that must happen once. */
function untransformed(schema: Schema): Schema {
  const { kind, json } = schema;
  const check = (value: unknown): Checked => {
    const checked = schema.check(value);
    return checked.ok ? { ok: true, value } : checked;
  };
  return { kind, json, check };
}
