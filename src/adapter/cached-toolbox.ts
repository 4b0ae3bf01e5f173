import type { ToolSpec } from '../model/index.ts';
import { toolFromSpec } from '../provider/compat/tool-from-spec.ts';
import { Toolbox } from '../tools/toolbox.ts';
import { effectsOfSchema } from './tool-effects.ts';

const kept = 100;
const byText = new Map<string, Toolbox>();

/** The toolbox of the tools a framework shows its model. The same come with every question, so the last lists are kept. */
export function cachedToolbox(specs: readonly ToolSpec[]): Toolbox {
  const effects = specs.map(({ schema }) => effectsOfSchema(schema));
  const key = JSON.stringify([specs, effects]);
  const known = byText.get(key);
  if (known) return known;
  // What is kept by its text is made of its text: a schema may bring a check of its own along, which is another's next time.
  const [plain] = JSON.parse(key) as [ToolSpec[]];
  const tools = plain.map((spec, at) => ({ ...toolFromSpec(spec), ...effects[at] }));
  const made = new Toolbox(tools, { validate: false });
  byText.set(key, made);
  if (byText.size > kept) byText.delete(byText.keys().next().value as string);
  return made;
}
