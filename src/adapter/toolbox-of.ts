import { toolFromSpec } from '../provider/fit/tool-from-spec.ts';
import { Toolbox } from '../tool/toolbox.ts';
import type { ToolSpec } from '../turn/turn.ts';

const kept = 100;
const byText = new Map<string, Toolbox>();

/** The toolbox of the tools a framework shows its model. The same come with every question, so the last lists are kept. */
export function toolboxOf(specs: readonly ToolSpec[]): Toolbox {
  const key = JSON.stringify(specs);
  const known = byText.get(key);
  if (known) return known;
  // What is kept by its text is made of its text: a schema may bring a check of its own along, which is another's next time.
  const made = new Toolbox((JSON.parse(key) as ToolSpec[]).map(toolFromSpec), { definitions: 'given' });
  byText.set(key, made);
  if (byText.size > kept) byText.delete(byText.keys().next().value as string);
  return made;
}
