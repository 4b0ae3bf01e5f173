/** The damages: how models and servers spoil a tool call, as in recorded faults of local models. */

/** A call as the model means it. */
export interface ToolCall {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** A call as the model writes it: with the name and the text of the arguments, or as text. */
export type WrittenCall = { readonly name: string; readonly args: string } | { readonly text: string };

/** A kind of damage. */
export interface Damage {
  readonly name: string;
  /** As in tables. */
  readonly label: string;
  readonly write: (call: ToolCall) => WrittenCall;
  /** Which call it needs, if not the shell call. */
  readonly needs?: 'list' | 'scalar';
  /** Whether the server refuses requests with tools. The model then writes its call as the prompt tells it to. */
  readonly refusesTools?: true;
}

const json = (value: unknown): string => JSON.stringify(value);

/** A value as Python writes it. */
export function python(value: unknown): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'string') {
    const escaped = value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
    // Python prefers single quotes, and doubles only where a string has single ones and no double ones.
    return value.includes("'") && !value.includes('"') ? `"${escaped}"` : `'${escaped.replaceAll("'", "\\'")}'`;
  }
  if (Array.isArray(value)) return `[${value.map(python).join(', ')}]`;
  if (typeof value === 'object')
    return `{${Object.entries(value)
      .map(([key, one]) => `${python(key)}: ${python(one)}`)
      .join(', ')}}`;
  return String(value);
}

/** All numbers and booleans as text, also inside lists. */
function scalarsAsText(value: unknown): unknown {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return value.map(scalarsAsText);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, scalarsAsText(one)]));
}

const mapArgs = (
  { args }: ToolCall,
  change: (key: string, value: unknown) => readonly [string, unknown],
): Record<string, unknown> => Object.fromEntries(Object.entries(args).map(([key, value]) => change(key, value)));

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** The name in another convention: `Bash` for `bash`, `bash` for `Bash`, `runCommand` for `run_command`. */
export function otherCase(name: string): string {
  if (name.includes('_')) return name.replace(/_+(\w)/g, (_, letter: string) => letter.toUpperCase());
  return /^[a-z]/.test(name) ? capital(name) : name.toLowerCase();
}

const asXml = ({ name, args }: ToolCall): string => {
  const parameters = Object.entries(args).map(
    ([key, value]) => `<parameter=${key}>\n${typeof value === 'string' ? value : json(value)}\n</parameter>`,
  );
  return `<tool_call>\n<function=${name}>\n${parameters.join('\n')}\n</function>\n</tool_call>`;
};

/** A call in the format that many local models are trained with. */
export const asToolCall = ({ name, args }: ToolCall): string =>
  `<tool_call>\n${json({ name, arguments: args })}\n</tool_call>`;

export const asFence = ({ name, args }: ToolCall): string =>
  `\`\`\`json\n${JSON.stringify({ name, arguments: args }, null, 2)}\n\`\`\``;

/** A call without damage. */
export const sound = ({ name, args }: ToolCall): WrittenCall => ({ name, args: json(args) });

export const damages: readonly Damage[] = [
  {
    name: 'comma',
    label: 'trailing comma',
    write: ({ name, args }) => ({ name, args: json(args).replace(/\}$/, ', }') }),
  },
  { name: 'python', label: 'Python dict', write: ({ name, args }) => ({ name, args: python(args) }) },
  {
    name: 'scalars',
    label: 'numbers and booleans as strings',
    needs: 'scalar',
    write: ({ name, args }) => ({ name, args: json(scalarsAsText(args)) }),
  },
  {
    name: 'list',
    label: 'Python list in a string',
    needs: 'list',
    write: (call) => ({
      name: call.name,
      args: json(mapArgs(call, (key, value) => [key, Array.isArray(value) ? python(value) : value])),
    }),
  },
  {
    name: 'name',
    label: 'wrong case of the tool name',
    write: ({ name, args }) => ({ name: otherCase(name), args: json(args) }),
  },
  {
    name: 'keys',
    label: 'wrong case of keys',
    write: (call) => ({ name: call.name, args: json(mapArgs(call, (key, value) => [capital(key), value])) }),
  },
  {
    name: 'fenced',
    label: 'arguments in a code fence',
    write: ({ name, args }) => ({ name, args: `\`\`\`json\n${json(args)}\n\`\`\`` }),
  },
  {
    name: 'doubled',
    label: 'arguments encoded twice',
    write: ({ name, args }) => ({ name, args: json(json(args)) }),
  },
  {
    name: 'brace',
    label: 'last brace missing',
    write: ({ name, args }) => ({ name, args: json(args).slice(0, -1) }),
  },
  { name: 'tool-call', label: '`<tool_call>` JSON as text', write: (call) => ({ text: asToolCall(call) }) },
  { name: 'xml', label: '`<function=…>` XML as text', write: (call) => ({ text: asXml(call) }) },
  { name: 'fence', label: 'fenced JSON as text', write: (call) => ({ text: asFence(call) }) },
  {
    name: 'no-tools',
    label: 'server refuses tools',
    refusesTools: true,
    write: (call) => ({ text: asToolCall(call) }),
  },
];
