import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { readCalls, renderCalls } from '../src/dialect/index.ts';
import { ConfigurationValidationError, mend, Toolbox, ToolmendError, tool, withMending } from '../src/index.ts';
import { JsonReader } from '../src/json/index.ts';
import { hasCode } from '../src/json/toolmend-error.ts';
import { openai, WireError } from '../src/provider/index.ts';
import { scripted } from '../src/provider/scripted/scripted.ts';
import { createProxy } from '../src/proxy/index.ts';
import { agent, FetchError, InvalidEdit, memoryStore, SequenceTaken, safeFetch } from '../src/run/index.ts';

const root = join(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const sources = globSync('src/**/*.ts', { cwd: root }).filter((file) => !/\.(?:fuzz\.)?test\.ts$/.test(file));

/** The files that have one error that is no `ToolmendError`, with the reason why no user meets it. */
const plain: Readonly<Record<string, string>> = {
  'src/json/toolmend-error.ts': 'the base class itself',
  'src/schema/validate/compile.ts': 'thrown and caught in the file: the schema is then checked in another way',
  'src/mend/streaming/json-suffix.ts': 'thrown and caught in the file: the text sent is not the beginning of the value',
  'src/provider/client/fetch.ts': 'has a code in the manner of the system, which becomes the error of a turn',
  'src/cli/tour/tools.ts': 'the tool of a demo fails as a tool of a user would',
};

const codes = (() => {
  const file = 'src/json/toolmend-error.ts';
  const source = ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest);
  const union = source.statements.find(
    (one) => ts.isTypeAliasDeclaration(one) && one.name.text === 'ToolmendErrorCode',
  );
  return [...(union?.getText(source) ?? '').matchAll(/'(\w+)'/g)].map(([, code = '']) => code);
})();

describe('the codes of errors', () => {
  it('are all in the table of docs/reference/errors.md, in the same order', () => {
    const [, table = ''] = read('docs/reference/errors.md').split('\n## Codes\n');
    const listed = [...table.replace(/\n## [\s\S]*/, '').matchAll(/^\| `(\w+)` \|/gm)].map(([, code]) => code);
    expect(codes.length).toBeGreaterThan(20);
    expect(listed).toEqual(codes);
    expect(codes).toEqual([...codes].sort());
  });

  it('are each used by the code', () => {
    expect(codes.length).toBeGreaterThan(20);
    const used = sources.filter((file) => !file.endsWith('/toolmend-error.ts')).map(read);
    const made = (code: string): RegExp =>
      new RegExp(`(?:ToolmendError|super)\\(\\s*(?:[^;]*? \\? )?(?:'\\w+' : )?'${code}'`);
    expect(codes.filter((code) => !used.some((text) => made(code).test(text)))).toEqual([]);
  });

  it('are on every error that the source makes', () => {
    const bare = /\b(?:new (?:Type|Range|Syntax|Eval)?Error\(|extends (?:Type|Range)?Error\b)/g;
    const found = sources.flatMap((file) => [...read(file).matchAll(bare)].map(() => file));
    expect(found.sort()).toEqual(Object.keys(plain).sort());
  });
});

describe('an error', () => {
  const reader = new JsonReader();
  reader.end();
  const standard = { '~standard': { version: 1, vendor: 'own', validate: (value: unknown) => ({ value }) } } as const;
  const run = (): ReturnType<typeof agent> => agent({ model: scripted(['Hello']), store: memoryStore() });

  const rows: readonly (readonly [string, string, () => unknown])[] = [
    ['a tool without a description', 'invalid_tool', () => new Toolbox([tool({ name: 'a', description: '' })])],
    [
      'an effect that does not exist',
      'invalid_tool',
      () => tool({ name: 'a', description: 'A', effect: 'x' as never }),
    ],
    [
      'a schema that is a text',
      'invalid_schema',
      () => tool({ name: 'a', description: 'A', inputSchema: 'text' }).schema,
    ],
    [
      'a schema without JSON Schema',
      'invalid_schema',
      () => withMending(standard)['~standard'].jsonSchema.input({ target: 'draft-07' }),
    ],
    ['a reader that has ended', 'closed', () => reader.push('{')],
    [
      'a dialect that does not exist',
      'unknown_dialect',
      () => readCalls('text', new Toolbox(), { dialect: 'klingon' }),
    ],
    [
      'calls that a dialect has no words for',
      'unrenderable_calls',
      () => renderCalls([{ name: 'a b', arguments: {} }], 'llama4-pythonic'),
    ],
    ['an address that is none', 'invalid_option', () => openai({ model: 'm', baseURL: 'https://' })],
    ['an allow list with no host', 'invalid_option', () => safeFetch('https://example.com', { allow: ['a b'] })],
    ['an address that is blocked', 'fetch_failed', () => safeFetch('http://127.0.0.1/')],
    ['a run that does not exist', 'unknown_run', () => run().resume('none')],
    ['an agent without a model', 'invalid_option', () => agent({} as never)],
    ['an upstream without an address', 'invalid_config', () => createProxy({ upstreams: [{ url: 'none' }] }).listen()],
    ['a budget below zero', 'invalid_config', () => agent({ model: scripted([]), budgets: { parallel: -1 } })],
  ];

  it.each(rows)('for %s has the code %s', async (_, code, act) => {
    const error = await new Promise((resolve) => resolve(act())).catch((thrown: unknown) => thrown);
    expect(ToolmendError.isInstance(error)).toBe(true);
    expect(error).toMatchObject({ code });
    expect(hasCode(error, code as never)).toBe(true);
  });

  it('is recognized by its own class alone', () => {
    const errors = [
      new ConfigurationValidationError('m', { configType: 'tool', field: 'name' }),
      new WireError('messages', 'must be a list'),
      new FetchError('timeout', 'late'),
      new InvalidEdit([]),
      new SequenceTaken('r', 1),
    ];
    const classes = [ConfigurationValidationError, WireError, FetchError, InvalidEdit, SequenceTaken];
    for (const [index, error] of errors.entries())
      expect(classes.map((one) => one.isInstance(error))).toEqual(classes.map((_, at) => at === index));
    expect(ToolmendError.isInstance(new Error('no'))).toBe(false);
  });

  it('is recognized also where another copy of the package made it', () => {
    const other = Object.assign(new Error('m'), { code: 'closed', [Symbol.for('toolmend.error')]: true });
    expect(ToolmendError.isInstance(other)).toBe(true);
    expect(other).not.toBeInstanceOf(ToolmendError);
  });

  it('guard: is no way to say that a call is invalid', () => {
    expect(mend({ name: 'none', arguments: '{' }, new Toolbox([])).status).toBe('invalid');
  });
});
