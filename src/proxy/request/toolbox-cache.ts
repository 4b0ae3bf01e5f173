import { isObject } from '../../json/value.ts';
import { setForeign } from '../../mend/foreign-tools.ts';
import { toolFromSpec } from '../../provider/compat/tool-from-spec.ts';
import type { Provider } from '../../provider/wire/types.ts';
import { Toolbox } from '../../tools/toolbox.ts';

const kept = 100;

/** Finds the tools of a request; none where it has none. */
export type ToolboxOf = (provider: Provider, body: unknown) => Toolbox | undefined;

/**
 * Makes toolboxes of requests' own tools. The same tools come with every request of a conversation, so that the last
 * hundred lists are kept.
 */
export function toolboxCache(): ToolboxOf {
  const byText = new Map<string, Toolbox>();
  return (provider, body) => {
    const tools = isObject(body) ? body.tools : undefined;
    if (!Array.isArray(tools) || tools.length === 0) return undefined;
    const key = `${provider.format} ${JSON.stringify(tools)}`;
    const known = byText.get(key);
    if (known) return known;
    const all = provider.readTools(tools);
    const specs = all.filter((tool) => tool.type === 'function');
    const toolbox = new Toolbox(specs.map(toolFromSpec), { validate: false });
    setForeign(
      toolbox,
      all.flatMap((tool) => (tool.type === 'opaque' ? nameIn(tool.value) : [])),
    );
    byText.set(key, toolbox);
    if (byText.size > kept) byText.delete(byText.keys().next().value as string);
    return toolbox;
  };
}

/** The name by which the model calls a tool of the provider's own kinds, where it has one. */
function nameIn(tool: unknown): string[] {
  if (!isObject(tool)) return [];
  const { name = isObject(tool.custom) ? tool.custom.name : undefined } = tool;
  return typeof name === 'string' ? [name] : [];
}
