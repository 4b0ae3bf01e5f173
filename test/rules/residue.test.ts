/** Values that hold markup of the call itself, or a placeholder instead of a value. */
import { describe, expect, it } from 'vitest';
import { mend } from '../../src/mend/mend.ts';
import { type MessageBefore, mendRepeated } from '../../src/mend/mend-call.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import { closed, integer, mendWith, string } from './mend-with.ts';

const write = closed({ path: string, content: string, i: integer });
const sent = (content: string) => mendWith(write, { path: 'a.md', content });

describe('C26 Residue: markup of the call in a value', () => {
  it.each([
    'text</content>\n<parameter name="i">5',
    'text</parameter>\n<parameter name="path">b.md',
    'text</parameter><parameter=i>5</parameter>',
    'text</arg_value><arg_key>i</arg_key><arg_value>5',
    'text</content>\n<i>5</i>',
    'text</parameter></invoke>',
    'text\n</parameter>\n</function>\n</tool_call>',
    'text\n</tool_call>',
    '<|"|text',
    '<|"|>text<|"|>',
  ])('Residue: %j is refused, and accepted if it is sent again', (content) => {
    const outcome = sent(content);
    expect(outcome).toMatchObject({ status: 'invalid', problems: [{ path: ['content'], received: content }] });
    expect(outcome.problems[0]?.message).toContain('markup of the call');
    const toolbox = new Toolbox([tool({ name: 'act', description: 'A', inputSchema: write })]);
    const raw = { name: 'act', arguments: { path: 'a.md', content }, repeated: true };
    expect(mend(raw, toolbox)).toMatchObject({ status: 'ok', input: { content } });
  });
  it.each([
    '<your path here>',
    '<YOUR_API_KEY>',
    '<insert text here>',
    '<enter path>',
    '<file path here>',
    '<path/to/file>',
    '</path/to/your/file.ts>',
    '<placeholder>',
  ])('Residue: %j is refused as a placeholder', (content) =>
    expect(sent(content).problems[0]?.message).toContain('placeholder'),
  );
});

const fields = closed({ path: string, user: string, title: string, key: string, pattern: string, content: string });

describe('Residue: placeholders of one or more words', () => {
  it.each([
    ['path', '<filename>'],
    ['path', '<file_name>'],
    ['path', '<path>'],
    ['path', '<path to file>'],
    ['path', '<path to the config file>'],
    ['path', ' <the file to read> '],
    ['path', '<FILE_PATH>'],
    ['key', '<API_KEY>'],
    ['key', '<api-key>'],
    ['key', '<access token>'],
    ['key', '<key>'],
    ['user', '<username>'],
    ['user', '<user id>'],
    ['user', '<a user name>'],
    ['title', '<title>'],
    ['content', '<API_KEY>'],
    ['content', '<content>'],
    ['content', '<your text>'],
    ['path', '<Ihr Pfad hier>'],
    ['path', '<votre chemin ici>'],
    ['path', '<ruta aquí>'],
    ['path', '<ファイルパス>'],
    ['title', '<Titel hier>'],
  ])('Residue: %s: %j is refused as a placeholder', (key, value) => {
    const { problems } = mendWith(fields, { [key]: value });
    expect(problems).toMatchObject([{ path: [key], code: 'residue' }]);
  });
});

describe('guard: Residue: tags, types and addresses in brackets pass', () => {
  it.each([
    ['title', '<div>'],
    ['title', '<a name>'],
    ['title', '<T>'],
    ['title', '<K, V>'],
    ['title', '<T extends string>'],
    ['title', '<Button>'],
    ['title', '<MyDialog>'],
    ['title', '<my-element>'],
    ['title', '<input disabled>'],
    ['title', '<br/>'],
    ['title', '<!-- path -->'],
    ['title', '<?xml version="1.0"?>'],
    ['title', '<EOF>'],
    ['title', '<no value>'],
    ['title', '<none>'],
    ['title', '<anonymous>'],
    ['user', '<a@b.c>'],
    ['user', '<https://example.com/a>'],
    ['user', '<C-x>'],
    ['user', '<@U024BE7LH>'],
    ['path', '<path d="M0 0">'],
    ['pattern', '<filename>'],
    ['pattern', '<user>'],
    ['content', '<title>'],
    ['content', '<path>'],
    ['content', '<string>'],
    ['content', '<filename>a.txt</filename>'],
    ['content', 'Usage: read <filename>'],
    ['content', '<filename>\n<path>'],
  ])('guard: Residue: %s: %j', (key, value) => {
    expect(mendWith(fields, { [key]: value })).toMatchObject({ status: 'ok', input: { [key]: value } });
  });
});

