/** Reading: what stands beside the object may be dropped only where it is prose; what may be a parameter is refused. */
import { describe, expect, it } from 'vitest';
import { boolean, closed, integer, mendWith, string, told, type With } from './mend-with.ts';

const raw = String.raw;
const schema = closed({ file: string, replicas: integer, fast: boolean });
const given = { file: 'log.txt', replicas: 0 };
const object = '{"file": "log.txt", "replicas": 0}';
const escaped = JSON.stringify(object).slice(1, -1);
const destructive: With = { effect: 'destructive' };

const refused: Readonly<Record<string, readonly string[]>> = {
  'markup of calls': [
    `${object}\n<parameter=dry_run>\ntrue\n</parameter>\n</function>`,
    `${object}\n<parameter name="dry_run">true</parameter>`,
    `${object}</parameter>\n<parameter name="dry_run">yes`,
    `${object}\n<param name="append" value="1"/>`,
    `${object}\n<append>yes</append>`,
    `${object}\n<append/>`,
    `${object}\n<arg_key>append</arg_key>\n<arg_value>1</arg_value>`,
    `${object}<input>5</input>`,
    `${object}</arguments>\n<arguments>no</arguments>`,
    `${object}\n<｜DSML｜parameter name="append">1</｜DSML｜parameter>`,
    `<parameter name="append">true</parameter>\n${object}`,
    `<function=act>\n<parameter=append>1</parameter>\n${object}`,
  ],
  'a key with an equals sign': [
    `${object} dry_run=true`,
    `${object}; dry_run=true`,
    `${object}\ndry_run = 1`,
    `${object}\nappend := yes`,
    `${object}\nappend => yes`,
    `${object}?append=1`,
    `${object}<|eot_id|>append=1`,
    `APPEND=1\n${object}`,
    `time=12:00 level=info\n${object}`,
    `\`\`\`json append=1\n${object}\n\`\`\``,
    `${object}\nappend=1\n${object}`,
    `"${escaped}\\nappend=1"`,
    `{"arguments": ${object}} append=1`,
    `{"arguments": "${escaped} append=1"}`,
  ],
  'a key with a colon': [
    `${object}\nappend:yes`,
    `${object}\nDry run: yes`,
    `${object}\nMode: append to the end`,
    `${object}\nSend at: 9:00 tomorrow`,
    `${object}\n模式：追加`,
    `${object} and with timeout: 30`,
    `${object} with skip_checks: all`,
    `${object}\nUser: thanks a lot`,
    `${object}\nObservation: it was written`,
    `From: anna@example.com\nSubject: the log\n\n${object}`,
    `${object}\n<!-- append: 1 -->`,
  ],
  'flags, values, units and rows of tables': [
    ...[
      ' --dry-run',
      ' -f',
      '\n-WhatIf',
      ' /f',
      ' -n prod',
      ' x 3',
      ' EUR',
      ' °C',
      ' 30s',
      '\n5',
      ' true',
      ' null',
    ].map((more) => object + more),
    `--no-clobber\n${object}`,
    `${object}\n| append | yes |`,
    `${object}\n"prod"`,
  ],
  'words that change what happens': [
    ...[
      ' (dry run)',
      ' // dry-run, please',
      ' append',
      '\nset append',
      '\n```\nappend\n```',
      ' with append on: true',
    ].map((more) => object + more),
    `${object}\nwith "append" as well`,
    `Dry run:\n${object}`,
  ],
  'signs of a shell or of code': [' | tee x', ' > x', ' && ls', ' + more', '.get(it)'].map((more) => object + more),
  'words that take it back or make a condition of it': [
    ...[
      ' if it is there',
      ' unless it is locked',
      ' — wait, no.',
      '\nDo not run this.',
      ' // not yet',
      ' but later',
    ].map((more) => object + more),
  ],
  'words that go on, and lines that are no sentences': [
    ' only on weekdays',
    ' and then restart',
    ' then stop',
    '\nOnly on weekdays.',
    '\nIf approved by Anna.',
    '\nProduction only',
    '\nMessage: The build is done now.',
    '\n<message>The build is done now.</message>',
    '\nShall I run it?',
  ].map((more) => object + more),
};

/** Refused before, too: for another reason, or because the words are a key of the schema. */
const refusedBefore: readonly string[] = [
  `${object}\n<parameter name="fast">true</parameter>`,
  `${object}\nappend: true`,
  `${object} fast=true`,
  `${object} {"append": true}`,
  `${object}, append=1`,
  `[${object}, "append"]`,
  `APPEND=1 ${object}`,
];

describe.each(Object.entries(refused))('Reading: %s next to the object', (_, texts) => {
  it.each(texts)('refuses %j', (text) =>
    expect(mendWith(schema, text)).toMatchObject({ status: 'invalid', errorType: 'validation' }),
  );
});

describe('guard: Reading: declared keys and data next to the object', () => {
  it.each(refusedBefore)('refuses %j', (text) => expect(mendWith(schema, text).status).toBe('invalid'));
});

describe('Reading: a comment with a parameter on a separate line never reaches a destructive tool', () => {
  it.each(['# dry_run=true', '// dry_run: yes', '# --dry-run', '# dry run', '# if approved'])('%s', (line) =>
    expect(mendWith(schema, `${line}\n${object}`, destructive).status).toBe('invalid'),
  );
  it.each(['# clean up the old log', '// the log of today'])('guard: %s is removed', (line) =>
    expect(mendWith(schema, `${line}\n${object}`, destructive)).toMatchObject({ input: given, problems: [] }),
  );
});

