/** What a JavaScript caller reads who passes the wrong thing, for every function and class of every entry. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { entriesByImport } from '../scripts/entries.ts';
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
  ])('%s', async (_, act, code, words) => {
    const error = await thrownBy(act);
    expect(ToolmendError.isInstance(error) && [error.code, error.message]).toEqual([
      code,
      expect.stringMatching(words),
    ]);
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
