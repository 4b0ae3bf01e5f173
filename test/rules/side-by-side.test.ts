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

describe('adjacent numbers and literals without a comma', () => {
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
  ])('are refused, because they may be one: %#', isRefused);

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
  ])('guard: stay lossless if they have one reading: %#', (schema, args, input) => {
    const [value, found] = certainties(schema, args);
    expect(value).toEqual(input);
    expect(found).not.toContain('inferred');
  });
});

describe('unknown escapes', () => {
  it.each<string>([
    `{"path":"a.awk","content":"/${raw`\"id\"/ { print $2 }`}\n/${raw`\.log$/ { n++ }`}\n"}`,
    `{"path":"x.pl","content":"${raw`s/\"(\w+)\"/$1/g;`}\n${raw`s/\s+$//;`}\n"}`,
    `{"path":"r.txt","content":"${raw`\"\d+\"`}\n${raw`\"\w+\"`}\n"}`,
    `{"path":"b.tex","content":"${raw`K\"oln \& M\"unchen`}\n\\cite{x}\n"}`,
    `{"path":"a","content":"${raw`grep \"\d\" x`}\tb"}`,
    `{"path":"nginx.conf","content":"server {\n  location ~ \\.php$ { }\n}\n"}`,
    `{"path":"a","content":"say "hi" \\d to"}`,
  ])('next to raw line breaks or quotes may follow either rule: %#', (args) => isRefused(file, args));

  it.each<readonly [string, unknown]>([
    [raw`{"path":"say \"\d\""}`, { path: raw`say "\d"` }],
    [raw`{"path":"grep -E \"\w+\.ts\" src"}`, { path: raw`grep -E "\w+\.ts" src` }],
  ])('next to escaped quotes on one line are inferred: %s', (args, input) => {
    expect(certainties(file, args)).toEqual([input, ['inferred']]);
  });

  it.each<readonly [string, unknown]>([
    [raw`{"path":"\d+\.log"}`, { path: raw`\d+\.log` }],
    [`{"path":"print(${raw`\"a\"`})\nexit"}`, { path: 'print("a")\nexit' }],
  ])('guard: are lossless alone: %#', (args, input) => {
    const [value, found] = certainties(file, args);
    expect(value).toEqual(input);
    expect(found).not.toContain('inferred');
  });
});

describe('a missing brace after content that ends in a bracket', () => {
  it.each<readonly [string, string]>([
    [raw`{"path": "a.json", "content": "[\"a\", \"b\"]\n"`, '["a", "b"]\n'],
    [raw`{"path": "a.json", "content": "{\"a\": \"b\"}\n"`, '{"a": "b"}\n'],
    [raw`{"path": "a.js", "content": "f(['x'])\n[\"a\"]\r\n"`, 'f([\'x\'])\n["a"]\r\n'],
  ])('guard: is added if an escaped line break shows that the content is complete: %#', (args, content) => {
    const outcome = mendWith(file, args);
    expect(outcome.status === 'invalid' ? outcome.problems : outcome.input).toMatchObject({ content });
    expect(outcome.repairs).toMatchObject([{ kind: 'closer', certainty: 'inferred' }]);
  });

  it.each([
    raw`{"path": "a.json", "content": "[\"a\", \"b\"]"`,
    raw`{"path": "a.json", "content": "[\"a\", \"b\"] "`,
    `{"path": "a.json", "content": "[${raw`\"a\"`}]\n"`,
  ])('guard: is not added otherwise: %#', (args) => isRefused(file, args));
});

describe('placeholders and variables without quotes', () => {
  it.each([
    '%(name)s',
    '%s',
    '%d',
    '%{x}',
    '@{x}',
    '%PATH%',
    '$user->id',
    '$.user.id',
    '$env:HOME',
    '$1',
    '$path',
    '$CMD',
    '$HOME/bin',
    '$_GET',
  ])('are not values: %s', (word) => isRefused(file, `{"path": ${word}}`));

  it.each(['#{id}', '{{id}}', '<id>'])('guard: similar ones are not values either: %s', (word) =>
    isRefused(file, `{"path": ${word}}`),
  );

  it.each([
    ['100%', 'inferred'],
    ['$5.00', 'inferred'],
    ['a@b.com', 'lossless'],
    ['issue #5', 'inferred'],
    ['echo $HOME', 'inferred'],
  ])('guard: words that contain such signs are text: %s', (word, certainty) => {
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
  ])('do not call text after a string a missing end: %s', (args) => {
    expect(codes(text, args)).toEqual([expect.stringMatching(/^syntax: .*continues after its closing quote/)]);
  });

  it.each(['{"text":"a"} "ok".', '{"text":"a"} (see "docs")', '{"text":"a"} — as in "docs" [1]'])(
    'do not call words with quotes after an object part of it: %s',
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
  ])('call text that ended with length truncated, in any format: %s', (args) => {
    expect(codes(text, args, 'length')).toEqual([expect.stringMatching(/^truncated: /)]);
  });

  it.each(['act(text="src/a', '<parameter name="text">a', '<function=act>\n<parameter=text>\nsrc/a'])(
    'call an unclosed call or tag truncated: %s',
    (args) => {
      expect(codes(text, args)).toEqual([expect.stringMatching(/^truncated: /)]);
    },
  );

  it.each([
    ['{"text": "He said "hi', 'truncated'],
    ['{"text": "abc', 'truncated'],
    ['{"text": "a", "importance":', 'truncated'],
    ['{"text": "a"}, "importance" 2}', 'syntax'],
  ])('guard: name a missing end: %s', (args, code) => {
    expect(codes(text, args)).toEqual([expect.stringContaining(`${code}: `)]);
  });

  it('name a number with commas', () => {
    expect(codes(text, '{"text": "a", "importance": 1,234}')).toEqual([
      expect.stringContaining('is not a valid number'),
    ]);
  });

  it.each([
    ['{"text": hello world}', 'lacks quotes'],
    ['{"text": "a" + "b"}', 'string in pieces'],
    ['{text: "a" + "b"}', 'string in pieces'],
    ['{"text": "one \\\ntwo"}', 'backslash at the end of a line'],
  ])('name the fault for a tool that accepts nothing inferred: %s', (args, words) => {
    const outcome = mendWith(text, args, { effect: 'destructive' });
    expect(outcome.status === 'invalid' && outcome.problems.map(({ message }) => message)).toEqual([
      expect.stringContaining(words),
    ]);
  });

  it('report a misspelt required key once', () => {
    const schema = closed({ amount_cents: integer, invoice: string }, ['amount_cents', 'invoice']);
    const args = '{"invoice": "I-1", "amountCents": 5}';
    expect(told(mendWith(schema, args, { effect: 'destructive' }))).toEqual({
      status: 'invalid',
      errorType: 'validation',
      problems: ['unknown amountCents'],
    });
  });
});

describe('keys that contradict the call', () => {
  const one = (name: string) => tool({ name, description: name, inputSchema: closed({ path: string }, ['path']) });
  const toolbox = new Toolbox([one('read_file'), one('delete_file')]);
  const call = (args: unknown) => mend({ name: 'read_file', arguments: JSON.stringify(args) }, toolbox);

  it.each(['tool', 'name', 'function', 'tool_name', 'action', 'functionName'])(
    'are never dropped if they name another tool: %s',
    (key) => {
      expect(told(call({ [key]: 'delete_file', path: 'a' }))).toMatchObject({ problems: [`unknown ${key}`] });
    },
  );

  it.each([
    { tool: 'read_file', path: 'a' },
    { name: 'notes', path: 'a' },
    { reason: 'delete_file is next', path: 'a' },
  ])('guard: are dropped otherwise: %j', (args) => {
    expect(told(call(args))).toMatchObject({ input: { path: 'a' } });
  });

  const source = {
    oneOf: [
      closed({ type: { const: 'card' }, last4: string }, ['type', 'last4']),
      closed({ type: { const: 'bank' }, iban: string }, ['type', 'iban']),
    ],
  } as JsonSchema;
  const pay = closed({ source }, ['source']);

  it('are never dropped if another union branch has them', () => {
    const args = { source: { type: 'card', last4: '0042', iban: 'DE1' } };
    expect(told(mendWith(pay, JSON.stringify(args)))).toMatchObject({ problems: ['unknown source.iban'] });
  });

  it('guard: are dropped if no branch has them', () => {
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