describe('Residue: the same call sent again', () => {
  const toolbox = new Toolbox([tool({ name: 'act', description: 'A', inputSchema: write })]);
  const call = { name: 'act', arguments: { path: 'a.md', content: 'text</content>\n<parameter name="i">5' } };
  const [problem] = mend(call, toolbox).problems;
  const told = (content: string): MessageBefore[] => [
    { role: 'assistant', content: '', calls: [call] },
    { role: 'tool', content },
  ];
  it.each([
    ['as text', problem?.message],
    ['inside JSON', JSON.stringify({ errors: [{ message: problem?.message }] })],
    ['wrapped', problem?.message.replaceAll(' ', '\n')],
  ])('is accepted if it was reported to the model %s', (_, content) => {
    expect(mendRepeated(call, toolbox, undefined, told(content ?? '')).status).toBe('ok');
  });
  it.each(['done', "Field 'i' has a placeholder; send the real value", ''])(
    'guard: is refused again if the response was %j',
    (content) => {
      expect(mendRepeated(call, toolbox, undefined, told(content)).status).toBe('invalid');
    },
  );
  it('guard: is refused if it is another call', () => {
    const other = { name: 'act', arguments: { ...call.arguments, path: 'b.md' } };
    expect(mendRepeated(other, toolbox, undefined, told(problem?.message ?? '')).status).toBe('invalid');
  });
});

describe('Residue: other markup in a value is noted', () => {
  it.each([
    ['Write </parameter> at the end, then </invoke>.', '</parameter>'],
    ['The closing tag is `</tool_call>`', '</tool_call>'],
    ['</function>', '</function>'],
    ['</tool_call>\n<tool_call>\n{"name": "act"}\n</tool_call>', '</tool_call>'],
    ['b</parameter>\n<parameter=c>\nd\n</parameter>', '</parameter>'],
  ])('Residue: %j passes with a note', (content, tag) => {
    const outcome = sent(content);
    expect(outcome).toMatchObject({ status: 'ok', input: { content }, repairs: [] });
    expect('note' in outcome && outcome.note).toContain(`'content' has ${tag}`);
  });
  it.each(['<invoke name="a"></invoke>', '<p>a</p>', 'a < b'])('guard: Residue: %j has none', (content) => {
    expect(sent(content)).not.toHaveProperty('note');
  });
});

const markers = [
  '<tool_call>',
  '</tool_call>',
  '<invoke name="read">',
  '</invoke>',
  '<parameter name="x">',
  '</parameter>',
  '<function=f>',
  '</function>',
  '<|"|>',
  '<|im_end|>',
  '<|channel|>',
  '<｜tool▁call▁end｜>',
  '[TOOL_CALLS]',
  '<arg_key>k</arg_key>',
  '<|python_tag|>',
  '</function_calls>',
  '<think>',
  '</think>',
];
describe('guard: Residue: values that only mention markup pass unchanged', () => {
  it.each([
    '<tool_call>\n<invoke name="act"><parameter name="content">x</parameter>\n<parameter name="path">y</parameter></invoke>\n</tool_call>',
    '<html><body><p>Hi</p></body></html>',
    'const a = <Row><parameter name="i">1</parameter></Row>;',
    'The closing tag is `</tool_call>`',
    'Write </parameter> at the end, then </invoke>.',
    '</tool_call>',
    '<your-component>text</your-component>',
    '<input>',
    '<div class="here">',
    '<title>a</title>\n<path d="M0 0"/>',
    '<content>a</content>\n<path>b</path>',
    'a < b && c > d',
    'Dear <your name>, welcome',
  ])('guard: Residue: %j', (content) => {
    for (const args of [{ path: 'a', content }, JSON.stringify({ path: 'a', content })])
      expect(mendWith(write, args)).toMatchObject({ status: 'ok', input: { path: 'a', content } });
  });
  it('guard: Residue: 10,000 valid calls with every marker inside text', () => {
    const words = ['the', 'file', 'a\nb', '{"x": 1}', 'für', '`code`', '"quoted"'];
    for (let n = 0; n < 10_000; n++) {
      const [a, b] = [markers[n % markers.length], markers[(n * 7 + 3) % markers.length]];
      const content = `${words[n % 7]} ${a} ${words[(n * 3) % 7]}${b}${words[(n * 5) % 7]} ${n}`;
      expect(mendWith(write, { path: 'a', content })).toMatchObject({ status: 'ok', input: { content } });
    }
  });
});
