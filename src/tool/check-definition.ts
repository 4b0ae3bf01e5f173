import { ConfigurationValidationError, type Fault } from './configuration-validation-error.ts';
import { definitionFaults } from './definition-faults.ts';
import type { NameIndex } from './name-index.ts';
import type { Tool } from './tool.ts';

/** The tools a new one must be told apart from. */
interface Others {
  has(name: string): boolean;
  readonly names: NameIndex;
}

/** Throws when a tool must not be added: its definition is faulty, or its name is too like one already there. */
export function checkDefinition(tool: Tool, toolbox: Others): void {
  const faults = [...definitionFaults(tool), ...nameTaken(tool, toolbox)];
  const [first, ...more] = faults;
  if (!first) return;
  const rest = more.length === 0 ? '' : ` (and ${more.length} more: ${more.map(({ field }) => field).join(', ')})`;
  const whose = typeof tool.name === 'string' && tool.name !== '' ? `Tool '${tool.name}'` : 'A tool';
  const message = `${whose} can't be added: ${first.message}. ${first.fix}.${clip(rest)}`;
  throw new ConfigurationValidationError(message, { configType: 'tool', field: first.field, faults });
}

function nameTaken({ name }: Tool, toolbox: Others): Fault[] {
  if (typeof name !== 'string') return [];
  if (!toolbox.has(name)) return nameFaults(name, toolbox.names);
  const fix = 'Remove the other first, or give this one another name';
  return [{ field: 'name', message: 'there is already a tool of that name', fix }];
}

/** What is wrong with a name beside others: one that models confuse with it. */
export function nameFaults(name: string, names: NameIndex): Fault[] {
  const like = names.folded(name).find((other) => other.name !== name);
  if (!like) return [];
  const message = `its name differs from '${like.name}' only by case or separators, and models confuse the two`;
  return [{ field: 'name', message, fix: 'Give it a name a model can tell apart' }];
}

const clip = (text: string): string => (text.length > 300 ? `${text.slice(0, 300)}…)` : text);
