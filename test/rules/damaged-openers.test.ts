/** The opener of a parameter that is damaged, missing or doubled is never part of a value. */
import { describe, expect, it } from 'vitest';
import { dialects } from '../../src/dialect/dialects/index.ts';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { renderCalls } from '../../src/dialect/render.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import { toolWith } from '../dialects/toolboxes.ts';

const string = { type: 'string' };
const toolsOf = (effect: 'write' | 'destructive'): Toolbox =>
  new Toolbox([
    toolWith('run_command', { command: string, timeout: { type: 'integer' } }, effect, {
      required: ['command'],
      closed: true,
    }),
    toolWith('write_file', { path: string, content: string }, effect, { closed: true }),
  ]);
const [write, destructive] = [toolsOf('write'), toolsOf('destructive')];

const [command, timeout] = ['rm -rf build', 30];
const tagged = dialects.filter(({ forms }) => forms.some(({ body, readOnly }) => body === 'params' && !readOnly));

/** A call as its dialect writes it, cut around the seam between the two values. */
const cutsOf = (dialect: string): readonly [before: string, seam: string, after: string] => {
  const text = renderCalls([{ name: 'run_command', arguments: { command, timeout } }], dialect, write);
  const from = text.indexOf(command) + command.length;
  const to = text.lastIndexOf(String(timeout));
  return [text.slice(0, from), text.slice(from, to), text.slice(to)];
};

/** The seam with each of its characters dropped, doubled, replaced, and swapped with the next one. */
function* faultsOf(seam: string): Generator<string> {
  for (let at = 0; at < seam.length; at++) {
    const [before, char, after] = [seam.slice(0, at), seam[at] as string, seam.slice(at + 1)];
    yield before + after;
    yield before + char + char + after;
    yield `${before}q${after}`;
    if (after) yield before + after[0] + char + after.slice(1);
  }
}

/** A sign before the closer, outside of every marker, belongs to the value. */
const isOriginal = ({ command: said, timeout: at }: Record<string, unknown>): boolean =>
  /^rm -rf build[\nq<\]]{0,2}$/.test(String(said)) && at === timeout;

const accepted = (text: string, tools: Toolbox, dialect?: string) =>
  readCalls(text, tools, { ...(dialect && { dialect }) }).calls.flatMap(({ status, input }) =>
    status === 'invalid' ? [] : [input as Record<string, unknown>],
  );

describe('a damaged marker between two parameters never ends up in a value', () => {
  it.each(tagged.map(({ name }) => name))('%s: one character', (dialect) => {
    const [before, seam, after] = cutsOf(dialect);
    for (const fault of faultsOf(seam))
      for (const input of accepted(before + fault + after, destructive, dialect))
        expect([fault, isOriginal(input)]).toEqual([fault, true]);
  });
  it.each(tagged.map(({ name }) => name))('%s: the opener is missing', (dialect) => {
    const [before, seam, after] = cutsOf(dialect);
    const opener = /[<\]][^</]*(?:<[^</]*)*$/.exec(seam.trimEnd())?.[0] ?? '';
    for (const left of [seam.trimEnd().slice(0, -opener.length), `${seam.trimEnd().slice(0, -opener.length)}\n`])
      expect(accepted(before + left + after, destructive, dialect)).not.toContainEqual({
        command: expect.stringMatching(/</),
      });
  });
});

const claude = (inner: string): string =>
  `<function_calls>\n<invoke name="run_command">\n<parameter name="command">rm -rf build</parameter>\n${inner}\n</invoke>\n</function_calls>`;
const qwen = (inner: string): string =>
  `<tool_call>\n<function=run_command>\n<parameter=command>\nrm -rf build\n</parameter>\n${inner}\n</function>\n</tool_call>`;
const cline = (inner: string): string => `<run_command>\n${inner}\n</run_command>`;
const minimax = (inner: string): string =>
  `]<]minimax[>[<tool_call>\n]<]minimax[>[<invoke name="run_command">${inner}]<]minimax[>[</invoke>\n]<]minimax[>[</tool_call>`;
const kimi = (value: string): string =>
  `<|open|>tools<|sep|><|open|>call tool="run_command" index="1"<|sep|><|open|>argument key="command" type="string"<|sep|>${value}<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>`;

describe('a value next to a damaged marker is refused', () => {
  it.each([
    ['anthropic-xml', claude('<paramter name="timeout">30</parameter>')],
    ['anthropic-xml', claude('30</parameter>')],
    ['anthropic-xml', claude('</parameter name="timeout">30</parameter>')],
    ['qwen3-coder', qwen('<paramter=timeout>\n30\n</parameter>')],
    ['qwen3-coder', qwen('parameter=timeout>\n30\n</parameter>')],
    ['cline-xml', cline('<command><command>rm -rf build</command>')],
    ['cline-xml', cline('<command>a < b && rm</command>\nbuild</command>')],
    ['cline-xml', cline('<command>\nrm -rf build\n<command>')],
    ['cline-xml', cline('<command>rm -rf build</comand>\n<timeout>30</timeout>')],
    ['cline-xml', cline('<command>rm -rf build</comand>\n<timeout>30</timeout></command>')],
    ['cline-xml', cline('<command>rm -rf build\n<timeout>30</timeout>')],
    ['minimax-m3', minimax(']<]minimax[>[<command>]<]minimax[>[<command>rm]<]minimax[>[</command>')],
    ['minimax-m3', minimax(']<]minimax[>[<command>rm]<]minimax[>[<command>\n')],
    ['kimi-k3', kimi('rm<|close|>')],
    ['kimi-k3', kimi('<|open|>argument key="command" type="string"<|sep|>rm')],
  ])('%s: %j', (dialect, text) => {
    for (const tools of [write, destructive])
      for (const mode of [dialect, undefined]) expect(accepted(text, tools, mode)).toEqual([]);
  });
});

describe('guard: a value that mentions markers, or contains elements, is read', () => {
  const content = [
    'Close it with </parameter>, then go on.',
    'The tag `</parameter>` closes it',
    '<ul>\n<li>a</li>\n</ul>',
    'if (a < b) return;\nif (c > d) {}',
    '<parameter>x</parameter>\nand more',
    'const close = "</parameter>";\nconst open = 1;',
    'a <',
  ];
  const rows = ['anthropic-xml', 'qwen3-coder', 'minimax-m2', 'deepseek-v32', 'glm45', 'kimi-k3', 'cline-xml'];
  it.each(rows.flatMap((dialect) => content.map((one) => [dialect, one] as const)))('%s: %j', (dialect, one) => {
    const given = { path: 'a.md', content: one };
    const text = renderCalls([{ name: 'write_file', arguments: given }], dialect, write);
    expect(accepted(text, write, dialect)).toEqual([given]);
  });
});
