import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { RawCall } from '../model/index.ts';
import { type Policy, type ToolboxPolicy, type ToolDefinition, tool } from '../tools/tool.ts';
import { Toolbox } from '../tools/toolbox.ts';
import { mend } from './mend.ts';

const input = {
  type: 'object',
  properties: { path: { type: 'string' }, limit: { type: 'integer', default: 20 } },
  required: ['path'],
  additionalProperties: false,
};
const box = (policy?: ToolboxPolicy, more: Partial<ToolDefinition> = {}): Toolbox =>
  new Toolbox(
    [tool({ name: 'read_file', description: 'Reads', inputSchema: input, effect: 'read', ...more })],
    policy ? { policy } : {},
  );
const send = (args: unknown, toolbox = box(), policy?: Policy) =>
  mend({ id: 'c1', name: 'read_file', arguments: args }, toolbox, policy);

describe('mend', () => {
  it('returns a valid call unchanged', () => {
    const raw: RawCall = { id: 'c1', name: 'read_file', arguments: '{"path": "a.ts"}' };
    const toolbox = box();
    const outcome = mend(raw, toolbox);
    expect(outcome).toEqual({
      status: 'ok',
      raw,
      tool: toolbox.get('read_file'),
      name: 'read_file',
      input: { path: 'a.ts' },
      value: { path: 'a.ts' },
      repairs: [],
      problems: [],
    });
    expect(outcome.raw).toBe(raw);
  });

  it('records each change, in order, with its certainty', () => {
    const outcome = mend({ name: 'Read-File', arguments: "Sure: {path: 'a.ts', limit: '5', zzzzzz: 1,}" }, box());
    expect(outcome).toMatchObject({ status: 'mended', name: 'read_file', input: { path: 'a.ts', limit: 5 } });
    expect(outcome.repairs.map(({ kind, certainty }) => `${kind} ${certainty}`)).toEqual([
      'name lossless',
      'quote lossless',
      'comma lossless',
      'prose inferred',
      'dropped inferred',
      'type inferred',
    ]);
    expect('note' in outcome && outcome.note).toBe("Unknown parameter 'zzzzzz' was ignored");
  });

  it('keeps what was read, and the raw call, of a call it refuses', () => {
    const outcome = send("{'limit': 'ten', }");
    expect(outcome).toMatchObject({
      status: 'invalid',
      errorType: 'validation',
      name: 'read_file',
      input: { limit: 'ten' },
      raw: { id: 'c1', arguments: "{'limit': 'ten', }" },
    });
    expect(outcome.problems.map(({ code }) => code).sort()).toEqual(['required', 'type']);
    expect(outcome).not.toHaveProperty('value');
  });

  it('keeps name and arguments of an unknown tool as written', () => {
    expect(mend({ name: 'launch', arguments: "{'a': 1}" }, box())).toMatchObject({
      status: 'invalid',
      errorType: 'unknown_tool',
      name: 'launch',
      input: { a: 1 },
    });
  });

  it('takes arguments as text or as a value, to the same end', () => {
    for (const value of [{ path: 'a' }, { path: 'a', limit: '5' }, { limit: 5 }, [{ path: 'a' }], 5, 'x', true]) {
      const [parsed, text] = [send(value), send(JSON.stringify(value))];
      expect([text.status, text.status === 'invalid' ? text.problems[0]?.code : text.input]).toEqual([
        parsed.status,
        parsed.status === 'invalid' ? parsed.problems[0]?.code : parsed.input,
      ]);
    }
  });

  it('throws for nothing a model can write or a client can hand over', () => {
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;
    const odd = [
      cycle,
      [cycle],
      1n,
      { a: 1n },
      Symbol('x'),
      () => 1,
      new Date(0),
      new Map(),
      Number.NaN,
      { a: undefined },
    ];
    for (const args of odd) expect(['ok', 'mended', 'invalid']).toContain(send(args).status);
    for (const name of [undefined, null, 5, {}, []])
      expect(mend({ name, arguments: '{}' } as unknown as RawCall, box()).status).toBe('invalid');
  });

  it('is pure: the same call twice gives the same, and nothing given is changed', () => {
    const args = Object.freeze({ path: Object.freeze(['a.ts']), Limit: '5' });
    const toolbox = box();
    expect(send(args, toolbox)).toEqual(send(args, toolbox));
    expect(send(args)).toMatchObject({ input: { path: 'a.ts', limit: 5 } });
  });
});