it('Reading: the reason names the text next to the object', () => {
  const [problem, ...more] = mendWith(schema, `${object} --dry-run`).problems;
  expect(more).toEqual([]);
  expect(problem?.message).toBe(
    'Root object has "--dry-run" beside it, which may be a field; put every field inside the object, and send only that',
  );
});

describe('guard: Reading: prose next to the object', () => {
  it.each([
    ' — done.',
    ' ✅',
    '!',
    ' (ok)',
    '.',
    ' :-)',
    ' -> ok',
    '</parameter>\n</invoke>',
    '<end_of_turn>',
    '<br>',
    '\nNote: this overwrites the old one.',
    '\n\n**Note:** this overwrites the old one.',
    '\nHinweis: Sie wird überschrieben.',
    '\n注意：这会覆盖。',
    '\nPS: I left the rest out.',
    '\nSource: https://example.com/doc?id=5&x=1',
    '\n-- \nAnna Schmidt\nOps Team',
    '\n\nBest regards,\nAnna <anna@example.com>',
    '\nIf you need more, tell me.',
    '\n\n- I kept the name.\n- I touched nothing else.',
    '\n\n=== END ===',
    '\nTook 30 ms.',
  ])('removes %j after it', (more) =>
    expect(told(mendWith(schema, object + more))).toMatchObject({ status: 'mended', input: given }),
  );
  it.each([
    'Voici les arguments :\n',
    '好的，我来写入：\n',
    'Вот аргументы:\n',
    'Alles klar – ich fange an.\n\n',
    '2026-11-16T12:00:00Z calling act with:\n',
    'Retrying (attempt 2 of 3):\n',
    '<start_of_turn>model\n',
    '<tool_call>act\n',
    '<|channel|>commentary to=functions.act <|constrain|>json<|message|>',
    'functions.act:0<|tool_call_argument_begin|>',
    '<p>Here you go:</p>\n',
  ])('removes %j before it', (lead) =>
    expect(told(mendWith(schema, lead + object))).toMatchObject({ status: 'mended', input: given }),
  );
});

describe('guard: Reading: short prose, and tokens with fullwidth bars', () => {
  it.each([`${object}...`, `${object}\nNote: done`, `ファイルを書き込みます：\n${object}`])('removes %j', (text) =>
    expect(told(mendWith(schema, text))).toMatchObject({ status: 'mended', input: given }),
  );
  it('removes special tokens with fullwidth bars as it does others', () =>
    expect(mendWith(schema, `${object}<｜tool▁call▁end｜>`, destructive)).toMatchObject({
      input: given,
      problems: [],
    }));
});

describe('guard: Reading: the end of a fence around an object that is not closed', () => {
  const open = object.slice(0, -1);
  it.each([`\`\`\`json\n${open}\n\`\`\``, `Sure! Here they are:\n\`\`\`json\n${open}\n\`\`\``])('removes %j', (text) =>
    expect(told(mendWith(schema, text))).toMatchObject({ status: 'mended', input: given }),
  );
  it.each(['dry_run', '--dry-run', 'dryRun: true'])('refuses %s after it', (more) =>
    expect(mendWith(schema, `\`\`\`json\n${open}\n\`\`\`\n${more}`).status).toBe('invalid'),
  );
});

/** A backslash that JSON does not know stays; where another language reads a control character, it is inferred. */
describe('guard: Reading: a single invalid escape with one reading is lossless', () => {
  it.each([
    raw`C:\anna`,
    raw`C:\Users\anna\Documents\plan.docx`,
    raw`D:\2026`,
    raw`D:\7zip`,
    raw`C:\app\v2`,
    raw`C:\xampp\htdocs`,
    raw`C:\exports`,
    raw`D:\Öffentlich`,
    raw`D:\文档`,
    raw`(a)\1`,
    raw`$\alpha \in \xi$`,
    raw`$\vec{x}$`,
  ])('%s', (file) =>
    expect(mendWith(schema, `{"file": "${file}"}`, destructive)).toMatchObject({ input: { file }, problems: [] }),
  );
  it.each([raw`\d+`, raw`C:\Users`])('%s before a letter', (file) =>
    expect(mendWith(schema, `{"file": "${file}"}`, destructive)).toMatchObject({ input: { file }, problems: [] }),
  );
});

describe('guard: Reading: an escape of another language, or a habit, is inferred', () => {
  it.each([
    raw`done\a`,
    raw`\aDone`,
    raw`a\vb`,
    raw`\e[0m`,
    raw`a\0b`,
    raw`\033[31m`,
    raw`caf\303\251`,
    raw`D:\100`,
    raw`My\ File`,
    raw`a\,b`,
    raw`\x{41}`,
  ])('%s', (file) => {
    expect(mendWith(schema, `{"file": "${file}"}`)).toMatchObject({ status: 'mended', input: { file } });
    expect(mendWith(schema, `{"file": "${file}"}`, destructive).status).toBe('invalid');
  });
});

describe('guard: one word that ends a sentence is prose', () => {
  it.each([' — fertig.', ' — terminé.', ' — готово.', ' 完成。', ' (fertig)', '\nFertig!', '\nCheers!'])(
    '%j',
    (tail) => {
      expect(mendWith(closed({ city: string }, ['city']), `{"city": "Bonn"}${tail}`)).toMatchObject({
        status: 'mended',
      });
    },
  );

  it.each(['Sure!\n', 'Gerne!\n'])('%j', (lead) => {
    expect(mendWith(closed({ city: string }, ['city']), `${lead}{"city": "Bonn"}`)).toMatchObject({ status: 'mended' });
  });
});
