import type { StructuredToolInterface } from '@langchain/core/tools';
import { checkArgument } from '../../json/value.ts';
import type { Checked, Schema } from '../../schema/schema.ts';
import type { Effect, Tool } from '../../tools/tool.ts';
import { Toolbox } from '../../tools/toolbox.ts';
import { boundTools } from './bound-tools.ts';

/** What LangChain's tools don't define. */
export interface FromOptions {
  /**
   * Effects by tool name.
   * @default 'write'
   */
  readonly effects?: Readonly<Record<string, Effect>>;
}

/**
 * Creates a toolbox from LangChain tools, to run with `invoke()` or `agent()`. Arguments are mended and validated with
 * their own schemas; LangChain then applies defaults and transforms.
 *
 * @example
 * const toolbox = fromLangChainTools([search, calculator], { effects: { search: 'read' } });
 */
export function fromLangChainTools(
  tools: readonly StructuredToolInterface[],
  { effects = {} }: FromOptions = {},
): Toolbox {
  checkArgument(Array.isArray(tools), 'tools', 'a list of LangChain tools', tools);
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

/** A schema that only validates, because LangChain applies transforms itself, which must happen once. */
function untransformed(schema: Schema): Schema {
  const { kind, json } = schema;
  const check = (value: unknown): Checked => {
    const checked = schema.check(value);
    return checked.ok ? { ok: true, value } : checked;
  };
  return { kind, json, check };
}
