/** Values that hold markup of the call itself, or a placeholder instead of a value. */
import { describe, expect, it } from 'vitest';
import { mend } from '../../src/call/mend.ts';
import { tool } from '../../src/tool/tool.ts';
import { Toolbox } from '../../src/tool/toolbox.ts';
import { closed, integer, mendWith, string } from './mend-with.ts';

const write = closed({ path: string, content: string, i: integer });
const sent = (content: string) => mendWith(write, { path: 'a.md', content });

describe('Residue: markup of the call in a value', () => {
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
  ])('Residue: %j is refused, and taken when it is sent again', (content) => {
    const outcome = sent(content);
    expect(outcome).toMatchObject({ status: 'invalid', problems: [{ path: ['content'], received: content }] });
    expect(outcome.problems[0]?.message).toContain('markup of the call');
    const toolbox = new Toolbox([tool({ name: 'act', description: 'A', input: write })]);
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
  ])('Residue: %j is a placeholder, refused', (content) =>
    expect(sent(content).problems[0]?.message).toContain('placeholder'),
  );
});

describe('Residue: other markup in a value is noted', () => {
  it.each([
    ['Write </parameter> at the end, then </invoke>.', '</parameter>'],
    ['The closing tag is `</tool_call>`', '</tool_call>'],
    ['</function>', '</function>'],
  ])('Residue: %j passes with a note', (content, tag) => {
    const outcome = sent(content);
    expect(outcome).toMatchObject({ status: 'ok', input: { content }, repairs: [] });
    expect('note' in outcome && outcome.note).toContain(`'content' holds ${tag}`);
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
describe('guard: Residue: values that only speak of markup pass unchanged', () => {
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
  it('guard: Residue: 10,000 valid calls with every marker in the midst of text', () => {
    const words = ['the', 'file', 'a\nb', '{"x": 1}', 'für', '`code`', '"quoted"'];
    for (let n = 0; n < 10_000; n++) {
      const [a, b] = [markers[n % markers.length], markers[(n * 7 + 3) % markers.length]];
      const content = `${words[n % 7]} ${a} ${words[(n * 3) % 7]}${b}${words[(n * 5) % 7]} ${n}`;
      expect(mendWith(write, { path: 'a', content })).toMatchObject({ status: 'ok', input: { content } });
    }
  });
});
