import { textCache } from '../json/text-cache.ts';
import type { ToolSpec } from '../model/index.ts';
import { toolFromSpec } from '../tools/tool.ts';
import { Toolbox } from '../tools/toolbox.ts';
import { effectsOfSchema } from './tool-effects.ts';

const toolboxes = textCache<Toolbox>(100);

/** The toolbox of the tools a framework shows its model. The same come with every request, so the last lists are kept. */
export function cachedToolbox(specs: readonly ToolSpec[]): Toolbox {
  const effects = specs.map(({ schema }) => effectsOfSchema(schema));
  const text = JSON.stringify([specs, effects]);
  return toolboxes(text, () => {
    // Made of the text itself, because a schema may bring a check of its own, which is another one the next time.
    const [plain] = JSON.parse(text) as [ToolSpec[]];
    return new Toolbox(
      plain.map((spec, at) => ({ ...toolFromSpec(spec), ...effects[at] })),
      { validate: false },
    );
  });
}
