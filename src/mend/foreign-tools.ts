import { Toolbox } from '../tools/toolbox.ts';

const named = new WeakMap<Toolbox, ReadonlySet<string>>();
const none = new Toolbox();

/** Notes the names of tools that a request offers beside its toolbox, whose schemas only their provider knows. */
export const setForeign = (toolbox: Toolbox, names: Iterable<string>): unknown => named.set(toolbox, new Set(names));

/** Whether a name is exactly that of such a tool: nothing can be said of a call to it, least of all that it meant another. */
export const isForeign = (name: string, toolbox: Toolbox): boolean => named.get(toolbox)?.has(name) === true;

/** The tools among which a name is looked up. */
export const toolsFor = (name: string, toolbox: Toolbox): Toolbox => (isForeign(name, toolbox) ? none : toolbox);
