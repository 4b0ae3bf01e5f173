/** Calls before the end of reasoning that the prompt opened: they are considered there, and not made. */
import { describe, expect, it } from 'vitest';
import { CallReader } from '../../src/dialect/call-reader.ts';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { renderCalls } from '../../src/dialect/render.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';

const path = { type: 'string' } as const;
const one = { type: 'object', properties: { path }, required: ['path'] } as const;
const two = { type: 'object', properties: { path, content: path }, required: ['path', 'content'] } as const;
const toolbox = new Toolbox([
  tool({ name: 'write_file', description: 'Writes', effect: 'write', inputSchema: two }),
  tool({ name: 'read_file', description: 'Reads', effect: 'read', inputSchema: one }),
  tool({ name: 'delete_file', description: 'Deletes', effect: 'destructive', inputSchema: one }),
]);
const write = (dialect: string, content = 'x') =>
  renderCalls([{ name: 'write_file', arguments: { path: 'a.txt', content } }], dialect, toolbox);
const other = (name: string, dialect: string) => renderCalls([{ name, arguments: { path: 'a' } }], dialect, toolbox);

const chunks = [undefined, 1, 3, 7];
/** What runs and what is text, which is the same in chunks of any size. */
function read(text: string, options: object) {
  const all = chunks.map((chunk) => {
    const { calls, text: left, reasoning } = readCalls(text, toolbox, { ...options, ...(chunk && { chunk }) });
    const runs = calls.filter(({ status }) => status !== 'invalid').map(({ name }) => name);
    return { runs, text: left, reasoning };
  });
  for (const reading of all) expect(reading).toEqual(all[0]);
  return all[0];
}

const closers = [
  ...['hermes', 'qwen3-coder', 'glm45', 'minimax-m2', 'kimi-k2', 'deepseek-v31', 'deepseek-v32', 'mistral'].map(
    (dialect) => [dialect, '</think>'] as const,
  ),
  ...([
    ['mistral', '[/THINK]'],
    ['seed-oss', '</seed:think>'],
    ['cohere2moe', '<|END_THINKING|>'],
    ['anthropic-xml', '</thinking>'],
  ] as const),
];
const rows = closers.flatMap(([dialect, closer]) => [
  [dialect, dialect, closer] as const,
  ['auto', dialect, closer] as const,
]);

describe('calls before an unmatched closer, with a call after it', () => {
  it.each(rows)('%s, %s %s', (dialect, form, closer) => {
    const considered = write(form);
    const made = other('read_file', form);
    const kept = dialect === 'auto' ? closer : '';
    for (const [before, gap] of [
      [`I could do\n${considered}\nbut that is risky, so I read first.\n`, '\n\n'],
      [`${considered}\nNo, I read first.\n`, '\n'],
      [`${considered}\nNo, I read first.`, ''],
      [`I could do\n${considered}\nor\n${other('delete_file', form)}\nbut I read first.\n`, '\n\n'],
    ] as const)
      expect(read(before + closer + gap + made, { dialect })).toEqual({
        runs: ['read_file'],
        text: before + kept + (dialect === 'auto' ? gap : ''),
        reasoning: undefined,
      });
  });
});

describe('calls before an unmatched closer, with text after it', () => {
  it.each(closers)('%s %s', (dialect, closer) => {
    for (const text of [
      `I could do\n${write(dialect)}\nbut no.\n${closer}\n\nShall I write it?`,
      `${write(dialect)}\n${closer}\n\nShall I write it?`,
      `I could do\n${write(dialect)}\nShould I?\n${closer}\nNo.`,
    ])
      expect(read(text, { dialect })).toEqual({ runs: [], text, reasoning: undefined });
  });
});

describe('a call at the end of reasoning with nothing after it', () => {
  const runs = (text: string, more: object = {}) =>
    chunks.map((chunk) =>
      readCalls(text, toolbox, { dialect: 'hermes', ...more, ...(chunk && { chunk }) }).calls.map(
        ({ name, status, repairs }) => `${name} ${status} ${repairs[0]?.certainty}`,
      ),
    );
  it.each([
    [`I will write it.\n${write('hermes')}\n</think>\n`, ['write_file ok inferred']],
    [`${write('hermes')}\n</think><|im_end|>`, ['write_file ok inferred']],
    [`I will delete it.\n${other('delete_file', 'hermes')}\n</think>\n`, ['delete_file invalid inferred']],
    [`Hmm, would this be right:\n${other('delete_file', 'hermes')}\n</think>\n`, []],
    [`One way.\n${write('hermes')}\nAnother way.\n${other('read_file', 'hermes')}\n</think>\n`, []],
  ])('%j', (text, wanted) => {
    for (const names of runs(text)) expect(names).toEqual(wanted);
  });
  it('is none if the text was cut off', () => {
    for (const names of runs(`I will write it.\n${write('hermes')}\n</think>\n`, { truncated: true }))
      expect(names).toEqual([]);
  });
});

