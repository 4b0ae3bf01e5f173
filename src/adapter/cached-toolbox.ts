import { textCache } from '../json/text-cache.ts';
import type { ToolSpec } from '../model/index.ts';
import { toolFromSpec } from '../tools/tool.ts';
import { Toolbox } from '../tools/toolbox.ts';
import { effectsOfSchema } from './tool-effects.ts';

const toolboxes = textCache<Toolbox>(100);

/** The toolbox of a framework's tools. Each request has the same ones, so the last are cached. */
export function cachedToolbox(specs: readonly ToolSpec[]): Toolbox {
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
