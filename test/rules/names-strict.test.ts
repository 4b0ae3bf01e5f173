/** Names: what is taken off and what is not, so that no call reaches a tool that was not meant. */
import { describe, expect, it } from 'vitest';
import { mend } from '../../src/mend/mend.ts';
import { type Effect, tool } from '../../src/tools/tool.ts';
import { toolFromMcp } from '../../src/tools/tool-from-mcp.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';

const input = { type: 'object', properties: { path: { type: 'string' } } };
const box = (...names: (string | [string, Effect])[]): Toolbox =>
  new Toolbox(
    names.map((one) => {
      const [name, effect] = typeof one === 'string' ? [one, 'read' as const] : one;
      return tool({ name, description: 'D', effect, inputSchema: input });
    }),
  );
const called = (toolbox: Toolbox, name: string, args: unknown = {}) => {
  const outcome = mend({ name, arguments: args }, toolbox);
  return outcome.status === 'invalid' ? outcome.errorType : outcome.name;
};

const people = box(['delete_user', 'destructive'], 'get_weather', 'read_file', 'get_cat', 'mcp__github__search');

describe('Names: a word before a dot is a server only if the toolbox has it', () => {
  it.each(['undo.delete_user', 'dont.delete_user', 'draft.delete_user', 'files.read_file', 'preview.get_weather'])(
    'Names: %s is unknown',
    (name) => expect(called(people, name)).toBe('unknown_tool'),
  );
  it('Names: the closest names are suggested', () => {
    expect(mend({ name: 'undo.delete_user' }, people).problems[0]?.message).toContain("did you mean 'delete_user'");
  });
});

describe("Names: a number after a colon is only the index of Kimi's functions.NAME:INDEX", () => {
  it.each(['delete_user:2', 'get_weather:7', 'delete_user:02', 'tools.delete_user:2', 'default_api.get_weather:0'])(
    'Names: %s is unknown',
    (name) => {
      for (const args of [{}, '', '{}', { path: 'x' }]) expect(called(people, name, args)).toBe('unknown_tool');
    },
  );
  it.each(['delete_user:2 {}', 'delete_user:2\n{"path": "x"}'])('Names: %j around the arguments is refused', (args) =>
    expect(called(people, 'delete_user', args)).toBe('validation'),
  );
  it.each([
    ['functions.delete_user:2', 'delete_user'],
    ['functions.getWeather:0', 'get_weather'],
    ['functions.mcp__github__search:12', 'mcp__github__search'],
    ['<|tool_call_begin|>functions.read_file:1', 'read_file'],
  ])('guard: Names: %s', (written, name) => expect(called(people, written)).toBe(name));
});

describe('guard: Names: known servers and grammar prefixes', () => {
  it.each([
    ['github.search', 'mcp__github__search'],
    ['search', 'mcp__github__search'],
    ['functions.delete_user', 'delete_user'],
    ['default_api:delete_user', 'delete_user'],
    ['tools.get_weather', 'get_weather'],
    ['mcp__people__delete_user', 'delete_user'],
  ])('Names: %s', (written, name) => expect(called(people, written)).toBe(name));
});

describe('Names: a typo, for tools that read', () => {
  it.each([
    ['get_waether', 'two letters swapped'],
    ['get_weatehr', 'two letters swapped'],
  ])('Names: %s is get_weather (%s)', (written) => expect(called(people, written)).toBe('get_weather'));
  it.each([
    ['get_car', 'a short word'],
    ['read_fine', 'a short word'],
    ['read_fle', 'a short word'],
    ['get_heather', 'the first letter of the word'],
    ['get_weathes', 'the last letter of the word'],
  ])('Names: %s is unknown (%s)', (written) => expect(called(people, written)).toBe('unknown_tool'));
  it('guard: Names: no typo for a tool that writes, with two candidates, or in a digit', () => {
    expect(called(box(['send_message', 'write']), 'send_mesage')).toBe('unknown_tool');
    expect(called(box('get_weather', 'get_wether'), 'get_wather')).toBe('unknown_tool');
    expect(called(box('search_report1'), 'search_report2')).toBe('unknown_tool');
  });
});

describe('Names: a repeated name', () => {
  it.each([
    'read_fileread_file',
    'read_file read_file',
    'read_file,read_file',
    'functions.read_filefunctions.read_file',
  ])('Names: %s is read_file, inferred', (written) => {
    expect(mend({ name: written, arguments: {} }, people)).toMatchObject({
      name: 'read_file',
      repairs: [{ kind: 'name', certainty: 'inferred' }],
    });
  });
  it('guard: Names: never calls a destructive tool, nor one whose name only starts the same', () => {
    expect(mend({ name: 'delete_userdelete_user', arguments: {} }, people).status).toBe('invalid');
    expect(called(people, 'read_fileread_files')).toBe('unknown_tool');
    expect(called(people, 'read_filewrite_file')).toBe('unknown_tool');
  });
});

