/** Prompted: the arguments of a call in JSON, in whatever object or list, are what `mend()` reads from the same text. */
import { describe, expect, it } from 'vitest';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { mend } from '../../src/mend/mend.ts';
import type { Outcome } from '../../src/mend/outcome.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';

const inputSchema = {
  type: 'object',
  properties: {
    command: { type: 'string' },
    n: { type: 'integer' },
    items: { type: 'array', items: { type: 'string' } },
    on: { type: 'boolean' },
    any: { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'null' }] },
  },
} as const;
const toolbox = new Toolbox([
  tool({ name: 'run_shell', description: 'Runs a command', effect: 'write', inputSchema }),
  tool({ name: 'wipe', description: 'Deletes what a command names', effect: 'destructive', inputSchema }),
]);
const read = (text: string) => readCalls(text, toolbox, { dialect: 'auto', prompted: true });

const forms: Readonly<Record<string, (name: string, given: string) => string>> = {
  bare: (name, given) => `{"name": "${name}", "arguments": ${given}}`,
  list: (name, given) => `[{"name": "${name}", "arguments": ${given}}]`,
  second: (name, given) => `[{"name": "${name}", "arguments": {}}, {"name": "${name}", "arguments": ${given}}]`,
  fence: (name, given) => `\`\`\`json\n{"name": "${name}", "arguments": ${given}}\n\`\`\``,
  tool: (name, given) => `{"tool": "${name}", "input": ${given}}`,
  wrapper: (name, given) => `{"tool_calls": [{"name": "${name}", "arguments": ${given}}]}`,
  python: (name, given) => `{'name': '${name}', 'arguments': ${given}}`,
};

const certainty = ({ repairs }: Outcome): string =>
  repairs.some((one) => one.kind !== 'text' && one.certainty !== 'lossless') ? 'inferred' : 'lossless';
const tellOf = (outcome: Outcome) =>
  outcome.status === 'invalid' ? 'invalid' : { input: outcome.input, certainty: certainty(outcome) };

/** What a call is in each form that is a call; one that is refused in a form alone is left out, since that is stricter. */
const inForms = (name: string, given: string) =>
  Object.values(forms).flatMap((form) => {
    const last = read(form(name, given)).calls.at(-1);
    return last ? [tellOf(last)] : [];
  });
const expectAsMend = (given: string): void => {
  for (const name of ['run_shell', 'wipe']) {
    const expected = tellOf(mend({ name, arguments: given }, toolbox));
    for (const told of inForms(name, given)) {
      if (typeof told === 'string') continue;
      // A wrapper around the call is inferred itself.
      const least = typeof expected === 'object' && told.certainty === 'inferred' ? { certainty: 'inferred' } : {};
      expect(told).toEqual(typeof expected === 'object' ? { ...expected, ...least } : expected);
    }
  }
};

describe('arguments that are no value are refused', () => {
  it.each([
    '{"command": "rm " + target}',
    '{"command": "a" or "b"}',
    '{"command": "a" && "b"}',
    '{"command": "a" | "b"}',
    ['{"command": `rm -rf $', '{dir}`}'].join(''),
    '{"command": get_cmd()}',
    '{"command": f"rm {x}"}',
    '{"command": os.environ["CMD"]}',
    '{"command": "ls" if x else "b"}',
    '{"command": "ls".strip()}',
    '{"command": "a" * 3}',
    '{"command": "%s" % x}',
    '{"command": <your path>}',
    '{"items": ["a",,"b"]}',
  ])('%s', (given) => {
    expect(mend({ name: 'run_shell', arguments: given }, toolbox).status).toBe('invalid');
    for (const told of inForms('run_shell', given)) expect(told).toBe('invalid');
  });
});

describe('what was inferred in the arguments is recorded', () => {
  const expectInferred = (given: string) => {
    expectAsMend(given);
    for (const told of inForms('wipe', given)) expect(told).toBe('invalid');
  };
  it.each([
    '{"command": "a\\n" +\n"b"}',
    '{"command": "my\\_file.txt"}',
    '{"command": 1.50}',
    '{"command": 007}',
    '{"command": False}',
    '{"command": True}',
    '{"command": ls -la}',
  ])('%s', expectInferred);
  it.each(['{"command": "ls" // list\n}'])('guard: %s', expectInferred);
});

describe('other separators are read as mend() reads them', () => {
  it.each(['{"command": "ls"; "n": 3}', '{"command" => "ls"}'])('%s', expectAsMend);
});

