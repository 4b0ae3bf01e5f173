/** Values side by side, escapes beside pasted text, placeholders, and keys that say another thing: one reading or none. */
import { describe, expect, it } from 'vitest';
import { mend } from '../../src/mend/mend.ts';
import type { JsonSchema } from '../../src/schema/types.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import { boolean, closed, integer, mendWith, string, strings, told } from './mend-with.ts';

const raw = String.raw;
const list = (items: JsonSchema): JsonSchema => ({ type: 'array', items });
const number: JsonSchema = { type: 'number' };
const ids = closed({ ids: list(integer) }, ['ids']);
const levels = closed({ levels: list(number) }, ['levels']);
const flags = closed({ flags: list(boolean) }, ['flags']);
const tags = closed({ tags: strings }, ['tags']);
const cells = closed({ cells: list({ type: ['string', 'number'] }) }, ['cells']);
const file = closed({ path: string, content: string }, ['path']);
const text = closed({ text: string, importance: integer }, ['text']);

const isRefused = (schema: JsonSchema, args: string) => expect(mendWith(schema, args).status).toBe('invalid');
const certainties = (schema: JsonSchema, args: string) => {
  const outcome = mendWith(schema, args);
  return [outcome.status === 'invalid' ? outcome.problems : outcome.input, outcome.repairs.map((r) => r.certainty)];
};

type Row = readonly [schema: JsonSchema, args: string];

describe('numbers and literals side by side without a comma', () => {
  it.each<Row>([
    [ids, '{"ids":[1 234]}'],
    [ids, '{"ids":[10 000]}'],
    [ids, '{"ids":[1\t234]}'],
    [ids, '{"ids":[1\u00a0234]}'],
    [ids, '{"ids":[5, 1 234, 7]}'],
    [levels, '{"levels":[1 234, 2 500]}'],
    [levels, '{"levels":[1 234.5]}'],
    [levels, '{"levels":[1. 5]}'],
    [levels, '{"levels":[1 .5]}'],
    [levels, '{"levels":[1,5; 2,5]}'],
    [levels, '{"levels":[1; 2,5]}'],
    [tags, '{"tags":[true false]}'],
  ])('may be one, so they are refused: %#', isRefused);

  it.each<readonly [JsonSchema, string, unknown]>([
    [ids, '{"ids":[1 2]}', { ids: [1, 2] }],
    [ids, '{"ids":[1 2 3]}', { ids: [1, 2, 3] }],
    [ids, '{"ids":[1\n2\n3]}', { ids: [1, 2, 3] }],
    [ids, '{"ids":[1\n234]}', { ids: [1, 234] }],
    [ids, '{"ids":[1 2345]}', { ids: [1, 2345] }],
    [flags, '{"flags":[true false]}', { flags: [true, false] }],
    [cells, '{"cells":["a" 2]}', { cells: ['a', 2] }],
    [cells, '{"cells":["a"\n2]}', { cells: ['a', 2] }],
  ])('are at best inferred: %#', (schema, args, input) => {
    const [value, found] = certainties(schema, args);
    expect(value).toEqual(input);
    expect(found).toContain('inferred');
    expect(mendWith(schema, args, { effect: 'destructive' }).status).toBe('invalid');
  });

  it.each<readonly [JsonSchema, string, unknown]>([
    [ids, '{"ids":[1; 2; 3]}', { ids: [1, 2, 3] }],
    [ids, '{"ids":[1, 234,]}', { ids: [1, 234] }],
    [closed({ a: integer, b: integer }), '{"a": 1 "b": 234}', { a: 1, b: 234 }],
    [closed({ a: list(closed({ n: integer })) }), '{"a": [{"n": 1} {"n": 234}]}', { a: [{ n: 1 }, { n: 234 }] }],
  ])('guard: what has one reading stays lossless: %#', (schema, args, input) => {
    const [value, found] = certainties(schema, args);
    expect(value).toEqual(input);
    expect(found).not.toContain('inferred');
  });
});

