import { PassThrough, Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { cpuOf } from '../../../test/cpu-of.ts';
import { ToolboxCache } from '../shared/toolbox-cache.ts';
import { mendJsonl, mendLine } from './mend-jsonl.ts';

const tools = [
  {
    name: 'read_file',
    description: 'Reads a file',
    inputSchema: {
      type: 'object',
      properties: { path: { type: 'string' }, n: { type: 'number' } },
      required: ['path'],
    },
    annotations: { readOnlyHint: true },
  },
];

const answer = (line: unknown) =>
  JSON.parse(mendLine(typeof line === 'string' ? line : JSON.stringify(line), new ToolboxCache(), 1000));

/** Runs lines through the stream, in chunks that fall anywhere. */
async function stream(text: string, size = 7): Promise<string> {
  const output = new PassThrough({ highWaterMark: 64 });
  const bytes = Buffer.from(text);
  const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
    bytes.subarray(i * size, (i + 1) * size),
  );
  const done = mendJsonl(Readable.from(chunks), output).then(() => output.end());
  let written = '';
  for await (const chunk of output) written += chunk;
  await done;
  return written;
}

describe('mend --jsonl', () => {
  it('answers a good, a mended and an invalid call with the fields of the contract', () => {
    expect(answer({ id: 'a', tools, name: 'read_file', arguments: { path: 'x' } })).toEqual({
      id: 'a',
      status: 'ok',
      name: 'read_file',
      input: { path: 'x' },
      repairs: [],
      problems: [],
    });
    expect(answer({ id: 2, tools, name: 'readFile', arguments: '{path: "x"}' })).toMatchObject({
      id: 2,
      status: 'mended',
      name: 'read_file',
      input: { path: 'x' },
      repairs: expect.arrayContaining([
        expect.objectContaining({ kind: 'name', before: 'readFile', after: 'read_file' }),
      ]),
    });
    expect(answer({ id: null, tools, name: 'read_file', arguments: '{}' })).toEqual({
      id: null,
      status: 'invalid',
      name: 'read_file',
      input: {},
      repairs: [],
      problems: [expect.objectContaining({ path: ['path'], code: 'required' })],
      errorType: 'validation',
      feedback: expect.stringContaining("1. Field 'path' is required but missing"),
    });
  });

  it('C4 an unknown tool keeps the name as it was written', () => {
    expect(answer({ id: 1, tools, name: 'launch', arguments: {} })).toMatchObject({
      status: 'invalid',
      name: 'launch',
      errorType: 'unknown_tool',
    });
  });

  it('C8 no arguments, and empty ones, are an empty object', () => {
    const free = [{ name: 'now', description: 'The time', inputSchema: { type: 'object', properties: {} } }];
    for (const args of [{}, { arguments: '' }, { arguments: null }]) {
      expect(answer({ id: 1, tools: free, name: 'now', ...args })).toMatchObject({ input: {}, problems: [] });
    }
  });

  it('S1.4 mentions a dropped key in the note', () => {
    const closed = [{ ...tools[0], inputSchema: { ...tools[0]?.inputSchema, additionalProperties: false } }];
    const told = answer({ id: 1, tools: closed, name: 'read_file', arguments: { path: 'a', verbosity: 3 } });
    expect(told).toMatchObject({
      status: 'mended',
      input: { path: 'a' },
      note: "Unknown parameter 'verbosity' was ignored",
    });
  });

  it('C2 a call cut off by length is truncated', () => {
    const line = { id: 1, tools, name: 'read_file', arguments: '{"path": "a', finishReason: 'length' };
    expect(answer(line)).toMatchObject({ status: 'invalid', errorType: 'truncated' });
    expect(answer({ ...line, finishReason: 'max_tokens' }).feedback).toContain('output token limit');
  });

  it.each([
    ['not JSON', '{"id": 1,', null, /not JSON/],
    ['no object', '[1]', null, /not a JSON object/],
    ['no name', { id: 7, tools, arguments: {} }, 7, /'name' must be a string/],
    ['a name of another type', { id: 'x', tools, name: 5, arguments: {} }, 'x', /'name' must be a string/],
    ['no tools', { id: 7, name: 'a', arguments: {} }, 7, /'tools' must be a list/],
    ['tools of another type', { id: 7, tools: [5], name: 'a' }, 7, /'tools\[0\]' must be an object/],
    [
      'a tool without a name',
      { id: 7, tools: [{ inputSchema: {} }], name: 'a' },
      7,
      /'tools\[0\]\.name' must be a string/,
    ],
    ['a reason of another type', { id: 7, tools, name: 'a', finishReason: 5 }, 7, /'finishReason' must be a string/],
    ['a schema that is none', { id: 7, tools: [{ name: 'a', inputSchema: 'x' }], name: 'a', arguments: {} }, 7, /./],
  ])('a line with %s gets an answer with an error', (_, line, id, words) => {
    expect(answer(line)).toMatchObject({
      id,
      status: 'invalid',
      input: null,
      repairs: [],
      error: expect.stringMatching(words),
    });
  });

  it('F10 an integer past 2^53 in arguments given as a value is not rounded, nor is one in the id', () => {
    const toolText = JSON.stringify(tools);
    const line = `{"id":12345678901234567890,"tools":${toolText},"name":"read_file","arguments":{"path":"a","n":9007199254740993}}`;
    const text = mendLine(line, new ToolboxCache(), 1000);
    expect(text).toContain('"id":12345678901234567890');
    expect(JSON.parse(text)).toMatchObject({ status: 'invalid', problems: [{ code: 'unsafe_integer' }] });
  });

  it('F11 a repeated key in arguments given as a value is seen', () => {
    const line = `{"id":1,"tools":${JSON.stringify(tools)},"name":"read_file","arguments":{"path":"a","path":"b"}}`;
    expect(answer(line)).toMatchObject({ status: 'invalid', problems: [{ code: 'duplicate_key' }] });
  });

  it('F6 arguments a million levels deep get an answer', () => {
    const deep = '['.repeat(1_000_000) + ']'.repeat(1_000_000);
    const head = `{"id":1,"tools":${JSON.stringify(tools)},"name":"read_file","arguments":`;
    expect(answer(`${head}${deep}}`)).toMatchObject({ id: 1, status: 'invalid' });
    expect(answer(`${head}${JSON.stringify(deep)}}`)).toMatchObject({ id: 1, status: 'invalid' });
    expect(answer(`{"id":${deep},"name":"x"}`)).toMatchObject({ status: 'invalid' });
  });

  it('definitions are taken as given, their faults told as warnings', () => {
    const odd = [{ name: 'any text at all!', inputSchema: { type: 'object', properties: { x: {} }, required: ['y'] } }];
    const told = answer({ id: 1, tools: odd, name: 'any text at all!', arguments: { y: 1 } });
    expect(told).toMatchObject({ status: 'ok', input: { y: 1 } });
    expect(told.warnings).toContainEqual(expect.objectContaining({ field: 'parameters.required' }));
  });

  it('answers in order, one line each, whatever lies between', async () => {
    const lines = Array.from({ length: 30 }, (_, id) =>
      id % 5 === 3 ? 'bad line' : JSON.stringify({ id, tools, name: 'read_file', arguments: `{"path":"é漢😀${id}"}` }),
    );
    const answers = (await stream(`\uFEFF${lines.join('\r\n')}\n\n`))
      .trimEnd()
      .split('\n')
      .map((each) => JSON.parse(each));
    expect(answers.map(({ id }) => id)).toEqual(lines.map((_, id) => (id % 5 === 3 ? null : id)));
    expect(answers[6].input).toEqual({ path: 'é漢😀6' });
  });

  it('ten thousand lines with the same tools make one toolbox and are quick', () => {
    const cache = new ToolboxCache();
    const line = JSON.stringify({ id: 1, tools, name: 'read_file', arguments: '{"path":"a"}' });
    const text = JSON.stringify(tools);
    expect(cache.get(text, tools)).toBe(cache.get(text, JSON.parse(text)));
    const took = cpuOf(() => {
      for (let count = 0; count < 10_000; count++) mendLine(line, cache, 1000);
    });
    expect(took).toBeLessThan(5000);
  });

  it('keeps a bounded number of toolboxes', () => {
    const cache = new ToolboxCache();
    const first = cache.get('0', tools);
    for (let count = 1; count < 200; count++) cache.get(String(count), tools);
    expect(cache.get('0', tools)).not.toBe(first);
  });
});
