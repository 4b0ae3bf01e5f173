/** Calls in text: `print(…)` around a call belongs to the call, so that none of it stays in the text. */
import { describe, expect, it } from 'vitest';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import { open, string } from './mend-with.ts';

const inputSchema = open({ query: string }, ['query']) as { type: 'object' };
const toolbox = new Toolbox([
  tool({ name: 'search', description: 'Searches', effect: 'read', inputSchema }),
  tool({ name: 'save', description: 'Saves', inputSchema }),
  tool({ name: 'now', description: 'Tells the time', effect: 'read' }),
]);
const read = (text: string, options: object = { prompted: true }) => {
  const { calls, text: left } = readCalls(text, toolbox, options);
  return [
    calls.map(({ name, status, problems: [one] }) => (status === 'invalid' ? `${name} ${one?.code}` : name)),
    left,
  ];
};
const fenced = (code: string, language = 'python'): string => `\`\`\`${language}\n${code}\n\`\`\``;
const search = 'search(query="cats")';
const save = 'save(query="cats")';
const lead = 'Here is the call:';
const leads = 'Here are the calls:';

describe('Calls in text: print(…) goes with the call, prompted', () => {
  const expectRead = (text: string, calls: readonly string[], left: string) =>
    expect(read(text)).toEqual([calls, left]);
  it.each<[string, readonly string[], string]>([
    [`${lead}\nprint(${search})`, ['search'], lead],
    [`${lead}\nprint(${save})`, ['save'], lead],
    [`${lead}\nprint( ${search} )`, ['search'], lead],
    [`${lead}\nprint(\n  ${search}\n)`, ['search'], lead],
    [`${lead}\nprint(${search});`, ['search'], lead],
    [`${lead} print(${search})`, ['search'], lead],
    [`${lead}\n**print(${search})**`, ['search'], lead],
    [`I'll search now.\n\nprint(${search})`, ['search'], "I'll search now."],
    [`${leads}\nprint(${search})\nprint(now())`, ['search', 'now'], leads],
    [`${leads}\n\nprint(${search})\n\nprint(now())\n`, ['search', 'now'], leads],
    [`${leads}\n${search}\nprint(now())`, ['search', 'now'], leads],
    [`${leads}\nprint(now())\n${search}`, ['now', 'search'], leads],
    [`${leads}\nprint([${search}, now()])`, ['search', 'now'], leads],
    [`${leads}\nprint(${search}, now())`, ['search', 'now'], leads],
    [`${lead}\nprint({"name": "search", "arguments": {"query": "cats"}})`, ['search'], lead],
    [`${lead}\n${fenced(`print("Result:", ${search})`)}`, ['search'], lead],
    [fenced(`print("Result:", ${search})`), ['search'], ''],
    [fenced(`result = ${search}\nprint(result)`), ['search'], ''],
    [`- print(${search})\n- print(now())`, ['search', 'now'], ''],
    [`1. print(${search})\n2. print(now())`, ['search', 'now'], ''],
    [`${lead}\nprint(${search}`, ['search truncated'], lead],
  ])('%j', expectRead);
  it.each<[string, readonly string[], string]>([
    [fenced(`print(${search})\nprint(now())`), ['search', 'now'], ''],
    [`[print(${search}), print(now())]`, ['search', 'now'], ''],
    [`<tool_call>print(${search})</tool_call>`, ['search'], ''],
  ])('guard: %j', expectRead);
});

describe('guard: Calls in text: print(…) around a call, and nothing else', () => {
  it.each([
    `print(${search})`,
    `print(\n  ${search}\n)`,
    fenced(`print(${search})`, 'tool_code'),
    `print(${search})\nprint(now())`,
  ])('%j', (text) => {
    for (const options of [{}, { prompted: true }, { dialect: 'pythonic' }])
      expect(read(text, options)).toEqual([text.includes('now') ? ['search', 'now'] : ['search'], '']);
  });
});

describe('guard: Calls in text: other code around a call stays as it is', () => {
  it.each([
    fenced(`print(${search}["a"])`),
    fenced(`print(${search}.title)`),
    fenced(`print(len(${search}))`),
    fenced(`print(${search}, end="")`),
    `${lead}\npprint(${search})`,
    `${lead}\nconsole.log(${search})`,
    `${lead}\nprint('search(query="cats")')`,
  ])('%j', (text) => {
    const { calls, text: left } = readCalls(text, toolbox, { prompted: true });
    expect(calls.filter(({ status }) => status !== 'invalid')).toEqual([]);
    expect(left).toBe(text);
  });
});
