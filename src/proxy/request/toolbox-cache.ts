import { textCache } from '../../json/text-cache.ts';
import { isObject } from '../../json/value.ts';
import { setForeign } from '../../mend/mend-call.ts';
import { toolFromSpec } from '../../provider/compat/tool-from-spec.ts';
import type { Provider } from '../../provider/wire/types.ts';
import { Toolbox } from '../../tools/toolbox.ts';

/** Finds the tools of a request; none where it has none. */
export type ToolboxOf = (provider: Provider, body: unknown) => Toolbox | undefined;

/** Makes toolboxes of requests' own tools. The same tools come with every request of a conversation. */
export function toolboxCache(): ToolboxOf {
  const toolboxes = textCache<Toolbox>(100);
  return (provider, body) => {
    const tools = isObject(body) ? body.tools : undefined;
    if (!Array.isArray(tools) || tools.length === 0) return undefined;
    const text = `${provider.format} ${JSON.stringify(tools)}`;
    return toolboxes(text, () => toolboxOf(provider.readTools(tools)));
  };
}

function toolboxOf(all: ReturnType<Provider['readTools']>): Toolbox {
  const specs = all.filter((tool) => tool.type === 'function');
  const toolbox = new Toolbox(specs.map(toolFromSpec), { validate: false });
  setForeign(
    toolbox,
    all.flatMap((tool) => (tool.type === 'opaque' ? nameIn(tool.value) : [])),
  );
  return toolbox;
}

/** The name by which the model calls a tool of the provider's own kinds, where it has one. */
function nameIn(tool: unknown): string[] {
  if (!isObject(tool)) return [];
  const { name = isObject(tool.custom) ? tool.custom.name : undefined } = tool;
  return typeof name === 'string' ? [name] : [];
}
