/** Paths and patterns pasted between other quotes than JSON's have two readings, where their backslashes form escapes. */
import { describe, expect, it } from 'vitest';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { JsonReader } from '../../src/json/read-json.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import { closed, mendWith, string, strings } from './mend-with.ts';

const raw = String.raw;
const fields = closed({ command: string, list: strings });

/** Ways to write a string in other quotes than JSON's. */
const forms: readonly ((text: string) => string)[] = [
  (text) => `{"command": '${text}'}`,
  (text) => `{'command': '${text}'}`,
  (text) => `{command: '${text}'}`,
  (text) => `{'list': ['a', '${text}']}`,
  (text) => `{“command”: “${text}”}`,
  (text) => `act(command='${text}')`,
  // Encoded twice, with the escapes of one level.
  (text) => JSON.stringify(`{"command": "${text}"}`),
  (text) => JSON.stringify(`{"list": ["${text}"]}`),
  (text) => `{"list": ${JSON.stringify(`["${text}"]`)}}`,
];

/** A string around the object in which only the quotes are escaped. */
const barely = (text: string): string => `"{\\"command\\": \\"${text}\\"}"`;

const pasted = [
  raw`C:\temp\new`,
  raw`cd C:\temp`,
  raw`type D:\notes.txt`,
  raw`d:\reports`,
  raw`robocopy C:\temp E:\new /mir`,
  raw`\\server\temp`,
  raw`copy \\nas\reports x`,
  raw`.\test`,
  raw`cd ..\new`,
  raw`docs\notes.txt`,
  raw`src\test\run.py`,
  raw`C:\build`,
  raw`..\bin\run`,
  raw`\bfoo\b`,
  raw`\frac{1}{2}`,
  raw`\beta`,
];

describe('Reading: refuses escapes that may be a pasted path or pattern', () => {
  it.each(pasted)('%s', (text) => {
    for (const form of [...forms, barely]) {
      const { status, problems } = mendWith(fields, form(text));
      expect([form(text), status, problems.length]).toEqual([form(text), 'invalid', 1]);
    }
  });

  it.each(pasted)('next to text whose line breaks or quotes are not escaped: %s', (text) => {
    for (const other of ['one\ntwo\n', 'say "hi" now'])
      for (const args of [`{"command": "${text}", "note": "${other}"}`, `{"note": "${other}", "command": "${text}"}`])
        expect([args, mendWith(closed({ command: string, note: string }), args).status]).toEqual([args, 'invalid']);
  });

  it('names the first escape', () => {
    const why = 'which may be part of a path or pattern; write every backslash of the text as \\\\';
    expect(mendWith(fields, raw`{'command': 'cd C:\temp\new'}`).problems).toMatchObject([
      { path: ['command'], code: 'ambiguous', message: raw`Field 'command' has \t, ` + why },
    ]);
  });

  it('guard: reads the same in chunks', () => {
    for (const text of pasted) {
      const args = `{'command': '${text}'}`;
      const reader = new JsonReader();
      for (const char of args) reader.push(char);
      expect([text, reader.end().problems]).toEqual([text, mendWith(fields, args).problems]);
    }
  });
});

/** Python and JavaScript strings with escapes of their own. */
const escaped = [
  raw`a\nb`,
  raw`line one\nline two\n`,
  raw`def f(x):\n    return x\n`,
  raw`if (a) {\n\treturn b;\n}`,
  raw`name\tage`,
  raw`Note:\nthe end`,
  raw`a.txt\nb.txt`,
  raw`Options:\nA: yes\nB: no`,
  raw`key:\n  - one`,
  raw`wait...\nthen go`,
  raw`C:\\temp\\new`,
  raw`\\\\server\\temp`,
  raw`C:/temp/new`,
  raw`C:\\a\nC:\\b`,
  raw`\\item one\n\\item two`,
];

describe('guard: other escapes stay escapes', () => {
  it.each(escaped)('%s', (text) => {
    const command = JSON.parse(`"${text}"`);
    // Objects in strings are stricter (`lost-backslashes.test.ts`).
    for (const form of forms.filter((form) => /^[^"]*command/.test(form(''))))
      expect(mendWith(fields, form(text))).toMatchObject({ status: 'mended', input: { command } });
  });

  it.each(pasted)('%s in double quotes, as JSON reads it', (text) => {
    const command = JSON.parse(`"${text}"`);
    expect(mendWith(fields, `{"command": "${text}"}`)).toMatchObject({ status: 'ok', input: { command } });
    expect(mendWith(fields, `{"command": "${text}",}`)).toMatchObject({ status: 'mended', input: { command } });
  });
});

describe('Calls in text: refuses arguments in a string that may be a pasted path', () => {
  const toolbox = new Toolbox([tool({ name: 'act', description: 'Acts', inputSchema: fields, effect: 'read' })]);
  const calls = (given: string): readonly string[] => {
    const call = JSON.stringify({ name: 'act', arguments: given });
    return [
      call,
      `[${call}]`,
      `\`\`\`json\n${call}\n\`\`\``,
      JSON.stringify({ function: { name: 'act', arguments: given } }),
      `<tool_call>\n${call}\n</tool_call>`,
    ];
  };
  const ways = [{}, { prompted: true }, { dialect: 'hermes' }];
  const read = (text: string) => ways.flatMap((way) => readCalls(text, toolbox, way).calls);

  it.each([raw`src\nav.ts`, raw`C:\temp\new`, raw`..\bin`])('%s', (text) => {
    const statuses = calls(`{"command": "${text}"}`)
      .flatMap(read)
      .map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set(['invalid']));
  });

  it('guard: others run', () => {
    const command = 'import os\n\nprint(os)\n';
    for (const written of calls(JSON.stringify({ command })))
      for (const call of read(written)) expect(call).toMatchObject({ input: { command } });
  });
});
