import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { spillTo } from '../../src/execute/spill-to.ts';
import { toolOutput } from '../../src/execute/tool-result.ts';
import type { RunFact } from '../../src/log/events.ts';
import { invoke } from '../../src/run/invoke/invoke.ts';
import type { InvokeOptions } from '../../src/run/invoke/types.ts';
import { type ToolDefinition, tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import { until } from '../until.ts';

const any = (run: NonNullable<ToolDefinition['execute']>, rest: Partial<ToolDefinition> = {}) =>
  new Toolbox([tool({ name: 'work', description: 'Works', ...rest, execute: run })]);

async function invoked(toolbox: Toolbox, written: unknown = '{}', options: Partial<InvokeOptions> = {}) {
  const facts: RunFact[] = [];
  const record = { note: (fact: RunFact) => facts.push(fact), commit: async (fact: RunFact) => void facts.push(fact) };
  const call = { id: 'c1', name: 'work', arguments: written };
  const invocation = await invoke(call, { toolbox, record, ...options });
  const text = invocation.result?.content.flatMap((part) => (part.type === 'text' ? part.text : [])).join('\n') ?? '';
  return { ...invocation, text, facts, types: facts.map(({ type }) => type) };
}

describe('invoke', () => {
  it("S0.1 checks after parsing and before running, and passes the validator's output to the tool", async () => {
    const input = z.object({ n: z.number().default(7), at: z.string().transform((text) => text.length) });
    const toolbox = any((given) => given, { inputSchema: input });
    const { text, types, value } = await invoked(toolbox, "{at: 'abc',}");
    expect(JSON.parse(text)).toEqual({ n: 7, at: 3 });
    expect(types).toEqual(['call.mended', 'tool.started', 'tool.finished']);
    expect(value).toMatchObject({ ok: true });
  });

  it('S1.3 S0.5 returns a thrown error as runtime and a returned failure as logical, both marked as errors', async () => {
    const threw = await invoked(any(() => Promise.reject(new Error('no such file'))));
    expect(threw.value).toMatchObject({ ok: false, errorType: 'runtime', retryable: true, error: 'no such file' });
    expect(threw.result?.isError).toBe(true);
    expect(threw.text).not.toMatch(/\n\s+at /);
    const said = await invoked(
      any(() => ({ ok: false, error: 'not found', recommendations: ['List the files first'] })),
    );
    expect(said.value).toMatchObject({ errorType: 'logical', recommendations: ['List the files first'] });
    expect(said.text).toBe('not found\n\n- List the files first');
    const own = await invoked(any(() => ({ ok: false, error: 'bad', errorType: 'validation' })));
    expect(own.value).toMatchObject({ errorType: 'validation', retryable: false });
  });

  it("S1.3 fails for a tool without code, which doesn't look like one that ran", async () => {
    const toolbox = new Toolbox([tool({ name: 'work', description: 'Works' })]);
    const { value, result } = await invoked(toolbox);
    expect(value).toMatchObject({
      ok: false,
      errorType: 'runtime',
      error: "The tool 'work' has neither execute nor an executor",
    });
    expect(result?.isError).toBe(true);
  });

  it('S1.4 has the complete result in structured form', async () => {
    const toolbox = any(() => 5, { inputSchema: z.object({ path: z.string() }) });
    const { text, result } = await invoked(toolbox, '{}', { results: { form: 'structured' } });
    expect(result?.isError).toBe(true);
    expect(JSON.parse(text)).toMatchObject({ ok: false, errorType: 'validation', retryable: false });
    const good = await invoked(toolbox, '{"path": "a"}', { results: { form: 'structured' } });
    expect(JSON.parse(good.text)).toEqual({ ok: true, data: 5 });
  });

  it('F15 leaves no orphan if a tool respects its signal', async () => {
    const heeds = any(
      (_, { signal }) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
        ),
      { timeout: 20 },
    );
    const { value, facts } = await invoked(heeds);
    expect(value).toMatchObject({ errorType: 'timeout' });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(facts.map(({ type }) => type)).toEqual(['call.accepted', 'tool.started', 'tool.finished']);
  });

  it('F15 settles a tool that ignores its signal at its deadline, and logs its late result as an orphan', async () => {
    let aborted = false;
    let letGo = (_: string): void => {};
    const toolbox = any(
      (_, { signal }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            aborted = true;
          });
          letGo = resolve;
        }),
      { timeout: 30 },
    );
    const { value, facts } = await invoked(toolbox);
    expect(value).toMatchObject({ errorType: 'timeout', retryable: true });
    expect(aborted).toBe(true);
    letGo('late');
    await until(() => facts.at(-1)?.type === 'tool.orphaned');
    expect(facts.at(-1)).toMatchObject({ type: 'tool.orphaned', callId: 'c1', outcome: 'late' });
  });

  it("doesn't mark a timeout as retryable for a tool with `once`", async () => {
    const { value } = await invoked(any(() => new Promise(() => {}), { timeout: 5, repeat: 'once' }));
    expect(value).toMatchObject({ errorType: 'timeout', retryable: false });
  });

  it.each([
    ['a BigInt', () => 10n, /can't be serialized/],
    ['a cycle', () => Object.assign({}, { self: null }, cyclic()), /can't be serialized/],
    ['nothing', () => undefined, /^Done\.$/],
    ['a symbol in an object', () => ({ a: Symbol('x') }), /^\{\}$/],
  ])('F16 ends with a type if a tool returns %s', async (_, run, text) => {
    expect((await invoked(any(run))).text).toMatch(text);
  });

  it.each([
    ['a string', 'just words', 'just words'],
    ['nothing', undefined, 'undefined'],
    ['an object', { code: 5 }, '{"code":5}'],
    ['a cycle', cyclic(), '[object Object]'],
  ])('F16 ends with a type if a tool throws %s', async (_, thrown, message) => {
    const run = () => {
      throw thrown;
    };
    expect((await invoked(any(run))).value).toMatchObject({ errorType: 'runtime', error: message });
  });

  it('F16 shortens a long result, and stores the rest in a file that the result names', async () => {
    const lines = Array.from({ length: 5000 }, (_, index) => `line ${index}`).join('\n');
    const folder = mkdtempSync(join(tmpdir(), 'toolmend-spill-'));
    const { text } = await invoked(
      any(() => lines),
      '{}',
      { results: { spill: spillTo(folder) } },
    );
    expect(text.split('\n').length).toBe(2001);
    const file = /All of it: (.*)\]$/.exec(text)?.[1] ?? '';
    expect(file.startsWith(folder)).toBe(true);
    expect(readFileSync(file, 'utf8')).toBe(lines);
    const wide = await invoked(any(() => 'é'.repeat(100_000)));
    expect(Buffer.byteLength(wide.text)).toBeLessThan(52_000);
    expect(wide.text).not.toContain('\ufffd');
  });

  it('keeps images and parts unchanged', async () => {
    const picture = { type: 'media', mediaType: 'image/png', source: { data: 'AAAA' } } as const;
    const { result } = await invoked(any(() => toolOutput({ content: [{ type: 'text', text: 'here' }, picture] })));
    expect(result?.content).toEqual([{ type: 'text', text: 'here' }, picture]);
    const failed = await invoked(any(() => toolOutput({ content: [{ type: 'text', text: 'no' }], isError: true })));
    expect(failed.value).toMatchObject({ ok: false, errorType: 'logical', error: 'no' });
  });

  it('lets hooks observe, edit or deny a call, and checks their edits', async () => {
    const input = z.object({ n: z.number() });
    const toolbox = any((given) => `n is ${(given as { n: number }).n}`, { inputSchema: input });
    const edited = await invoked(toolbox, '{"n": 1}', { hooks: { before: () => ({ input: { n: 2 } }) } });
    expect(edited.text).toBe('n is 2');
    const wrong = await invoked(toolbox, '{"n": 1}', { hooks: { before: () => ({ input: { n: 'x' } }) } });
    expect(wrong.text).toContain("Field 'n' expected number, got string");
    expect(wrong.types).not.toContain('tool.started');
    const denied = await invoked(toolbox, '{"n": 1}', { hooks: { before: () => ({ deny: 'not today' }) } });
    expect(denied.value).toMatchObject({ errorType: 'denied', retryable: false });
    expect(denied.text).toContain('not today');
    const broken = await invoked(toolbox, '{"n": 1}', {
      hooks: {
        before: () => {
          throw new Error('oops');
        },
      },
    });
    expect(broken.value).toMatchObject({ errorType: 'denied' });
  });

  it('S4.2 C3 uses the text of the `invalid` tool, and the result stays an error', async () => {
    const seen: unknown[] = [];
    const toolbox = new Toolbox([
      tool({ name: 'work', description: 'Works', inputSchema: z.object({ n: z.number() }), execute: () => 1 }),
      tool({
        name: 'invalid',
        description: 'Is told of bad calls',
        inputSchema: z.object({ tool: z.string(), error: z.string(), receivedArgs: z.unknown() }),
        execute: (payload) => {
          seen.push(payload);
          return 'In other words';
        },
      }),
    ]);
    const { text, result, value } = await invoked(toolbox, '{"m": 1}');
    expect(text).toBe('In other words');
    expect(result).toMatchObject({ isError: true, name: 'work', callId: 'c1' });
    expect(value).toMatchObject({ errorType: 'validation' });
    expect(seen).toEqual([{ tool: 'work', error: expect.stringContaining("'n' is required"), receivedArgs: { m: 1 } }]);
    const unknown = await invoke({ id: 'c2', name: '', arguments: undefined }, { toolbox });
    expect(unknown.result?.content).toEqual([{ type: 'text', text: 'In other words' }]);
    expect(seen[1]).toMatchObject({ tool: 'unknown' });
  });
});

function cyclic(): object {
  const value: { self?: unknown } = {};
  value.self = value;
  return value;
}