describe('Names: markup around the name', () => {
  it.each([
    '<invoke name="read_file">',
    '<function=read_file>',
    'read_file">',
    '<|"|read_file<|"|',
    'name="read_file"',
    'read_file</tool_name>',
  ])('Names: %s', (written) => expect(called(people, written)).toBe('read_file'));
  it('guard: Names: an opening tag before it', () => expect(called(people, '<tool_call>read_file')).toBe('read_file'));
  it.each([
    'read_file{"path": "a.ts"}',
    'read_file<|message|>{"path": "a.ts"}',
    'read_file({"path": "a.ts"})',
    'functions.read_file<|constrain|>json<|message|>{"path": "a.ts"}<|call|>',
  ])('Names: %s contains its arguments, which are read', (written) => {
    for (const args of ['', undefined, null])
      expect(mend({ name: written, arguments: args }, people)).toMatchObject({
        name: 'read_file',
        input: { path: 'a.ts' },
      });
    expect(called(people, written, { path: 'b.ts' })).toBe('unknown_tool');
  });
  it('guard: Names: brackets that are not markup stay', () => {
    expect(called(box('list'), 'list<string>')).toBe('unknown_tool');
    expect(called(people, '<parameter=read_file>')).toBe('unknown_tool');
  });
});

describe('Effects: an unknown effect is a definition error', () => {
  it.each(['delete', 'none', '', 'READ', 'readonly', 'destroy', 5])('Effects: effect %j', (word) => {
    const effect = word as Effect;
    expect(() => tool({ name: 'a', description: 'A', effect })).toThrow(/effect is/);
    const made = { ...tool({ name: 'a', description: 'A' }), effect };
    expect(() => new Toolbox([made], { validate: false })).toThrow(/effect is/);
    const listed = toolFromMcp({ name: 'a', description: 'A', inputSchema: input, effect } as never, { trusted: true });
    expect(() => new Toolbox([listed])).toThrow(/effect is/);
  });
  it('Effects: a JSON definition sets its effect, and an untrusted one only a stronger effect', () => {
    const listed = (effect: string, trusted: boolean) =>
      toolFromMcp({ name: 'a', description: 'A', inputSchema: input, effect } as never, { trusted }).effect;
    expect(listed('destructive', false)).toBe('destructive');
    expect(listed('read', true)).toBe('read');
    expect(listed('read', false)).toBe('write');
  });
  it('guard: Effects: a missing effect is write', () => {
    expect(tool({ name: 'a', description: 'A' }).effect).toBe('write');
    expect(toolFromMcp({ name: 'a', description: 'A' }).effect).toBe('write');
  });
});

describe('Effects: the stricter policy wins', () => {
  const n = { type: 'object', properties: { n: { type: 'integer' } } };
  const run = (toolbox: object, own: object, call?: object) =>
    mend(
      { name: 'act', arguments: { n: '5' } },
      new Toolbox([tool({ name: 'act', description: 'A', inputSchema: n, ...own })], { policy: toolbox }),
      call,
    ).status;
  it.each<[string, object, object, object | undefined]>([
    ['a toolbox over a tool', { minCertainty: 'lossless' }, { minCertainty: 'inferred' }, undefined],
    [
      'a toolbox over a destructive tool',
      { minCertainty: 'lossless' },
      { effect: 'destructive', minCertainty: 'inferred' },
      undefined,
    ],
    [
      'a toolbox by name over a tool',
      { tools: { a: {}, 'a*': { minCertainty: 'lossless' } } },
      { minCertainty: 'inferred' },
      undefined,
    ],
    ['a toolbox over a call', { minCertainty: 'lossless' }, {}, { minCertainty: 'inferred' }],
    ["a tool's policy over a call", {}, { policy: { minCertainty: 'lossless' } }, { minCertainty: 'inferred' }],
  ])('Effects: %s', (_, toolbox, own, call) => expect(run(toolbox, own, call)).toBe('invalid'));
  it('Effects: a requested check is not skipped', () => {
    const bad = (toolbox: object, own: object, call?: object) =>
      mend(
        { name: 'act', arguments: { n: 'x' } },
        new Toolbox([tool({ name: 'act', description: 'A', inputSchema: n, ...own })], { policy: toolbox }),
        call,
      ).status;
    expect(bad({ check: true }, { policy: { check: false } })).toBe('invalid');
    expect(bad({}, { policy: { check: true } }, { check: false })).toBe('invalid');
  });
  it('guard: Effects: an exception of the toolbox, and a call that is stricter', () => {
    expect(run({ minCertainty: 'lossless', tools: { act: { minCertainty: 'inferred' } } }, {})).toBe('mended');
    expect(run({}, { minCertainty: 'inferred' }, { minCertainty: 'lossless' })).toBe('invalid');
    expect(run({}, {})).toBe('mended');
  });
});

describe('Certainty: of two repairs in one place, the less certain counts', () => {
  const path = { type: 'object', properties: { path: { type: 'string' } } };
  const drop = new Toolbox([tool({ name: 'drop', description: 'D', inputSchema: path, effect: 'destructive' })]);
  it.each(['{path: Hello, world}', '{path: see a, b and c}', "{'path': don't, stop}"])(
    'Certainty: %s is inferred, and a destructive tool refuses it',
    (args) => expect(mend({ name: 'drop', arguments: args }, drop).status).toBe('invalid'),
  );
});
