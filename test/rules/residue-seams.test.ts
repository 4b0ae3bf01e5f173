/** Residue: the end of one parameter and the begin of the next, as each dialect of the table writes them, in a value. */
import { describe, expect, it } from 'vitest';
import { dialects } from '../../src/dialect/dialects/index.ts';
import { mend } from '../../src/mend/mend.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import { closed, string } from './mend-with.ts';

const toolbox = new Toolbox([
  tool({ name: 'write_config', description: 'W', inputSchema: closed({ path: string, content: string }) }),
]);
const sent = (content: string, repeated = false) =>
  mend({ name: 'write_config', arguments: { path: 'a', content }, repeated }, toolbox);

const filled = (template: string, key: string): string =>
  template
    .replaceAll('{key}', key)
    .replaceAll('{string}', ' string="true"')
    .replaceAll('{stringRead}', '')
    .replaceAll('{typed}', ' type="string"')
    .replaceAll('{sfx}', ':x1')
    .replaceAll('~', '');

/** What stands between two values, by dialect. */
const seams = dialects.flatMap(({ name, quote, forms }): [name: string, seam: string][] => [
  ...(quote === undefined ? [] : [[name, `${quote},path:${quote}`] as [string, string]]),
  ...forms.flatMap(({ param }): [string, string][] => {
    const [open, close] = param?.split('{value}') ?? [];
    return open === undefined || close === undefined
      ? []
      : [[name, `${filled(close, 'content')}\n${filled(open, 'path')}`]];
  }),
]);

const before = new Set(['qwen3-coder', 'nemotron-v3', 'step3p5', 'seed-oss', 'glm45', 'poolside-v1', 'ling3']);
const plain = new Set(['minimax-m2', 'anthropic-xml', 'anthropic-xml-legacy', 'dots', 'cline-xml']);

const refusedOnce = (content: string): void => {
  expect(sent(content)).toMatchObject({ status: 'invalid', problems: [{ path: ['content'], code: 'residue' }] });
  expect(sent(content, true)).toMatchObject({ status: 'ok', input: { content } });
};

const isOld = ([name]: [string, string]): boolean => before.has(name) || plain.has(name);

describe('Residue: the seam between two parameters', () => {
  it.each(seams.filter((row) => !isOld(row)))('%s: %j', (_, seam) => refusedOnce(`hello${seam}b`));
  it.each([
    'hello</arg_value>\n<arg_key>path',
    'hello</param><param name="path">b',
    'hello</｜DSML｜parameter>\n</｜DSML｜invoke>',
    'hello</steptml:parameter></steptml:invoke>',
    'hello</minimax:tool_call>',
    'hello</content></write_config>',
    'hello\n</content>\n</write_config>\n',
    'hello</parameter',
    'Hello there.\n</arg_value',
    '<tool_call>\n<function=write_config>\n<parameter=content>\nhello',
    '<parameter name="content">hello',
  ])('%j', refusedOnce);
});

describe('guard: Residue: the seam between two parameters', () => {
  it('is checked in every dialect', () => expect(seams.length).toBeGreaterThan(15));
  it.each(seams.filter(isOld))('%s: %j', (_, seam) => refusedOnce(`hello${seam}b`));
  it.each([
    ...seams.map(([, seam]) => seam.replaceAll('path', 'other')).map((seam) => `hello${seam}b`),
    '<object><param name="a">1</param><param name="path">b</param></object>',
    '/// <param name="a">The first.</param>\n/// <param name="path">The second.</param>',
    'Gemma writes call:f{content:<|"|>hello<|"|>,path:<|"|>b<|"|>}',
    'call:f{content:<escape>hello<escape>,path:<escape>b<escape>}',
    '<write_config><content>hello</content></write_config>',
    'press <escape>, then <path>',
    '<body><content>x</content></body>',
    'see </content>',
    'a</b></write_config>',
    '</content></write_config> closes it',
    '</parameter',
    'a|</parameter',
    'how to close </parameter',
    '<parameter>a</parameter',
    'grep -n "</parameter',
    'a</p',
    'a</parameter_count',
    '<parameter=content>a</parameter>',
    '<parameter=other>a',
    'use <parameter=content>',
    '<tool_call>\n<function=f>\n<parameter=content>\na\n</parameter>\n</function>\n</tool_call>',
  ])('%j passes', (content) => expect(sent(content)).toMatchObject({ status: 'ok', input: { content } }));
});
