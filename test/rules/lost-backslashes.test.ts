/** In arguments that were encoded twice, a control character may be a backslash that was escaped once too little. */
import { describe, expect, it } from 'vitest';
import { readCalls, renderCalls } from '../../src/dialect/index.ts';
import { mend } from '../../src/mend/mend.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import { closed, string, strings } from './mend-with.ts';

const raw = String.raw;
const fields = closed({ command: string, list: strings, deep: closed({ command: string }) });
const toolbox = new Toolbox([tool({ name: 'act', description: 'Acts', inputSchema: fields, effect: 'destructive' })]);
const writing = new Toolbox([tool({ name: 'act', description: 'Acts', inputSchema: fields, effect: 'write' })]);

/** Objects in strings, with the text as it stands between the quotes of a string. */
const encoded: readonly ((text: string) => string)[] = [
  (text) => JSON.stringify(`{"command": "${text}"}`),
  (text) => JSON.stringify(`{"list": ["${text}", "lib"]}`),
  (text) => JSON.stringify({ arguments: `{"command": "${text}"}` }),
  (text) => JSON.stringify({ name: 'act', arguments: `{"command": "${text}"}` }),
  (text) => `{"list": ${JSON.stringify(`["lib", "${text}"]`)}}`,
  (text) => `{"deep": ${JSON.stringify(`{"command": "${text}"}`)}}`,
];

const run = (args: string, box = writing) => mend({ name: 'act', arguments: args }, box);
const call = (text: string): string =>
  `<tool_call>\n${JSON.stringify({ name: 'act', arguments: `{"command": "${text}"}` })}\n</tool_call>`;

const lost = [
  raw`src\new`,
  raw`reports\today`,
  raw`users\rita`,
  raw`CORP\nina`,
  raw`lib\nUnit`,
  raw`packages\native\test`,
  raw`del build\release\notes.txt`,
  raw`\textbf{a}`,
  raw`see \textbf{a} there`,
  raw`\rho`,
  raw`\theta`,
  raw`s.split('\n')`,
  raw`join('\t')`,
  raw`tr '\n' ' '`,
  raw`printf(\"hi\n\");`,
  raw`print('a\nb')\n`,
];

const sure = [
  raw`import os\n\nprint(os)\n`,
  raw`alice smith\nbob jones`,
  raw`hello\nworld\n`,
  raw`if (a) {\n\treturn b;\n}`,
  raw`key:\n  - one`,
  raw`Options:\nA: yes\nB: no`,
  raw`wait...\nthen go`,
  raw`one two\r\nthree\r\n`,
  raw`all: a.o\n\tgcc -o a a.o\n`,
  raw`func main() {\n\tfmt.Println(\"a\")\n\tif x {\n\t\treturn\n\t}\n}\n`,
  raw`x := []P{\n\tPoint{1, 2},\n}\n`,
  raw`\treturn x`,
  raw`name\tage\nann\t3\n`,
  raw`def f():\n    \"\"\"\n    Doc\n    \"\"\"\n    x = 'a'\n`,
  raw`He said \"I will\ncome\" today.`,
  raw`git commit -m \"title\n\nbody\"`,
  raw`python -c \"\nimport os\nprint(1)\n\"`,
  raw`don't\ndo it\nusers' names\n`,
  raw`<a href=\"x\"\n   title=\"y\">z</a>`,
  raw`src\\new`,
  raw`C:\\a\nC:\\b`,
  raw`s.split('\\n')`,
];

describe('Encoding: refuses control characters that may be lost backslashes', () => {
  it.each(lost)('%s', (text) => {
    for (const form of encoded) expect([form(text), run(form(text)).status]).toEqual([form(text), 'invalid']);
    for (const way of [{ dialect: 'hermes' }, {}])
      expect(readCalls(call(text), toolbox, way).calls).toMatchObject([{ status: 'invalid' }]);
  });

  it('names the character', () => {
    const why = 'which may be a backslash and a letter; write every backslash of the text as \\\\';
    expect(run(JSON.stringify(raw`{"command": "src\new"}`)).problems).toMatchObject([
      { path: ['command'], code: 'ambiguous', message: raw`Field 'command' has \n, ` + why },
    ]);
  });

  it.each(sure)('guard: reads text that is encoded as usual: %s', (text) => {
    const command = JSON.parse(`"${text}"`);
    for (const form of encoded) expect([form(text), run(form(text)).status]).toEqual([form(text), 'mended']);
    expect(run(encoded[0]?.(text) ?? '', toolbox)).toMatchObject({ status: 'mended', input: { command } });
    expect(readCalls(call(text), toolbox, { dialect: 'hermes' }).calls).toMatchObject([
      { status: 'mended', input: { command } },
    ]);
  });

  it.each(lost)('guard: in arguments encoded once, JSON decides: %s', (text) => {
    const command = JSON.parse(`"${text}"`);
    expect(run(`{"command": "${text}"}`, toolbox)).toMatchObject({ status: 'ok', input: { command } });
    const calls = renderCalls([{ name: 'act', arguments: { command } }], 'apertus');
    expect(readCalls(calls, toolbox, { dialect: 'apertus' }).calls).toMatchObject([
      { status: 'ok', input: { command } },
    ]);
  });
});