describe('guard: other notations are read as mend() reads them, or refused', () => {
  it.each([
    '{}',
    '{"command": "ls"}',
    "{'command': 'ls'}",
    "{'command': 'ls', 'on': True, 'any': None}",
    '{command: "ls"}',
    '{"command": "ls",}',
    '{"command": ls}',
    '{"command": \'ls\'}',
    '{"command": "say "hi" now"}',
    "{'command': 'it''s'}",
    '{"command": "C:\\Users\\new"}',
    '{"command": "\\d+"}',
    '{"command": "ls" "n": 3}',
    '{"command": "a", "command": "b"}',
    '{"command": "a", "command": "a"}',
    '{"n": 9007199254740993}',
    '{"any": 9007199254740993}',
    '{"any": 007}',
    '{"n": "5"}',
    '{"command": undefined}',
    '{"command": NaN}',
    '{"command": "ls", "n": 0x10}',
    '{"command": "ls", "n": 1_000}',
    '{"command": "ls", "n": 5+7}',
    '{"command": "ls", "n": +5}',
    '{"command": "ls", "n": 3 4}',
    '{"command": """ls"""}',
    '{"command": r"ls\\d"}',
    '{"command": ("ls")}',
    '{"command": ("a" "b")}',
    '{"items": ["a" "b"]}',
    '{"items": ("a", "b")}',
    '{"items": {"a", "b"}}',
    '{"items": [x for x in y]}',
    '{"items": "a"}',
    '{"items": [*x]}',
    '{"command": null}',
    '{"command": “ls”}',
    '{"command": "ls", ...}',
    '{"command": "ls" # c\n}',
    '{"command" = "ls"}',
    '{"__proto__": 1}',
    '{"command": "a\nb"}',
    '{"command": "a\\x41"}',
    '{"command": }',
    '{"command": ["ls"]}',
    '{"command": dict(a=1)}',
  ])('%s', expectAsMend);
});

describe('guard: arithmetic on numbers in Python is inferred', () => {
  it.each(Object.keys(forms))('%s', (form) => {
    const given = "{'command': 'ls', 'n': 5+7}";
    const told = (name: string) =>
      read((forms[form] as (typeof forms)[string])(name, given))
        .calls.map(tellOf)
        .at(-1);
    expect(told('run_shell')).toEqual({ input: { command: 'ls', n: 12 }, certainty: 'inferred' });
    expect(told('wipe')).toBe('invalid');
  });
});

describe('keys of a call that are given twice', () => {
  it.each([
    '{"name":"wipe","arguments":{"command":"/tmp/a"},"arguments":{"command":"/srv/b"}}',
    '{"name":"run_shell","name":"wipe","arguments":{"command":"a"}}',
    '[{"name":"wipe","arguments":{"command":"/tmp/a"},"arguments":{"command":"/srv/b"}}]',
    '```json\n{"tool":"wipe","input":{"command":"/tmp/a"},"input":{"command":"/srv/b"}}\n```',
    "{'name':'run_shell','arguments':{'command':'a'},'arguments':{'command':'b'}}",
    '{"name":"wipe","arguments":"{\\"command\\":\\"a\\"}","arguments":"{\\"command\\":\\"b\\"}"}',
    '{"tool_calls":[{"name":"run_shell","arguments":{"command":"a"}}],"tool_calls":[{"name":"run_shell","arguments":{"command":"b"}}]}',
    '{"function":{"name":"wipe","arguments":{"command":"a"}},"function":{"name":"wipe","arguments":{"command":"b"}}}',
  ])('%s', (text) => {
    const { calls } = read(text);
    expect(calls.map(({ status }) => status)).toEqual(['invalid']);
    expect(calls[0]?.problems.map(({ code }) => code)).toContain('duplicate_key');
  });

  it.each([
    '{"name":"wipe","arguments":{"command":"a"},"arguments":{"command":"a"}}',
    '{"name":"wipe","name":"wipe","arguments":{"command":"a"}}',
  ])('guard: equal ones are one: %s', (text) => {
    expect(read(text).calls).toMatchObject([{ name: 'wipe', status: 'ok', input: { command: 'a' } }]);
  });
});

describe('what is inferred around the arguments is recorded', () => {
  it.each([
    '[{"name":"wipe","arguments":{"command":"a"}]',
    '{"name":"wi" + "pe","arguments":{"command":"a"}}',
    '{"name":"wipe","arguments":{"command":"a"},"id": x + 1}',
    '{"name":"wipe",,"arguments":{"command":"a"}}',
  ])('%s', (text) => {
    expect(read(text).calls.map(({ status }) => status)).toEqual(['invalid']);
  });
});
