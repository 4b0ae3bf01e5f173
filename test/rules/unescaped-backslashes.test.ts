/** Backslashes of one call follow one rule: where one string has them unescaped, the escapes of the others are doubtful. */
import { describe, expect, it } from 'vitest';
import { JsonReader } from '../../src/json/read-json.ts';
import { closed, mendWith, open, string, strings } from './mend-with.ts';

const fields = closed({ from: string, to: string, list: strings, map: open({}) });
const raw = String.raw;

/** A string that needed the repair: none of its backslashes was escaped. */
const unescaped = [raw`C:\Users\me`, raw`\d+`, raw`\section{A}`, raw`\alpha`];

/** Each may be text or escapes, and in double quotes on its own it is valid JSON. */
const twofold = [
  [raw`C:\temp\notes.txt`, raw`\t`],
  [raw`C:\new`, raw`\n`],
  [raw`C:\build`, raw`\b`],
  [raw`src\new`, raw`\n`],
  [raw`..\bin\run`, raw`\b`],
  [raw`\\server\temp`, raw`\t`],
  [raw`copy \\server\temp x`, raw`\t`],
  [raw`a \\\textbf{b}`, raw`\t`],
  [raw`\\server\\.*\n\rho`, raw`\r`],
  [raw`C:\\temp\tb`, raw`\t`],
  [raw`docs\notes.txt\n\n\"[^\"\\]*\"`, raw`\n`],
  [raw`cd src\test`, raw`\t`],
  [raw`type docs\notes.txt`, raw`\n`],
  [raw`cd docs\new\nls\n`, raw`\n`],
  [raw`cd C:\temp\nls\n`, raw`\t`],
  [raw`\bfoo\b`, raw`\b`],
  [raw`[^\n]+`, raw`\n`],
  [raw`(\r?\n)+`, raw`\r`],
  [raw`\u00e9|\u00e8`, raw`\u`],
  [raw`[\u4e00-\u9fff]+`, raw`\u`],
  [raw`a\/b`, raw`\/`],
  [raw`\textbf{b}`, raw`\t`],
  [raw`<div></div>\n\textbf{b}`, raw`\n`],
  [raw`Note:\n\textbf{b}`, raw`\n`],
  [raw`\frac{1}{2}`, raw`\f`],
  [raw`\nabla`, raw`\n`],
  [raw`\rho`, raw`\r`],
  [raw`printf '%s\n' x`, raw`\n`],
  [raw`print(\"a\n\")`, raw`\n`],
  [raw`console.log(\"Hello\nWorld\")`, raw`\n`],
  [raw`src\nginx`, raw`\n`],
  [raw`a\nleq b`, raw`\n`],
  [raw`C:\nlog`, raw`\n`],
  [raw`a\tb`, raw`\t`],
  [raw`docker run \\n  -p 80:80`, raw`\\n`],
  [raw`echo a \\nls`, raw`\\n`],
  // One line break, which may be part of a name, a command, a pattern or a formula.
  ...[
    raw`rmdir /s /q \node_modules`,
    raw`del /q lib\nUnit.dll`,
    raw`rmdir /s /q out\n1`,
    raw`packages\nUnit`,
    raw`xargs -d \n rm < list.txt`,
    raw`tr , \n < a`,
    raw`printf %s\n a`,
    raw`echo a\nb`,
    raw`printf a\nb\n`,
    raw`/foo\nbar/`,
    raw`/one\n\ntwo/`,
    raw`models\n-gram`,
    raw`old data\n2024`,
    raw`$(OutDir)\net8.0`,
    raw`x \neq y`,
    raw`a \not b`,
    raw`a \neq b \neq c`,
    raw`f = g,\nu = 3`,
    raw`Text.\newpage`,
    raw`(0,0);\node at`,
    raw`First line.\nsecond, with more.`,
    raw`line1\nline2`,
    raw`hello\nworld`,
    raw`buy milk\ncall mom\n`,
    raw`import os\nimport re\n`,
    raw`x = 1\nprint(x)\n`,
    raw`don't stop\nDo it`,
    raw`a\nb\nc`,
  ].map((text) => [text, raw`\n`] as const),
  [raw`tr -d \r\n < a`, raw`\r`],
  [raw`one\r\nTwo`, raw`\r`],
] as const;

