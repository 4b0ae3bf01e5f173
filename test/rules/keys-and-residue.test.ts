/** Keys that are not dropped, names that are not put together, markup and placeholders that are not values. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { mend } from '../../src/mend/mend.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import { boolean, closed, mendWith, open, string, strings } from './mend-with.ts';

const raw = String.raw;
const file = closed({ path: string, content: string, overwrite: boolean, tags: strings });
const request = closed({ url: string, headers: { type: 'object', additionalProperties: string }, body: string });
const invalid = { status: 'invalid', errorType: 'validation' };

describe('Reading: escapes that Python has and JSON has not', () => {
  it.each([
    raw`{'path': 'a', 'content': '\101'}`,
    raw`{'path': 'a', 'content': '\0'}`,
    raw`{'path': 'a', 'content': '\v'}`,
    raw`{'path': 'a', 'content': '\a'}`,
    raw`{'path': 'a', 'content': '\N{BULLET}'}`,
    raw`{'path': 'a', 'content': '\033[31m'}`,
    raw`{'path': 'a', 'content': '\U0001F600'}`,
    raw`{'path': 'a', 'content': "it's \101"}`,
    raw`{"path": "a", "content": "\U0001F600"}`,
  ])('%j is refused', (text) => expect(mendWith(file, text)).toMatchObject(invalid));
  it.each([
    raw`act(path="a", content="\101")`,
    raw`act(path="a", content="\a")`,
    raw`act(path="a", content="\0")`,
    raw`act(path="a", content="\U0001F600")`,
    raw`act(path="a", content="\N{BULLET}")`,
  ])('guard: %j is refused', (text) => expect(mendWith(file, text)).toMatchObject(invalid));
});

describe('guard: Reading: escapes with one reading', () => {
  it.each([
    [raw`{"path": "a\vb"}`, raw`a\vb`],
    [raw`{"path": "\alpha"}`, raw`\alpha`],
    [raw`{"path": "s/(a)/\1/"}`, raw`s/(a)/\1/`],
    [raw`{"path": "C:\Users"}`, raw`C:\Users`],
    [raw`{'path': '\x41'}`, 'A'],
    [raw`{'path': '\d+'}`, raw`\d+`],
    [raw`{'path': 'C:\\101'}`, raw`C:\101`],
  ])('%j', (text, path) => expect(mendWith(file, text)).toMatchObject({ status: 'mended', input: { path } }));
});

describe('Residue: markup after a quote', () => {
  it.each([
    'say "hi"</parameter>\n</invoke>',
    "print('x')</parameter>\n</invoke>",
    "const s = 'a'</arg_value></tool_call>",
    'use `npm`</parameter></invoke>',
    'echo "done"</tool_call>',
    '"quoted"</parameter>',
  ])('%j is refused, and accepted if it is sent again', (content) => {
    const toolbox = new Toolbox([tool({ name: 'act', description: 'A', inputSchema: file, effect: 'destructive' })]);
    const call = { name: 'act', arguments: { path: 'a', content } };
    expect(mend(call, toolbox)).toMatchObject(invalid);
    expect(mend({ ...call, repeated: true }, toolbox)).toMatchObject({ status: 'ok', input: { content } });
  });
});

describe('Residue: placeholders in brackets, and in capitals', () => {
  it.each([
    '{"path": [your path]}',
    '{"path": [redacted]}',
    '{"path": [path]}',
    '{"path": [file name]}',
    '{"path": [TBD]}',
    '{"path": (your path)}',
    '{"path": (TBD)}',
    '{"path": "<PATH>"}',
    '{"path": "<Path>"}',
  ])('%j is refused', (text) => expect(mendWith(file, text)).toMatchObject(invalid));
});

describe('Coercing: keys after a missing bracket', () => {
  it.each(['Body', 'BODY', 'bdy', 'bodyy'])('%s in a map may be the field of that name', (key) =>
    expect(mendWith(request, `{"url": "u", "headers": {"A": "b", "${key}": "x"}`)).toMatchObject(invalid),
  );
});

describe('Coercing: a key next to the one it repeats', () => {
  const code = closed({ code: string, language: string });
  it.each([
    { code: 'a', cdoe: 'b', language: 'bash' },
    { code: '', codee: 'rm x', language: 'bash' },
    { code: 'a', codes: 'b', language: 'bash' },
    { code: 'a', source_code: 'b', language: 'bash' },
    { code: 'a', language: 'bash', languages: 'python' },
  ])('%j is refused', (input) => expect(mendWith(code, input)).toMatchObject(invalid));
});

describe('Coercing: keys that change where, when or how a tool writes', () => {
  it.each([
    'encoding',
    'insert_at',
    'start_line',
    'endLine',
    'send_at',
    'schedule',
    'scheduled_time',
    'offset',
    'at',
    'line',
    'line_number',
    'position',
    'after',
    'insertBefore',
    'delay',
    'base64',
    'charset',
    'range',
    'cwd',
  ])('%s is not dropped', (key) => {
    const call = { path: 'a', content: 'b', overwrite: true, [key]: 'x' };
    expect(mendWith(file, call)).toMatchObject(invalid);
    expect(mendWith(file, call, { effect: 'read' })).toMatchObject({ status: 'mended' });
  });
});

describe('Coercing: a key that turns off what a tool that writes may do', () => {
  it.each([
    ['apply', false],
    ['execute', 'false'],
    ['commit', 'no'],
    ['notifySubscribers', false],
    ['publish', 'off'],
    ['verify', true],
  ])('%s: %s is not dropped', (key, value) => {
    const call = { path: 'a', content: 'b', overwrite: true, [String(key)]: value };
    expect(mendWith(file, call)).toMatchObject(invalid);
    expect(mendWith(file, call, { effect: 'read' })).toMatchObject({ status: 'mended' });
  });
  it.each([
    ['verbose', false],
    ['debugLog', 'off'],
    ['apply', true],
    ['note', 'no'.repeat(2)],
    ['commit', 'x'],
  ])('guard: %s: %s is dropped', (key, value) => {
    const call = { path: 'a', content: 'b', overwrite: true, [key]: value };
    expect(mendWith(file, call)).toMatchObject({ status: 'mended', input: { path: 'a', content: 'b' } });
  });
});

describe('Residue: a key and value that stand for others', () => {
  it.each(['...', '…'])('%s', (dots) => {
    const any = open({ path: string });
    expect(mendWith(any, { path: 'a', [dots]: dots })).toMatchObject(invalid);
    expect(mendWith(any, { path: 'a', o: { [dots]: '' } })).toMatchObject(invalid);
    expect(mendWith(any, { path: dots, more: dots, [`.${dots}`]: 'x', o: { [dots]: 'x' } })).toMatchObject({
      status: 'ok',
    });
  });
});

describe('Coercing: a key that may be the opposite of a property', () => {
  const access = { id: string, is_active: boolean, is_legal: boolean, can_edit: boolean, from_id: string };
  const flags = { id: z.string(), is_active: z.boolean(), is_legal: z.boolean(), can_edit: z.boolean() };
  const opposites = { inactive: true, in_active: true, inActive: true, illegal: true, cant_edit: true, cantEdit: true };
  const keys = Object.entries({ ...opposites, form_id: 'x' });

  it.each(keys)('guard: %s is not renamed, nor dropped', (key, value) => {
    const { status, problems } = mendWith(closed(access), { id: 'u1', [key]: value });
    expect([status, problems.map(({ code }) => code)]).toEqual(['invalid', ['unknown']]);
  });

  it.each(Object.keys(opposites))('guard: %s is not dropped, although Zod strips it', (key) => {
    expect(mendWith(z.object(flags).partial(), { id: 'u1', [key]: true })).toMatchObject({ status: 'invalid' });
  });

  it.each(keys)('guard: %s is kept where any key is allowed', (key, value) => {
    const args = { id: 'u1', [key]: value };
    expect(mendWith(open(access), args)).toMatchObject({ status: 'ok', input: args });
  });

  it.each(['is_actve', 'isActvie', 'IS-ACTIVVE', 'isActive', 'is_acitve'])('guard: %s is is_active', (key) => {
    expect(mendWith(closed(access), { id: 'u1', [key]: true })).toMatchObject({ input: { id: 'u1', is_active: true } });
  });
});

describe('Names: a special token inside', () => {
  const toolbox = new Toolbox(['delete_user', 'delete', 'read_file'].map((name) => tool({ name, description: 'A' })));
  it.each(['delete_<|x|>user', 'delete<|x|>_user', 'delete<|x|>user', 'delete_<|im_end|>user', 'read</s>_file'])(
    '%s is not a tool',
    (name) => expect(mend({ name, arguments: {} }, toolbox)).toMatchObject({ errorType: 'unknown_tool' }),
  );
});

describe('guard: keys, names and values that stay unchanged', () => {
  const kept: readonly (readonly [input: unknown, args: unknown, want: unknown])[] = [
    [file, '{"path": "a", "tags": [TBD]}', { path: 'a', tags: ['TBD'] }],
    [file, '{"path": ["a.txt"]}', { path: 'a.txt' }],
    [file, "{'path': ('a.txt')}", { path: 'a.txt' }],
    [request, '{"url": "u", "headers": {"A": "b", "Accept": "x"}', { url: 'u', headers: { A: 'b', Accept: 'x' } }],
    [file, { path: 'a', content: 'b', reason: 'why' }, { path: 'a', content: 'b' }],
    [file, { path: 'a', content: 'b', explanation: 'why', created_at: 'now' }, { path: 'a', content: 'b' }],
    [file, { path: 'a', content: 'b', encoding: 'UTF-8' }, { path: 'a', content: 'b' }],
    [file, { path: 'a', content: 'b', contents: 'b' }, { path: 'a', content: 'b' }],
  ];
  it.each(kept)('%#: %j', (input, args, want) =>
    expect(mendWith(input, args)).toMatchObject({ status: 'mended', input: want }),
  );
  it('accepts what the validator keeps or strips', () => {
    expect(mendWith(open({ path: string }), { path: 'a', line: 5 })).toMatchObject({ status: 'ok' });
    expect(mendWith(z.object({ code: z.string() }), { code: 'a', codes: 'b' })).toMatchObject({ input: { code: 'a' } });
  });
  it.each(['text `</tool_call>`', 'the tag "</parameter>"', '<invoke name="x">"a"</invoke>'])('%j is text', (content) =>
    expect(mendWith(file, { path: 'a', content })).toMatchObject({ status: 'ok' }),
  );
  it.each(['<|tool|>read_file', 'read_file<|im_end|>', 'read_file<|channel|>commentary', '<|a|><|b|>read_file</s>'])(
    '%s is read_file',
    (name) => {
      const toolbox = new Toolbox([tool({ name: 'read_file', description: 'A' })]);
      expect(mend({ name, arguments: {} }, toolbox)).toMatchObject({ name: 'read_file' });
    },
  );
});

describe('Coercing: a key that belongs to the object around it', () => {
  const opts = closed({ all: boolean });
  const outer = closed({ path: string, lang: string, opts });
  it('is refused if that object lacks it', () => {
    const outcome = mendWith(outer, { path: 'a', opts: { all: true, lang: 'de' } });
    expect(outcome.problems).toMatchObject([{ path: ['opts', 'lang'], code: 'unknown' }]);
  });
  it('guard: is dropped if that object has it, and so are other keys', () => {
    const outcome = mendWith(outer, { path: 'a', lang: 'fr', opts: { all: true, zebra: 'de' } });
    expect(outcome).toMatchObject({ status: 'mended', input: { path: 'a', lang: 'fr', opts: { all: true } } });
  });
});

describe('Residue: a key in the markup of a declared one, in an object that allows other keys', () => {
  const keys = ['parameter=dry_run', '<parameter=dry_run>', 'parameter name="dry_run"', 'dry_run</arg_key>'];
  const schema = open({ path: string, dry_run: boolean, options: open({ force: boolean }) }, ['path']);
  const forKey = (key: string) => JSON.stringify({ path: '/srv', [key]: true });

  it.each([...keys, '<parameter=dryRun>'])('%s in damaged text is the declared key', (key) => {
    const text = `${forKey(key).slice(0, -1)},}`;
    const input = { path: '/srv', dry_run: true };
    expect(mendWith(schema, text)).toMatchObject({ status: 'mended', input });
    expect(mendWith(schema, text).repairs).toContainEqual(
      expect.objectContaining({ kind: 'key', certainty: 'inferred' }),
    );
    expect(mendWith(schema, text, { effect: 'destructive' })).toMatchObject(invalid);
  });
  it.each(keys)('%s in valid text is refused, and accepted if it is sent again', (key) => {
    for (const effect of ['write', 'destructive'] as const) {
      const toolbox = new Toolbox([tool({ name: 'act', description: 'A', inputSchema: schema, effect })]);
      for (const args of [forKey(key), JSON.parse(forKey(key))]) {
        const call = { name: 'act', arguments: args };
        expect(mend(call, toolbox)).toMatchObject({ ...invalid, problems: [{ path: [key], code: 'residue' }] });
        expect(mend({ ...call, repeated: true }, toolbox)).toMatchObject({ status: 'ok', input: { [key]: true } });
      }
    }
  });
  it('in an object inside', () => {
    const text = '{"path": "/srv", "options": {"<parameter=force>": true,}}';
    expect(mendWith(schema, text)).toMatchObject({ status: 'mended', input: { options: { force: true } } });
  });
  it.each(['parameter=other', 'dry_run>', 'other</arg_key>', 'a=b'])('guard: %s is another key', (key) =>
    expect(mendWith(schema, forKey(key))).toMatchObject({ status: 'ok', input: { [key]: true } }),
  );
});

describe('Reading: a key and value that stand for others', () => {
  const schema = open({ path: string, note: string, options: { type: 'object' } });
  it.each([
    '{"path": "a", "...": "..."}',
    '{"path": "a", "...": ""}',
    '{"path": "a", "…": "…"}',
    '{"path": "a", "options": {"...": "..."}}',
    '{"path": "a", "options": [{"b": {"...": "…"}}]}',
  ])('%s is refused, whatever else the values have', (text) => {
    for (const args of [text, text.replace('"a"', '"a<b"'), JSON.parse(text)])
      expect(mendWith(schema, args)).toMatchObject(invalid);
  });
  it.each([
    '{"path": "...", "note": "and so on..."}',
    '{"path": "a", "...": "every other file"}',
    '{"path": "a", "options": {"a...b": "..."}}',
  ])('guard: %s is data', (text) => expect(mendWith(schema, text)).toMatchObject({ status: 'ok' }));
});
