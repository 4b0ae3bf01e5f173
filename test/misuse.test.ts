/** What a JavaScript caller reads who passes the wrong thing, for every function and class of every entry. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { z as z3 } from 'zod/v3';
import { entriesByImport } from '../scripts/entries.ts';
import { mcpServer } from '../src/execute/mcp/index.ts';
import { mend, mendValue, Toolbox, ToolmendError, tool } from '../src/index.ts';
import { agent, invoke, permissions } from '../src/run/index.ts';

const root = join(import.meta.dirname, '..');

/** Can be called without arguments. */
const optional = new Set(
  [
    'JsonReader',
    'Toolbox',
    'retryGuidance',
    'CallReader',
    'memoryStore',
    'newRunState',
    'permissions',
    'redactor',
  ].concat(['hasFailedTurns', 'mendMiddleware', 'traceRequests', 'pending']),
);
/** Only has optional settings, and the root entry has no room for a check. */
const unchecked = new Set(['JsonReader', 'retryGuidance']);
/** Takes a number. */
const numeric = new Set(['hasFailedTurns', 'stepCountIs']);
/** Takes any JSON value. */
const general = new Set(['mendValue', 'salvageValue']);
/** Takes no arguments at all. */
const bare = new Set(['metrics']);

const isClass = (value: unknown): boolean => /^class\b/.test(Function.prototype.toString.call(value));
const isError = (value: unknown): boolean =>
  isClass(value) && (value as { prototype: unknown }).prototype instanceof Error;

const rows: [string, string, (...args: unknown[]) => unknown][] = [];
for (const [entry, source] of Object.entries(entriesByImport)) {
  const module = (await import(join(root, source))) as Record<string, unknown>;
  for (const [name, value] of Object.entries(module)) {
    // Errors are caught by users, not made by them.
    if (typeof value !== 'function' || isError(value) || bare.has(name) || unchecked.has(name)) continue;
    const call = isClass(value)
      ? (...args: unknown[]) => Reflect.construct(value, args)
      : (value as (...args: unknown[]) => unknown);
    rows.push([entry, name, call]);
  }
}

const thrownBy = async (call: () => unknown): Promise<unknown> => {
  try {
    await call();
    return undefined;
  } catch (error) {
    return error;
  }
};

const wrong: [string, unknown[]][] = [
  ['nothing', []],
  ['null', [null]],
  ['a number', [5]],
  ['a symbol', [Symbol('x')]],
];

