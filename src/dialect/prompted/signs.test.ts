import { describe, expect, it } from 'vitest';
import { tool } from '../../tools/tool.ts';
import { Toolbox } from '../../tools/toolbox.ts';
import { readCalls } from '../read-calls.ts';

const inputSchema = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] };
const empty = { type: 'object', properties: {} };
const toolbox = new Toolbox([
  tool({ name: 'drop', description: 'Drop', effect: 'destructive', inputSchema }),
  tool({ name: 'save', description: 'Save', inputSchema }),
  tool({ name: 'status', description: 'Status', effect: 'read', inputSchema: empty }),
]);
const read = (answer: string) => readCalls(answer, toolbox, { prompted: true });
const of = (name: string) => ({
  python: `${name}(path="/x")`,
  json: `{"name": "${name}", "arguments": {"path": "/x"}}`,
  marked: `<tool_call>{"name": "${name}", "arguments": {"path": "/x"}}</tool_call>`,
});

describe('prompted: signs around calls that are no writing of them', () => {
  it.each<[what: string, answer: (call: ReturnType<typeof of>) => string]>([
    ['a template', ({ python }) => `{{ ${python} }}`],
    ['a block', ({ python }) => `{ ${python}; }`],
    ['a block in lines', ({ python }) => `{\n  ${python};\n}`],
    ['a set', ({ python }) => `{${python}, status()}`],
    ['a set of one', ({ python }) => `{${python}}`],
    ['brackets the wrong way round', ({ python }) => `)${python}(`],
    ['brackets the wrong way round, of a list', ({ python }) => `]${python}[`],
    ['an empty block before', ({ python }) => `{}${python}`],
    ['a bracket that nothing closes', ({ python }) => `(${python}`],
    ['brackets that cross', ({ python }) => `([${python})]`],
  ])('text: %s', (_, answer) => {
    for (const name of ['drop', 'save']) {
      const text = answer(of(name));
      expect(read(text)).toMatchObject({ calls: [], text });
    }
  });

  it.each<[what: string, answer: (call: ReturnType<typeof of>) => string, text: string]>([
    ['a list in a list', ({ python }) => `[[${python}]]`, ''],
    ['round brackets', ({ python }) => `(${python})`, ''],
    ['round brackets around JSON', ({ json }) => `(${json})`, ''],
    ['a hole', ({ python }) => `[${python},,status()]`, ''],
    ['a hole at the start', ({ python }) => `[,${python}]`, ''],
    ['a comma before', ({ python }) => `,${python}`, ''],
    ['a comma behind', ({ python }) => `${python},`, ''],
    ['a bracket too many', ({ python }) => `${python})`, ')'],
    ['a brace too many', ({ python }) => `${python}}`, '}'],
    ['a brace too many behind JSON', ({ json }) => `${json}}`, '}'],
    ['a fence that nothing closes', ({ json }) => `\`\`\`json\n${json}`, ''],
    ['the end of a fence', ({ python }) => `${python}\n\`\`\``, '```'],
    ['an empty fence before', ({ python }) => `\`\`\`\n\`\`\`\n${python}`, '```\n```'],
    ['the end of a fence behind a marked call', ({ marked }) => `${marked}\n\`\`\``, '```'],
    ['waves behind a marked call', ({ marked }) => `${marked}\n~~~`, '~~~'],
    ['a fence behind a marked call', ({ marked }) => `${marked}\n\`\`\`json`, '```json'],
    ['a bracket behind a marked call', ({ marked }) => `${marked})`, ')'],
    ['a brace behind a marked call', ({ marked }) => `${marked}}`, '}'],
    ['a bracket of a list behind a marked call', ({ marked }) => `${marked}\n]`, ']'],
    ['a comma behind a marked call', ({ marked }) => `${marked},`, ','],
  ])('inferred: %s', (_, answer, left) => {
    const { calls, text } = read(answer(of('drop')));
    expect(calls[0]).toMatchObject({ status: 'invalid', errorType: 'validation' });
    expect(text).toBe(left);
    const [saved] = read(answer(of('save'))).calls;
    expect(saved).toMatchObject({ status: 'ok', repairs: [{ kind: 'text', certainty: 'inferred' }] });
  });
});

describe('prompted: a list that nothing closes', () => {
  it.each<[what: string, answer: (call: ReturnType<typeof of>) => string]>([
    ['of Python', ({ python }) => `[${python}`],
    ['of Python, of two', ({ python }) => `[${python}, status()`],
    ['of Python, in lines', ({ python }) => `[${python}\nstatus()`],
    ['of JSON, of two', ({ json }) => `[${json}, {"name": "status", "arguments": {}}`],
    ['of JSON in a fence', ({ json }) => `\`\`\`json\n[${json}\n\`\`\``],
  ])('adds its end: %s', (_, answer) => {
    const closer = { kind: 'closer', certainty: 'inferred' };
    const [dropped] = read(answer(of('drop'))).calls;
    expect(dropped).toMatchObject({ status: 'invalid', errorType: 'validation' });
    const [saved] = read(answer(of('save'))).calls;
    expect(saved).toMatchObject({ status: 'mended', repairs: [{ kind: 'text' }, closer] });
  });

  it.each<[what: string, answer: (call: ReturnType<typeof of>) => string]>([
    ['one', ({ python }) => `[${python},`],
    ['the last', ({ python }) => `[status(), ${python}, `],
    ['in a line', ({ python }) => `[\n  ${python},\n`],
  ])('is cut off behind a comma: %s', (_, answer) => {
    for (const name of ['drop', 'save']) {
      const { calls } = read(answer(of(name)));
      expect(calls.at(-1)).toMatchObject({ status: 'invalid', errorType: 'truncated' });
    }
  });
});

describe('guard: prompted: nothing but calls, in one writing', () => {
  it.each<[answer: (call: ReturnType<typeof of>) => string]>([
    [({ python }) => python],
    [({ python }) => `\n${python}\n`],
    [({ python }) => `[${python}]`],
    [({ python }) => `[${python},]`],
    [({ python }) => `[\n  ${python},\n  status()\n]`],
    [({ python }) => `${python}\nstatus()`],
    [({ python }) => `${python}, status()`],
    [({ python }) => `print(${python})`],
    [({ python }) => `\`\`\`\n${python}\n\`\`\``],
    [({ python }) => `\`\`\`tool_code\nprint(${python})\n\`\`\``],
    [({ json }) => json],
    [({ json }) => `[${json}]`],
    [({ json }) => `\`\`\`json\n[${json}]\n\`\`\``],
    [({ json }) => `${json}\n{"name": "status", "arguments": {}}`],
    [({ marked }) => marked],
    [({ marked }) => `${marked}\n${marked.replace('/x', '/y')}\n`],
  ])('%#', (answer) => {
    const { calls, text } = read(answer(of('drop')));
    expect(calls[0]).toMatchObject({ status: 'ok', repairs: [{ kind: 'text', certainty: 'lossless' }] });
    expect(text).toBe('');
  });
});
