import type { ModelRequest } from '@openai/agents-core';
import { textCache } from '../../json/text-cache.ts';
import type { ToolSpec } from '../../model/index.ts';
import { toolFromSpec } from '../../tools/tool.ts';
import { Toolbox } from '../../tools/toolbox.ts';
import { effectsOfSchema } from '../tool-effects.ts';
import { looseSchema } from './tool-schema.ts';

/** The tools of a request whose calls we handle. */
export interface RequestTools {
  readonly toolbox: Toolbox;
  /** Schemas of strict tools, as created by the SDK. */
  readonly strict: ReadonlyMap<string, unknown>;
  /** Whether there may be other tools, so that unknown names are left to the SDK. */
  readonly open: boolean;
}

/** The tools of a request: its functions, and its handoffs, which are called like functions. */
export function requestTools({ tools, handoffs, prompt }: ModelRequest): RequestTools {
  const specs = new Map<string, ToolSpec>();
  const strict = new Map<string, unknown>();
  const add = (name: string, description: string, schema: unknown, isStrict: boolean): void => {
    if (specs.has(name)) return;
    const shown = (isStrict ? looseSchema(schema) : schema) as NonNullable<ToolSpec['schema']>;
    specs.set(name, { type: 'function', name, description, schema: shown });
    if (isStrict) strict.set(name, schema);
  };
  for (const one of handoffs) add(one.toolName, one.toolDescription, one.inputJsonSchema, one.strictJsonSchema);
  let open = prompt !== undefined;
  for (const one of tools) {
    if (one.type === 'hosted_tool') open ||= one.providerData?.type === 'tool_search';
    if (one.type !== 'function') continue;
    if (one.namespace !== undefined || one.deferLoading) open = true;
    else add(one.name, one.description, one.parameters, one.strict);
  }
  return { toolbox: cachedToolbox([...specs.values()]), strict, open };
}

const toolboxes = textCache<Toolbox>(100);

/** The toolbox of a framework's tools. Each request has the same ones, so the last are cached. */
function cachedToolbox(specs: readonly ToolSpec[]): Toolbox {
  const effects = specs.map(({ schema }) => effectsOfSchema(schema));
  const text = JSON.stringify([specs, effects]);
  return toolboxes(text, () => {
    // Created from the text, because a schema object may contain a validator, which differs each time.
    const [plain] = JSON.parse(text) as [ToolSpec[]];
    return new Toolbox(
      plain.map((spec, at) => ({ ...toolFromSpec(spec), ...effects[at] })),
      { validate: false },
    );
  });
}
