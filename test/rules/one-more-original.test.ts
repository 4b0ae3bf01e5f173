/** Damaged arguments whose second original is close: escapes in wrapped objects, doubled quotes, code without its quotes. */
import { describe, expect, it } from 'vitest';
import { closed, mendWith, string } from './mend-with.ts';

const raw = String.raw;
const fields = closed({ query: string, content: string, amount: { type: 'number' }, count: { type: 'integer' } });
const destructive = { effect: 'destructive' } as const;
const messages = (args: string) => mendWith(fields, args).problems.map(({ message }) => message);

describe('over-escaped quotes in an object that is not the whole text', () => {
  const object = raw`{"query": "DELETE FROM \\\"Order Items\\\""}`;
  const twice = JSON.stringify(object);
  it.each([
    `act(${object})`,
    twice,
    JSON.stringify(twice),
    `{"arguments": ${object}}`,
    `{"arguments": ${twice}}`,
    `{"name": "act", "parameters": ${object}}`,
    `[${object}]`,
  ])('%s has two originals', (args) => expect(mendWith(fields, args).status).toBe('invalid'));

  it.each([`${object.slice(0, -1)},}`, object.slice(0, -1), `{"arguments": ${object}}}`])(
    '%s is refused for its escapes',
    (args) => {
      expect(messages(args)[0]).toMatch(/^Field '(?:arguments\.)?query' has quotes after three backslashes/);
    },
  );

  it.each([
    object,
    `\`\`\`json\n${object}\n\`\`\``,
    `Here it is:\n${object}`,
    `${object} ✅`,
    `${object}</s>`,
    `${object}</tool_call>`,
    `<tool_call>${object}`,
    `${object} — done.`,
    `${object}}`,
    `\ufeff${object}`,
    `<think>ok</think>${object}`,
    `<thinking>a</thinking>\n<think>b</think>\n${object}`,
    `<reasoning>first {"query": "x"}</reasoning> ${object}`,
  ])('%s is read as the object alone: nothing around it concerns its escapes', (args) => {
    expect(mendWith(fields, args)).toMatchObject({ problems: [], input: JSON.parse(object) });
  });

  it.each([
    raw`<think>ok</think>{"query": "say \"hi\""}`,
    raw`<think>ok</think>{"query": "print(\"a \\\"b\\\" c\")"}`,
    raw`{"arguments": {"query": "say \"hi\""}}`,
    raw`[{"query": "print(\"a \\\"b\\\" c\")"}]`,
    raw`"{\"query\": \"say \\\"hi\\\"\"}"`,
  ])('guard: %s is read', (args) => expect(mendWith(fields, args).status).toBe('mended'));
});

describe('doubled quotes within three quotes', () => {
  it.each([
    '{"query": "cell.csv", "content": """a"",""b"""}',
    '{"content": """"",""b"""}',
    '{"content": """a"" and more"""}',
    '{"content": """id"",""name""\n""1"",""x"""}',
    "{'content': '''a'',''b'''}",
  ])('%s has two originals', (args) => expect(mendWith(fields, args).status).toBe('invalid'));

  it.each(['{"content": """a"",""b""}', '{"content": """a""""}', '{"content": """a"""""}'])(
    'guard: %s has two originals',
    (args) => expect(mendWith(fields, args).status).toBe('invalid'),
  );

  it.each([
    ['{"content": """say "hi" now"""}', 'say "hi" now'],
    ['{"content": """a, b"""}', 'a, b'],
    ['{"content": """it\'\'s"""}', "it''s"],
  ])('guard: %s is read', (args, content) =>
    expect(mendWith(fields, args)).toMatchObject({ status: 'mended', input: { content } }),
  );
});

describe('backticks and three quotes around one value', () => {
  it.each([
    ['{"query": `date`}', { query: 'date' }],
    ['{query: `date`}', { query: 'date' }],
    ['{"content": "x", "query": `rm -rf build`}', { content: 'x', query: 'rm -rf build' }],
    ['{"content": """Package for loading orders."""}', { content: 'Package for loading orders.' }],
    ["{\"content\": '''x'''}", { content: 'x' }],
    ['{\'content\': """x"""}', { content: 'x' }],
  ])('%s is inferred', (args, input) => {
    const outcome = mendWith(fields, args);
    expect(outcome).toMatchObject({ status: 'mended', input });
    expect(outcome.repairs.map(({ certainty }) => certainty)).toContain('inferred');
    expect(mendWith(fields, args, destructive).status).toBe('invalid');
  });

  it.each(['{`query`: `date`}', '{"query": "`date`"}', "{'query': 'date'}"])('guard: %s is exact', (args) =>
    expect(mendWith(fields, args, destructive).status).not.toBe('invalid'),
  );
});

describe('a point with three digits behind it', () => {
  it.each([
    ['{"amount": "1.234"}', 'amount', 'number'],
    ['{"amount": " -12.500 "}', 'amount', 'number'],
    ['{"count": "1.234"}', 'count', 'integer'],
  ])('%s: says that it may separate thousands', (args, field, type) => {
    expect(mendWith(fields, args).problems).toMatchObject([
      {
        message: `Field '${field}' expected ${type}, got string`,
        suggestion: 'Its point may separate thousands; write it without quotes',
      },
    ]);
  });

  it.each(['{"amount": "1.23"}', '{"amount": "0.125"}', '{"amount": "1.2345"}', '{"count": "1,234"}'])(
    'guard: %s is a number',
    (args) => expect(mendWith(fields, args).status).toBe('mended'),
  );
});