describe('misuse from JavaScript', () => {
  it.each(rows)('%s: %s says what it expects', async (_, name, call) => {
    for (const [what, args] of wrong) {
      if (args.length === 0 ? optional.has(name) : args[0] === 5 && numeric.has(name)) continue;
      if (general.has(name) && (args[0] === null || args[0] === 5)) continue;
      const error = await thrownBy(() => call(...args));
      expect(ToolmendError.isInstance(error), `${name} with ${what}: ${String(error)}`).toBe(true);
      const { code, message } = error as ToolmendError;
      expect(code).toMatch(/^(?:invalid_\w+|fetch_failed)$/);
      expect(message).toMatch(/expected |Give |Use /);
    }
  });

  const toolbox = new Toolbox([tool({ name: 'now', description: 'Shows the time' })]);

  it.each([
    [
      'mend() with an object as toolbox',
      () => mend({ name: 'now', arguments: {} }, {} as never),
      /toolbox.*Toolbox.*object/,
    ],
    ['Toolbox with an object', () => new Toolbox({} as never), /tools.*a list of tools.*object/],
    ['tool() with a name', () => tool('now' as never), /definition.*name, description.*string/],
    ['mendValue() with a function', () => mendValue((() => '') as never), /source.*a JSON value.*function/],
  ])('%s', (_, call, words) => {
    expect(call).toThrow(words);
    expect(call).toThrow(ToolmendError);
  });

  const model = { name: 'm', provider: 'p', stream: () => (async function* () {})() };
  const call = { name: 'now', arguments: {} };
  const withInput = (inputSchema: unknown) => new Toolbox([tool({ name: 'a', description: 'A', inputSchema })]);
  const only = { safeParse: true };

  it.each<[string, () => unknown, string, RegExp]>([
    ['mend(call, tool)', () => mend(call, [...toolbox][0] as never), 'invalid_option', /toolbox.*a Toolbox/],
    ["agent({ model: 'gpt' })", () => agent({ model: 'gpt' as never }), 'invalid_option', /model.*stream\(\).*string/],
    [
      'agent() with an option that does not exist',
      () => agent({ model, maxTurns: 5 } as never),
      'invalid_option',
      /'maxTurns'.*budgets/,
    ],
    [
      'agent() with a budget that does not exist',
      () => agent({ model, budgets: { turns: 5 } as never }),
      'invalid_option',
      /'turns'.*steps/,
    ],
    [
      'agent() with the options of permissions',
      () => agent({ model, permissions: { mode: 'ask' } as never }),
      'invalid_option',
      /the result of permissions\(\)/,
    ],
    [
      'agent() with a policy that does not exist',
      () => agent({ model, policy: { accept: 'lossless' } as never }),
      'invalid_option',
      /'accept'.*minCertainty/,
    ],
    [
      'permissions() with an option that does not exist',
      () => permissions({ alow: [] } as never),
      'invalid_option',
      /'alow'.*allow/,
    ],
    [
      'permissions() with a mode that does not exist',
      () => permissions({ mode: 'aks' as never }),
      'invalid_option',
      /mode 'aks'.*auto, ask, readonly/,
    ],
    [
      'invoke() with an option that does not exist',
      () => invoke({ id: 'c', ...call }, { toolbox, timeuot: 5 } as never),
      'invalid_option',
      /'timeuot'.*timeout/,
    ],
    [
      'invoke() with the options of permissions',
      () => invoke({ id: 'c', ...call }, { toolbox, permissions: { mode: 'ask' } as never }),
      'invalid_option',
      /the result of permissions\(\)/,
    ],
    [
      'mend() with a tool of another library',
      () => mend(call, [{ name: 'now', description: 'Shows the time', inputSchema: { type: 'object' } }] as never),
      'invalid_option',
      /tool 'now'.*tool\(\) or toolFromMcp\(\)/,
    ],
    [
      'Toolbox with an option that does not exist',
      () => new Toolbox([], { polcy: {} } as never),
      'invalid_option',
      /'polcy'.*policy/,
    ],
    [
      'a tool whose policy has a setting that does not exist',
      () => new Toolbox([tool({ name: 'a', description: 'A', policy: { minCertanty: 'lossless' } as never })]),
      'invalid_option',
      /'minCertanty'.*minCertainty/,
    ],
    [
      'mendValue() with a type that JSON Schema has not',
      () => mendValue('{}', { type: 'object', properties: { x: { type: 'strin' } } }),
      'invalid_schema',
      /'schema\.properties\.x'.*"strin".*'string'/,
    ],
    ['mendValue() with such a root', () => mendValue('{}', { type: 'strin' }), 'invalid_schema', /'schema'.*"strin"/],
    [
      'mendValue() with a type of Zod that JSON has not',
      () => mendValue('{}', z.object({ x: z.date() })),
      'invalid_schema',
      /'schema\.properties\.x'.*"date"/,
    ],
    [
      'mcpServer() with a client',
      () => mcpServer({ callTool: () => {}, listTools: () => {} } as never),
      'invalid_config',
      /client.*command.*toolFromMcp/,
    ],
    ['mend(call, [not a tool])', () => mend(call, ['now'] as never), 'invalid_option', /tool definition.*string/],
    ['mend(call, [undefined])', () => mend(call, [undefined] as never), 'invalid_option', /tool definition.*undefined/],
    [
      'an object whose safeParse is no function',
      () => mendValue('{}', only),
      'invalid_schema',
      /Zod, a Standard Schema or a JSON Schema/,
    ],
    ['a tool with such an object', () => withInput(only), 'invalid_tool', /Zod, a Standard Schema or a JSON Schema/],
    [
      'a type that JSON Schema has not',
      () => withInput({ type: 'object', properties: { x: { type: 'strin' } } }),
      'invalid_tool',
      /"strin".*'string'/,
    ],
    [
      'a policy with a setting that does not exist',
      () => new Toolbox([], { policy: { minCertanty: 'lossless' } as never }),
      'invalid_option',
      /'minCertanty'.*minCertainty/,
    ],
    [
      'a policy with a value that does not exist',
      () => new Toolbox([], { policy: { minCertainty: 'exact' as never } }),
      'invalid_option',
      /'exact'.*lossless, inferred/,
    ],
    [
      'a policy of one tool',
      () => new Toolbox([], { policy: { tools: { now: { chek: true } as never } } }),
      'invalid_option',
      /'chek'.*check/,
    ],
    [
      'a policy with a limit that does not exist',
      () => new Toolbox([], { policy: { limits: { dept: 5 } as never } }),
      'invalid_option',
      /'dept'.*depth/,
    ],
    [
      'a field of a tool',
      () => tool({ name: 'a', description: 'A', parameters: { type: 'object' } } as never),
      'invalid_option',
      /'parameters': expected name, description, inputSchema/,
    ],
    [
      'a policy of a call',
      () => mend(call, toolbox, { minCertanty: 'lossless' } as never),
      'invalid_option',
      /'minCertanty'/,
    ],
    [
      'a policy of a tool, in its first call',
      () =>
        mend({ name: 'a', arguments: {} }, [tool({ name: 'a', description: 'A', policy: { chek: false } as never })]),
      'invalid_option',
      /'chek'/,
    ],
  ])('%s', async (_, act, code, words) => {
    const error = await thrownBy(act);
    expect(ToolmendError.isInstance(error) && [error.code, error.message]).toEqual([
      code,
      expect.stringMatching(words),
    ]);
  });

  it.each<[string, z.ZodType]>([
    ['z.date()', z.date()],
    ['z.set()', z.set(z.string())],
    ['z.map()', z.map(z.string(), z.string())],
    ['z.bigint()', z.bigint()],
    ['z.nan()', z.nan()],
    ['z.symbol()', z.symbol()],
    ['z.date()', z.array(z.object({ at: z.date().optional() }))],
    ['z.date()', z.union([z.string(), z.date()])],
    ['z.date()', z.lazy(() => z.tuple([z.date()]))],
  ])('%s is refused when it is added, because no JSON matches it', (name, field) => {
    expect(() => withInput(z.object({ x: field }))).toThrow(
      `has type "${name.slice(2, -2)}", which is not a JSON type`,
    );
    expect(() => withInput(z.object({ x: field }))).toThrow(ToolmendError);
  });

  it.each<[string, unknown, z.ZodType, unknown]>([
    ['z.any()', { a: [1] }, z.any(), { a: [1] }],
    ['z.unknown()', 'text', z.unknown(), 'text'],
    ['z.coerce.date()', '2020-01-01', z.coerce.date(), new Date('2020-01-01')],
    ['z.coerce.bigint()', 5, z.coerce.bigint(), 5n],
    ['a transform', '2020-01-01', z.iso.date().transform((text) => new Date(text)), new Date('2020-01-01')],
    [
      'a pipe',
      '2020-01-01',
      z
        .string()
        .transform((text) => new Date(text))
        .pipe(z.date()),
      new Date('2020-01-01'),
    ],
    ['preprocess', '2020-01-01', z.preprocess((text) => new Date(String(text)), z.date()), new Date('2020-01-01')],
    ['a set from a list', ['a'], z.array(z.string()).transform((list) => new Set(list)), new Set(['a'])],
  ])('guard: %s is supported', (_, value, field, expected) => {
    const outcome = mend({ name: 'a', arguments: { x: value } }, withInput(z.object({ x: field })));
    expect(outcome.status !== 'invalid' && (outcome.value as { x: unknown }).x).toEqual(expected);
  });

  it.each<[string, z3.ZodTypeAny]>([
    ['ZodDate', z3.object({ x: z3.array(z3.date()) })],
    ['ZodSet', z3.object({ x: z3.set(z3.string()).optional() })],
    ['ZodBigInt', z3.object({ x: z3.bigint().refine(() => true) })],
  ])('Zod 3: %s is refused when it is added', (name, schema) => {
    expect(() => withInput(schema)).toThrow(`has type "${name}", which is not a JSON type`);
    expect(withInput(z3.object({ x: z3.coerce.date(), y: z3.preprocess(() => new Date(), z3.date()) })).size).toBe(1);
  });

  it('feedback() on a good outcome', async () => {
    const { feedback } = await import('../src/index.ts');
    const outcome = mend({ name: 'now', arguments: {} }, toolbox);
    expect(() => feedback(outcome as never)).toThrow('Invalid outcome: expected an invalid one');
  });

  it('guard: what is right stays right', () => {
    expect(mend({ name: 'now', arguments: {} }, toolbox).status).toBe('ok');
    expect(mendValue('{"a": 1}').status).toBe('ok');
    expect(new Toolbox(new Set([tool({ name: 'a', description: 'b' })])).size).toBe(1);
  });
});
