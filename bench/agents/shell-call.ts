/** Writes a call of the shell tool that an agent offers, from the tool's schema. */
import type { ToolCall } from './damages.ts';
import type { ModelRequest, OfferedTool } from './wires.ts';

/** Names of shell tools, the usual ones first. */
const names = ['bash', 'Bash', 'run_shell_command', 'exec_command', 'run_commands', 'shell', 'execute_command'];
const commandKeys = ['command', 'cmd', 'commands'];

/** The shell tool of a request, from its tools or from a prompt that describes them; undefined if there is none. */
export function taskTool({ tools, text }: ModelRequest): OfferedTool | undefined {
  const offered = tools.length > 0 ? tools : toolsInPrompt(text);
  return names.map((name) => offered.find((tool) => tool.name === name)).find((tool) => tool !== undefined);
}

/** Tools that a prompt describes: one JSON object a line. */
function toolsInPrompt(text: string): OfferedTool[] {
  return text.split('\n').flatMap((line) => {
    if (!line.startsWith('{"name"')) return [];
    try {
      const { name, parameters } = JSON.parse(line) as { name: string; parameters?: OfferedTool['schema'] };
      return parameters ? [{ name, schema: parameters }] : [];
    } catch {
      return [];
    }
  });
}

/** A call that runs a command; with `scalars`, it also sets a number and a boolean that don't change its effect. */
export function shellCall(request: ModelRequest, command: string, scalars: boolean): ToolCall {
  const tool = taskTool(request);
  if (!tool) throw new Error('The request has no shell tool');
  const { properties = {}, required = [] } = tool.schema;
  const key = commandKeys.find((one) => one in properties) ?? 'command';
  const isA = (name: string, ...types: readonly string[]): boolean =>
    [properties[name]?.type ?? []].flat().some((type) => types.includes(type.toLowerCase()));
  const args: Record<string, unknown> = { [key]: isA(key, 'array') ? [command] : command };
  for (const name of required)
    if (!(name in args))
      args[name] = isA(name, 'boolean') ? false : isA(name, 'number', 'integer') ? 1 : 'Write a file';
  if (!scalars) return { name: tool.name, args };
  const others = Object.keys(properties);
  const number = others.find((name) => /timeout|wait|yield/.test(name) && isA(name, 'number', 'integer'));
  const boolean = others.find((name) => /background|detach|tty|async/.test(name) && isA(name, 'boolean'));
  return {
    name: tool.name,
    args: { ...args, ...(number && { [number]: 20_000 }), ...(boolean && { [boolean]: false }) },
  };
}