describe('S0.3 policies', () => {
  const off: Policy = { check: false };
  const bad = { limit: 'ten', other: 1 };
  it('S0.3 without a check arguments are read and left as they are', () => {
    const outcome = send("{'limit': 'ten', other: 1}", box({ check: false }));
    expect(outcome).toMatchObject({ status: 'mended', input: bad, value: bad });
    expect(send('{"limit": ', box({ check: false }))).toMatchObject({ status: 'invalid', errorType: 'truncated' });
    expect(send('{"a": 1, "a": 2}', box({ check: false })).problems[0]?.code).toBe('duplicate_key');
    expect(send('{"a": 12345678901234567890}', box({ check: false })).problems[0]?.code).toBe('unsafe_integer');
  });

  it.each<[string, ToolboxPolicy, Policy | undefined, Policy | undefined, boolean]>([
    ['nothing said', {}, undefined, undefined, true],
    ['the toolbox', off, undefined, undefined, false],
    ['a pattern before the toolbox', { tools: { 'read_*': off } }, undefined, undefined, false],
    [
      'a pattern before the toolbox',
      { check: false, tools: { 'read_*': { check: true } } },
      undefined,
      undefined,
      true,
    ],
    [
      'a longer pattern before a shorter',
      { tools: { '*': off, 'read_*': { check: true } } },
      undefined,
      undefined,
      true,
    ],
    ['a name before a pattern', { tools: { read_file: { check: true }, 'read_f*': off } }, undefined, undefined, true],
    ['another prefix', { tools: { 'mcp__*': off } }, undefined, undefined, true],
    ['a tool that is stricter than a pattern', { tools: { read_file: off } }, { check: true }, undefined, true],
    ['a call that is looser than the tool', {}, { check: true }, off, true],
    ['a tool that is looser than the toolbox', { check: true }, off, undefined, true],
    ['the call alone', {}, undefined, off, false],
    ['a call that is stricter than all', { tools: { '*': off } }, off, { check: true }, true],
  ])('S0.3 %s', (_, toolbox, own, call, checked) => {
    const outcome = send(bad, box(toolbox, own ? { policy: own } : {}), call);
    expect(outcome.status).toBe(checked ? 'invalid' : 'ok');
  });

  it('S0.3 minCertainty: lossless takes repairs of writing and no other', () => {
    const strict = box({ minCertainty: 'lossless' });
    expect(send("{'path': 'a.ts',}", strict).status).toBe('mended');
    expect(send({ path: 'a.ts', limit: '5' }, strict)).toMatchObject({
      status: 'invalid',
      problems: [{ path: ['limit'] }],
    });
    expect(send({ path: 'a.ts', limit: '5' }, strict, { minCertainty: 'inferred' }).status).toBe('invalid');
  });

  it('S0.3 limits, each the lowest that a policy names', () => {
    const toolbox = box({ limits: { keys: 1, size: 20 } });
    const code = (text: string, policy?: Policy) => send(text, toolbox, policy).problems[0]?.code;
    expect(code('{"path": "a", "limit": 1}')).toBe('size');
    expect(code('{"path": "a", "limit": 1}', { limits: { size: 100 } })).toBe('size');
    expect(code('{"path":"a","limit":1}', { limits: { size: 20 } })).toBe('size');
    expect(send('{"path": "a", "limit": 1}', box({}), { limits: { keys: 1 } }).problems[0]?.code).toBe('keys');
  });
});

describe('S1.1 two values', () => {
  it("S1.1 Zod's output goes to the tool, the mended JSON to everyone else", () => {
    const schema = z.object({ at: z.coerce.date(), tags: z.array(z.string()).default(['none']) });
    const outcome = send("{'at': '2024-05-01'}", box({}, { inputSchema: schema }));
    expect(outcome).toMatchObject({
      input: { at: '2024-05-01' },
      value: { at: new Date('2024-05-01'), tags: ['none'] },
    });
    expect(outcome.input).not.toHaveProperty('tags');
  });

  it('S1.1 JSON Schema checks do not run ahead of Zod and spoil its coercion', () => {
    const schema = z.object({ n: z.coerce.number(), on: z.stringbool(), path: z.string().trim().toLowerCase() });
    const outcome = send({ n: '5', on: 'enabled', path: ' A ' }, box({}, { inputSchema: schema }));
    expect(outcome).toMatchObject({ status: 'ok', input: { n: '5', on: 'enabled', path: ' A ' } });
    expect('value' in outcome && outcome.value).toEqual({ n: 5, on: true, path: 'a' });
  });

  it('S1.1 a JSON Schema default is written into neither', () => {
    expect(send('{"path": "a"}')).toMatchObject({ input: { path: 'a' }, value: { path: 'a' } });
    expect(send('{"path": "a"}').input).not.toHaveProperty('limit');
  });
});