it('reads reasoning twice: closed, then a considered call and another closer', () => {
  const before = `${write('hermes')}\nNo, I read first.\n`;
  const text = `<think>plan</think>\n\n${before}</think>\n${other('read_file', 'hermes')}`;
  expect(read(text, { dialect: 'hermes' })).toEqual({ runs: ['read_file'], text: before, reasoning: 'plan' });
});

it.each([1, 3, 7, 10_000])('finishes no such call in a stream of chunks of %i', (size) => {
  const before = `I could do\n${write('hermes')}\nbut I read first.\n`;
  const text = `${before}</think>\n${other('read_file', 'hermes')}`;
  for (const context of [undefined, [{ role: 'user', content: 'Hi' }]]) {
    const reader = new CallReader(toolbox, { dialect: 'hermes', ...(context && { context }) });
    const events = [];
    for (let at = 0; at < text.length; at += size) events.push(...reader.push(text.slice(at, at + size)));
    events.push(...reader.end());
    expect(events.flatMap((event) => (event.type === 'call.finished' ? [event.outcome.name] : []))).toEqual([
      'read_file',
    ]);
    expect(events.flatMap((event) => (event.type === 'text' ? [event.text] : [])).join('')).toBe(before);
  }
});

describe('guard: no end of reasoning', () => {
  const made = other('read_file', 'hermes');
  it.each([
    ['in a value', write('hermes', 'a\n</think>\nb'), ['write_file']],
    ['in inline code behind', `${write('hermes')}\nI left out \`</think>\` here.`, ['write_file']],
    ['in a sentence behind', `${write('hermes')}\nThe tag </think> ends it.`, ['write_file']],
    ['quoted behind', `${write('hermes')}\nThe tag "</think>" ends it.`, ['write_file']],
    ['in a fence behind', `${write('hermes')}\n\`\`\`html\n</think>\n\`\`\`\n`, ['write_file']],
    ['opened and closed before', `<think>I write.</think>\n${write('hermes')}`, ['write_file']],
    ['two blocks', `<think>a</think>\n${write('hermes')}\n<think>b</think>\n${made}`, ['write_file', 'read_file']],
    ['only before', `I read first.\n</think>\n\n${made}\n${write('hermes')}`, ['read_file', 'write_file']],
    ['a considered call in a block', `<think>${write('hermes')}\nNo.</think>\n${made}`, ['read_file']],
  ])('%s', (_, text, runs) => {
    expect(read(text, { dialect: 'hermes' })).toMatchObject({ runs });
  });
});

const shown = (name: string, given: object) =>
  `<tool_call>\n${JSON.stringify({ name, arguments: given })}\n</tool_call>`;

describe('a marked call that only repeats the types of its fields, after words', () => {
  it.each([
    `The format is:\n${shown('write_file', { path: 'string', content: 'string' })}`,
    `The format is:\n${shown('write_file', { path: 'str', content: 'str' })}`,
    `You call it like this.\n\n${shown('write_file', { path: 'String', content: 'text' })}`,
    `The format is:\n${shown('read_file', { path: 'string' })}`,
    'The format is:\n<tool_call>\n<function=write_file>\n<parameter=path>\nstring\n</parameter>\n<parameter=content>\nstring\n</parameter>\n</function>\n</tool_call>',
  ])('%j', (text) => {
    expect(read(text, {})).toEqual({ runs: [], text, reasoning: undefined });
  });
});

describe('guard: a marked call with a value that is also a type', () => {
  it.each([
    `I write it:\n${shown('write_file', { path: 'a.txt', content: 'string' })}`,
    `I read it.\n${shown('read_file', { path: 'string' })}`,
    `I write it:\n${shown('write_file', { path: 'number', content: 'list' })}`,
  ])('%j', (text) => {
    expect(read(text, {})?.runs).toHaveLength(1);
  });
});
