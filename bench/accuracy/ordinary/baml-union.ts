import type { Definition } from '../../../test/damage/definition.ts';
import type { ToolRun } from '../contestant.ts';
import type { Baml as BamlModule } from '../contestants/baml.ts';

export type Baml = BamlModule;

const types: Readonly<Record<string, string>> = { string: 'string', number: 'float', boolean: 'bool' };

/** A toolbox in BAML: a class for each tool, with its name as a literal, and text as the alternative. */
function sourceOf(tools: readonly Definition[]): string {
  const classes = tools.map(({ name, inputSchema: { properties = {}, required = [] } }) => {
    const fields = Object.entries(properties).map(([key, member]) => {
      const type = types[String((member as { type?: unknown }).type)] ?? 'string';
      return `  arg_${key} ${type}${required.includes(key) ? '' : '?'} @alias("${key}")`;
    });
    return `class Args_${name} {\n${fields.join('\n')}\n}\nclass Call_${name} {\n  tool "${name}" @alias("name")\n  args Args_${name} @alias("arguments")\n}`;
  });
  const union = [...tools.map(({ name }) => `Call_${name}`), 'string'].join(' | ');
  const client = 'client<llm> Nobody {\n  provider openai\n  options {\n    model "none"\n    api_key "none"\n  }\n}';
  const asked = `function Answer(text: string) -> (${union}) {\n  client Nobody\n  prompt #"{{ text }} {{ ctx.output_format }}"#\n}`;
  return [client, ...classes, asked].join('\n\n');
}

/** Reads a response as BAML does: the member of the union that fits best. */
export function readsUnion({ BamlRuntime }: Baml): (text: string, tools: readonly Definition[]) => ToolRun[] {
  const made = new Map<readonly Definition[], ReturnType<Baml['BamlRuntime']['fromFiles']>>();
  return (text, tools) => {
    const runtime = made.get(tools) ?? BamlRuntime.fromFiles('baml_src', { 'main.baml': sourceOf(tools) }, {});
    made.set(tools, runtime);
    const context = runtime.createContextManager();
    const read = runtime.parseLlmResponse('Answer', text, false, context, undefined, undefined, {});
    if (typeof read !== 'object' || read === null || !('tool' in read)) return [];
    const { tool, args } = read as { tool: string; args: Readonly<Record<string, unknown>> };
    const given = Object.entries(args ?? {}).filter(([, value]) => value !== null);
    return [{ name: tool, input: Object.fromEntries(given.map(([key, value]) => [key.replace(/^arg_/, ''), value])) }];
  };
}