describe('escapes that JSON does not know', () => {
  it.each<string>([
    `{"path":"a.awk","content":"/${raw`\"id\"/ { print $2 }`}\n/${raw`\.log$/ { n++ }`}\n"}`,
    `{"path":"x.pl","content":"${raw`s/\"(\w+)\"/$1/g;`}\n${raw`s/\s+$//;`}\n"}`,
    `{"path":"r.txt","content":"${raw`\"\d+\"`}\n${raw`\"\w+\"`}\n"}`,
    `{"path":"b.tex","content":"${raw`K\"oln \& M\"unchen`}\n\\cite{x}\n"}`,
    `{"path":"a","content":"${raw`grep \"\d\" x`}\tb"}`,
    `{"path":"nginx.conf","content":"server {\n  location ~ \\.php$ { }\n}\n"}`,
    `{"path":"a","content":"say "hi" \\d to"}`,
  ])('beside raw line breaks or quotes may be one rule or another: %#', (args) => isRefused(file, args));

  it.each<readonly [string, unknown]>([
    [raw`{"path":"say \"\d\""}`, { path: raw`say "\d"` }],
    [raw`{"path":"grep -E \"\w+\.ts\" src"}`, { path: raw`grep -E "\w+\.ts" src` }],
  ])('beside escaped quotes on one line are inferred: %s', (args, input) => {
    expect(certainties(file, args)).toEqual([input, ['inferred']]);
  });

  it.each<readonly [string, unknown]>([
    [raw`{"path":"\d+\.log"}`, { path: raw`\d+\.log` }],
    [`{"path":"print(${raw`\"a\"`})\nexit"}`, { path: 'print("a")\nexit' }],
  ])('guard: either alone is lossless: %#', (args, input) => {
    const [value, found] = certainties(file, args);
    expect(value).toEqual(input);
    expect(found).not.toContain('inferred');
  });
});

describe('a missing brace behind a content that ends in a bracket', () => {
  it.each<readonly [string, string]>([
    [raw`{"path": "a.json", "content": "[\"a\", \"b\"]\n"`, '["a", "b"]\n'],
    [raw`{"path": "a.json", "content": "{\"a\": \"b\"}\n"`, '{"a": "b"}\n'],
    [raw`{"path": "a.js", "content": "f(['x'])\n[\"a\"]\r\n"`, 'f([\'x\'])\n["a"]\r\n'],
  ])('guard: is added where an escaped line break says that the content is whole: %#', (args, content) => {
    const outcome = mendWith(file, args);
    expect(outcome.status === 'invalid' ? outcome.problems : outcome.input).toMatchObject({ content });
    expect(outcome.repairs).toMatchObject([{ kind: 'closer', certainty: 'inferred' }]);
  });

  it.each([
    raw`{"path": "a.json", "content": "[\"a\", \"b\"]"`,
    raw`{"path": "a.json", "content": "[\"a\", \"b\"] "`,
    `{"path": "a.json", "content": "[${raw`\"a\"`}]\n"`,
  ])('guard: nothing says so here: %#', (args) => isRefused(file, args));
});

describe('placeholders and variables without quotes', () => {
  it.each([
    ...['%(name)s', '%s', '%d', '%{x}', '@{x}', '%PATH%', '$user->id', '$.user.id', '$env:HOME', '$1'],
    ...['$path', '$CMD', '$HOME/bin', '$_GET'],
  ])('are no values: %s', (word) => isRefused(file, `{"path": ${word}}`));

  it.each(['#{id}', '{{id}}', '<id>'])('guard: others are none either: %s', (word) =>
    isRefused(file, `{"path": ${word}}`),
  );

  it.each([
    ['100%', 'inferred'],
    ['$5.00', 'inferred'],
    ['a@b.com', 'lossless'],
    ['issue #5', 'inferred'],
    ['echo $HOME', 'inferred'],
  ])('guard: words that hold such signs are text: %s', (word, certainty) => {
    expect(certainties(file, `{"path": ${word}}`)).toEqual([{ path: word }, [certainty]]);
  });
});

describe('reasons', () => {
  const codes = (schema: JsonSchema, args: string, finishReason?: 'length') => {
    const outcome = mendWith(schema, args, finishReason ? { finishReason } : {});
    return outcome.status === 'invalid' ? outcome.problems.map(({ code, message }) => `${code}: ${message}`) : outcome;
  };

  it.each([
    '{"text": "=" * 40}',
    '{"text": "=" * 40,\n "importance": 2}',
    '{"text": "a"[0]}',
    '{"text": "a"[::-1], "importance": 2}',
    `{"text": 'a' * 3}`,
    '{"text": "a" == x}',
    '{"text": "x" y}',
    '{"text":"x" y, "importance":2}',
    '{"text": "a" - 1}',
  ])('what follows a string is not an end that is missing: %s', (args) => {
    expect(codes(text, args)).toEqual([expect.stringMatching(/^syntax: .*goes on behind its closing quote/)]);
  });

  it.each(['{"text":"a"} "ok".', '{"text":"a"} (see "docs")', '{"text":"a"} — as in "docs" [1]'])(
    'words with quotes behind an object are no more of it: %s',
    (args) => {
      expect(codes(text, args)).toEqual([expect.stringMatching(/^syntax: .*is followed by text/)]);
    },
  );

  it.each([
    '<parameter name="text">a',
    '<function=act>\n<parameter=text>\nsrc/a',
    'act(text="src/a',
    'act(text="a", importance=2',
    'text: src/a',
    'I will',
    '<think>I should read',
  ])('text that ended by length is cut off, in any form: %s', (args) => {
    expect(codes(text, args, 'length')).toEqual([expect.stringMatching(/^truncated: /)]);
  });

  it.each(['act(text="src/a', '<parameter name="text">a', '<function=act>\n<parameter=text>\nsrc/a'])(
    'a call or tag that nothing closes is cut off: %s',
    (args) => {
      expect(codes(text, args)).toEqual([expect.stringMatching(/^truncated: /)]);
    },
  );

  it.each([
    ['{"text": "He said "hi', 'truncated'],
    ['{"text": "abc', 'truncated'],
    ['{"text": "a", "importance":', 'truncated'],
    ['{"text": "a"}, "importance" 2}', 'syntax'],
  ])('guard: an end that is missing is said to be: %s', (args, code) => {
    expect(codes(text, args)).toEqual([expect.stringContaining(`${code}: `)]);
  });

  it('names a number with commas as what it is', () => {
    expect(codes(text, '{"text": "a", "importance": 1,234}')).toEqual([expect.stringContaining('is no number')]);
  });

  it.each([
    ['{"text": hello world}', 'lacks quotes'],
    ['{"text": "a" + "b"}', 'string in pieces'],
    ['{text: "a" + "b"}', 'string in pieces'],
    ['{"text": "one \\\ntwo"}', 'backslash at the end of a line'],
  ])('a tool that takes nothing inferred names the fault: %s', (args, words) => {
    const outcome = mendWith(text, args, { effect: 'destructive' });
    expect(outcome.status === 'invalid' && outcome.problems.map(({ message }) => message)).toEqual([
      expect.stringContaining(words),
    ]);
  });

  it('tells of a misspelt required key once', () => {
    const schema = closed({ amount_cents: integer, invoice: string }, ['amount_cents', 'invoice']);
    const args = '{"invoice": "I-1", "amountCents": 5}';
    expect(told(mendWith(schema, args, { effect: 'destructive' }))).toEqual({
      status: 'invalid',
      errorType: 'validation',
      problems: ['unknown amountCents'],
    });
  });
});

describe('keys that say another thing than the call', () => {
  const one = (name: string) => tool({ name, description: name, inputSchema: closed({ path: string }, ['path']) });
  const toolbox = new Toolbox([one('read_file'), one('delete_file')]);
  const call = (args: unknown) => mend({ name: 'read_file', arguments: JSON.stringify(args) }, toolbox);

  it.each(['tool', 'name', 'function', 'tool_name', 'action', 'functionName'])(
    'a key that names another tool is never dropped: %s',
    (key) => {
      expect(told(call({ [key]: 'delete_file', path: 'a' }))).toMatchObject({ problems: [`unknown ${key}`] });
    },
  );

  it.each([
    { tool: 'read_file', path: 'a' },
    { name: 'notes', path: 'a' },
    { reason: 'delete_file is next', path: 'a' },
  ])('guard: any other is: %j', (args) => {
    expect(told(call(args))).toMatchObject({ input: { path: 'a' } });
  });

  const source = {
    oneOf: [
      closed({ type: { const: 'card' }, last4: string }, ['type', 'last4']),
      closed({ type: { const: 'bank' }, iban: string }, ['type', 'iban']),
    ],
  } as JsonSchema;
  const pay = closed({ source }, ['source']);

  it('a key of another form of a union is never dropped', () => {
    const args = { source: { type: 'card', last4: '0042', iban: 'DE1' } };
    expect(told(mendWith(pay, JSON.stringify(args)))).toMatchObject({ problems: ['unknown source.iban'] });
  });

  it('guard: one that no form knows is', () => {
    const args = { source: { type: 'card', last4: '0042', nickname: 'blue' } };
    expect(told(mendWith(pay, JSON.stringify(args)))).toMatchObject({
      input: { source: { type: 'card', last4: '0042' } },
    });
  });
});

describe('an object that comes twice', () => {
  const whole = '{"path": "build"}';
  it.each([
    `${whole}{"path": "build"`,
    `${whole},{"path": "build"`,
    `${whole}{"path": "build"]`,
    `\`\`\`json\n${whole}\n\`\`\`\n\`\`\`json\n{"path": "build"`,
  ])('is inferred if one of them is damaged: %s', (args) => {
    expect(mendWith(file, args).repairs.filter(({ kind }) => kind === 'duplicate')).toMatchObject([
      { certainty: 'inferred' },
    ]);
    expect(mendWith(file, args, { effect: 'destructive' }).status).toBe('invalid');
  });

  it.each([`${whole}${whole}`, `${whole}\n{'path': 'build'}`])('guard: is lossless if both are whole: %s', (args) => {
    expect(mendWith(file, args, { effect: 'destructive' })).toMatchObject({
      status: 'mended',
      input: { path: 'build' },
    });
  });
});