describe('an escape beside a string whose backslashes are not escaped has two readings', () => {
  it.each(twofold)('%s', (text, sequence) => {
    for (const other of unescaped)
      for (const args of [
        `{"from": "${text}", "to": "${other}"}`,
        `{"to": "${other}", "from": "${text}"}`,
        `{"list": ["${text}", "${other}"]}`,
        `{"to": "${other}", "list": ["a", "${text}"]}`,
        `{"to": "${other}", "map": {"${text}": 1}}`,
        `{"map": {"${other}": 1}, "to": "${text}"}`,
      ]) {
        const { status, problems } = mendWith(fields, args);
        expect([args, status, problems.length]).toEqual([args, 'invalid', 1]);
        expect(problems[0]?.message).toContain(`has ${sequence} beside ${/\\./.exec(other)?.[0]} in another string`);
      }
  });

  it.each([
    raw`{'from': 'C:\temp\notes.txt', 'to': 'D:\Archive'}`,
    raw`{from: 'C:\new', to: 'D:\Archive'}`,
    raw`{“from”: “C:\build”, “to”: “C:\Users”}`,
    '```json\n' + raw`{"from": "C:\build", "to": "C:\Users"}` + '\n```',
  ])('%s', (args) => {
    expect(mendWith(fields, args)).toMatchObject({ status: 'invalid', problems: [{ path: ['from'] }] });
  });
});

/** Escapes with one reading: line breaks in prose and code, letters, quotes, and backslashes that are all escaped. */
const sure = [
  raw`First line\nSecond line\n`,
  raw`- one\n- two\n`,
  raw`import os\nimport re\n\nprint(1)\n`,
  raw`Dear Ada,\n\nthe list:\n- one\n- two\n\nBest`,
  raw`def f(x):\n    return x\n`,
  raw`if (a) {\n\treturn b;\n}\n`,
  raw`func f() {\n\ta := 1\n\treturn a\n}\n`,
  raw`# Title\n\ntext here\n`,
  raw`caf\u00e9`,
  raw`\u4f60\u597d\uff0c\u4e16\u754c`,
  raw`say \"hi\"`,
  raw`\\server\\share`,
  raw`C:\\temp\\new`,
  raw`const re = /^\\d{3}$/;\nif (x) { log(\"ok\\n\"); }`,
  raw`..\\bin\\x.exe\n[A-Z]+\\s*=x`,
];

describe('guard: escapes with one reading stay escapes', () => {
  it.each(sure)('%s', (text) => {
    const from = JSON.parse(`"${text}"`);
    for (const to of unescaped)
      for (const args of [`{"from": "${text}", "to": "${to}"}`, `{"to": "${to}", "from": "${text}"}`])
        expect(mendWith(fields, args)).toMatchObject({ problems: [], input: { from, to } });
  });
});

const isBroken = (text: string): boolean => /(?<!\\)\\n/.test(text);
const besideUnescaped = (text: string) =>
  mendWith(fields, raw`{"from": "${text}", "to": "\d+"}`, { effect: 'destructive' });

it.each(sure.filter(isBroken))('line breaks beside such a string are inferred: %s', (text) => {
  expect(besideUnescaped(text).status).toBe('invalid');
});

it.each(sure.filter((text) => !isBroken(text)))('guard: other escapes beside such a string are sure: %s', (text) => {
  expect(besideUnescaped(text).status).toBe('mended');
});

describe('guard: without such a string, every escape is one', () => {
  it.each(twofold)('%s', (text) => {
    const from = JSON.parse(`"${text}"`);
    expect(mendWith(fields, `{"from": "${text}", "to": "a",}`)).toMatchObject({ status: 'mended', input: { from } });
    expect(mendWith(fields, raw`{"from": "${text}", "to": "a\_b"}`)).toMatchObject({ status: 'mended' });
  });
});

it('guard: reads the same in chunks', () => {
  for (const text of [...twofold.map(([one]) => one), ...sure]) {
    const args = raw`{"from": "${text}", "to": "C:\Users"}`;
    const reader = new JsonReader();
    for (const char of args) reader.push(char);
    const { problems } = mendWith(fields, args);
    expect([text, reader.end().problems]).toEqual([text, problems]);
  }
});

it('guard: names a few of many', () => {
  const many = raw`{"to": "C:\Users", "list": [${Array(5000).fill(raw`"C:\new"`).join(', ')}]}`;
  expect(mendWith(fields, many).problems.length).toBeLessThan(10);
});
