import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cpuOf } from '../../test/cpu-of.ts';
import { findTool } from './find-tool.ts';
import { type Effect, type Tool, tool } from './tool.ts';
import { Toolbox, type ToolboxOptions } from './toolbox.ts';

const named = (name: string, effect: Effect = 'read'): Tool => tool({ name, description: name, effect });
const box = (names: string[], effect: Effect = 'read', options: ToolboxOptions = {}) =>
  new Toolbox(
    names.map((name) => named(name, effect)),
    options,
  );

/** What a written name came to: the tool and how sure, or the problem's words. */
const found = (name: string, toolbox: Toolbox) => {
  const result = findTool(name, toolbox);
  return result.tool ? [result.tool.name, result.repair?.certainty ?? 'exact'] : result.problem.message;
};

describe('the exact name', () => {
  it('is taken as it is, without a repair', () => {
    expect(findTool('read_file', box(['read_file']))).toEqual({ tool: expect.objectContaining({ name: 'read_file' }) });
  });

  it('goes before one equal after folding', () => {
    const toolbox = box(['readFile', 'read_file'], 'read', { validate: false });
    expect(found('read_file', toolbox)).toEqual(['read_file', 'exact']);
  });
});

describe('S4.3 names are repaired, never silently to another tool', () => {
  const toolbox = box(['read_file', 'todowrite', 'search'], 'destructive');

  it.each([
    ['Read_File', 'read_file'],
    ['READ-FILE', 'read_file'],
    ['readFile', 'read_file'],
    ['read file', 'read_file'],
    ['read.file', 'read_file'],
    ['read/file', 'read_file'],
    ['read_file[ARGS]', 'read_file'],
    ['functions.read_file', 'read_file'],
    ['functions.readFile', 'read_file'],
    ['tools.read_file', 'read_file'],
    ['default_api.read_file', 'read_file'],
    ['functions.default_api.read_file', 'read_file'],
    ['mcp__files__read_file', 'read_file'],
    ['mcp__my_files__read_file', 'read_file'],
    ['read_file<|im_end|>', 'read_file'],
    ['<|tool|>read_file', 'read_file'],
    ['read_file<|channel|>commentary', 'read_file'],
    ['<｜tool▁sep｜>read_file', 'read_file'],
    ['"read_file"', 'read_file'],
    ['`read_file`', 'read_file'],
    ['read_file()', 'read_file'],
  ])('S4.3 %j is lossless %j, even for destructive tools', (written, name) => {
    expect(found(written, toolbox)).toEqual([name, 'lossless']);
  });

  it('S4.3 the repair says what was written and what it became', () => {
    expect(findTool('Read-File', toolbox)).toMatchObject({
      repair: { path: [], kind: 'name', before: 'Read-File', after: 'read_file', certainty: 'lossless' },
    });
  });

  it('S4.3 two tools equal after folding are never chosen between', () => {
    const two = box(['read_file', 'readFile'], 'read', { validate: false });
    const result = findTool('READ_FILE', two);
    expect(result.tool).toBeUndefined();
    expect(result).toMatchObject({ closest: ['read_file', 'readFile'], problem: { code: 'unknown_tool' } });
  });

  it('S4.3 a word before a dot is taken off only where it is a server that the toolbox knows', () => {
    const two = box(['user.delete', 'delete'], 'destructive');
    expect(found('users.delete', two)).toMatch(/does not exist; did you mean 'user.delete' or 'delete'/);
    expect(found('crm.delete', two)).toMatch(/does not exist/);
    const crm = new Toolbox([{ ...named('delete', 'destructive'), server: 'crm' }]);
    expect(found('crm.delete', crm)).toEqual(['delete', 'lossless']);
    expect(found('undo.delete', crm)).toMatch(/does not exist/);
    expect(found('mcp__crm__delete', crm)).toEqual(['delete', 'lossless']);
    expect(found('mcp__billing__delete', crm)).toMatch(/does not exist/);
  });

  it('S4.3 brackets that are no special token stay', () => {
    expect(found('list<string>', box(['list'], 'write'))).toMatch(/does not exist/);
  });

  it('S4.3 versions stay apart', () => {
    expect(found('query_v1_0', box(['query_v10']))).toMatch(/does not exist/);
    expect(found('query_v1.0', box(['query_v1_0']))).toEqual(['query_v1_0', 'lossless']);
  });
});

describe('C5 invented and respelled names', () => {
  it('C5 todo_write is todowrite', () => {
    expect(found('todo_write', box(['todowrite'], 'write'))).toEqual(['todowrite', 'lossless']);
  });

  it('C5 suggests the closest names for an invented one and, if there are few, lists all', () => {
    const result = findTool('weather_lookup', box(['get_weather', 'read_file']));
    expect(result).toMatchObject({
      tool: undefined,
      closest: ['get_weather'],
      problem: {
        code: 'unknown_tool',
        received: 'weather_lookup',
        message:
          "Tool 'weather_lookup' does not exist; did you mean 'get_weather'? Available tools: get_weather, read_file",
      },
    });
  });

  it('C5 with many tools the list is left out', () => {
    const many = box(Array.from({ length: 21 }, (_, i) => `tool_number_${i}`));
    expect(found('frobnicate', many)).toBe("Tool 'frobnicate' does not exist");
  });

  it('C5 an empty toolbox says so', () => {
    expect(found('anything', new Toolbox())).toBe("Tool 'anything' does not exist: there are no tools");
  });
});

describe('C13 prefixes', () => {
  it('C13 default_api: is taken off', () => {
    expect(found('default_api:get_weather', box(['get_weather'], 'destructive'))).toEqual(['get_weather', 'lossless']);
  });

  it("C13 a toolbox's own mcp__server__ prefix may be left out where one tool matches", () => {
    const toolbox = box(['mcp__github__search', 'mcp__github__read', 'mcp__files__read']);
    expect(found('search', toolbox)).toEqual(['mcp__github__search', 'lossless']);
    expect(found('functions.search', toolbox)).toEqual(['mcp__github__search', 'lossless']);
    expect(found('github.search', toolbox)).toEqual(['mcp__github__search', 'lossless']);
    expect(found('files_read', toolbox)).toEqual(['mcp__files__read', 'lossless']);
    expect(found('read', toolbox)).toMatch(/could be more than one tool; did you mean/);
  });

  it("C13 one server's tool is never taken for another's", () => {
    const toolbox = box(['mcp__slack__send_message'], 'read');
    expect(found('mcp__gmail__send_message', toolbox)).toMatch(
      /does not exist; did you mean 'mcp__slack__send_message'/,
    );
    expect(found('gmail.send_message', toolbox)).toMatch(/does not exist/);
  });
});

describe('one letter away', () => {
  const toolbox = box(['read_file', 'get_weather', 'report_2024']);

  it.each([
    ['get_waether', 'get_weather'],
    ['get_weatherr', 'get_weather'],
    ['GetWeathr', 'get_weather'],
    ['get_weathor', 'get_weather'],
    ['functions.get_wether', 'get_weather'],
    ['reprt_2024', 'report_2024'],
  ])('%j is read as %j, inferred', (written, name) => {
    expect(found(written, toolbox)).toEqual([name, 'inferred']);
  });

  it.each([
    ['another first letter', 'head_file', toolbox],
    ['a changed digit', 'report_2023', toolbox],
    ['a digit too many', 'report_20244', toolbox],
    ['two letters', 'read_fl', toolbox],
    ['a short word of the name', 'read_fle', toolbox],
    ['the last letter of a word replaced', 'get_weatheb', toolbox],
    ['the first letter of a word replaced', 'get_heather', toolbox],
    ['a short name', 'gret', box(['great'])],
    ['a short tool', 'lists', box(['list'])],
    ['two candidates', 'read_fil', box(['read_file', 'read_fill'])],
    ['a second candidate that writes', 'read_fil', new Toolbox([named('read_file'), named('read_fill', 'write')])],
    ['a writing tool', 'write_fle', box(['write_file'], 'write')],
    ['a destructive tool', 'drop_tabl', box(['drop_table'], 'destructive')],
  ])('%s is not repaired but offered', (_, written, among) => {
    expect(found(written, among)).toMatch(/does not exist; did you mean/);
  });
});

describe('F9 hostile names', () => {
  it.each(['toString', 'constructor', '__proto__', 'hasOwnProperty'])('F9 %j finds nothing inherited', (name) => {
    expect(findTool(name, box(['read_file'])).tool).toBeUndefined();
  });

  it.each(['toString', '__proto__', 'constructor'])('F9 a tool named %j is a tool like any other', (name) => {
    expect(found(name, box([name, 'read_file']))).toEqual([name, 'exact']);
  });

  it.each(['', ' ', '⚙', '???', '<|x'.slice(0, 2), '__'])(
    'a name without letter or digit (%j) is never a call',
    (name) => {
      const result = findTool(name, box(['x', '⚙'], 'read', { validate: false }));
      expect(result).toMatchObject({ tool: undefined, closest: [], problem: { code: 'unknown_tool' } });
      expect(found(name, box(['x']))).toMatch(/has no letter or digit, so no tool was called/);
    },
  );

  it('letters of every script count', () => {
    expect(found('天气查询', box(['天气查询']))).toEqual(['天气查询', 'exact']);
  });

  it('a name of a million characters costs little and is shown short', () => {
    const [name, toolbox] = ['functions.'.repeat(100_000), box(['read_file'])];
    expect(cpuOf(() => found(name, toolbox))).toBeLessThan(200);
    expect(String(found(name, toolbox)).length).toBeLessThan(200);
  });

  it('no text throws, and what is found without a repair is what was written', () => {
    const toolbox = box(['read_file', 'mcp__a__b', 'get_weather'], 'read');
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'<|>._mcp:read file"`') })), (name) => {
        const result = findTool(name, toolbox);
        if (result.tool && !result.repair) expect(result.tool.name).toBe(name);
        if (!result.tool) expect(result.problem.message).toContain('Tool');
      }),
    );
  });
});

describe('a server before a colon, and ids whose signs a client replaced', () => {
  const memory = ['mcp__Memory__read_graph', 'mcp__Memory__create', 'mcp__File__read_graph'];

  it.each([
    ['memory:read_graph', memory, 'mcp__Memory__read_graph', 'lossless'],
    ['Memory::read-graph', memory, 'mcp__Memory__read_graph', 'lossless'],
    ['memory:read_graph', [...memory, 'read_graph'], 'mcp__Memory__read_graph', 'lossless'],
    ['functions_read_file_1', ['read_file', 'write_file'], 'read_file', 'inferred'],
    ['functions_read_file_12', ['readFile'], 'readFile', 'inferred'],
  ])('%s of %j', (name, tools, tool, certainty) => {
    expect(found(name, box(tools, 'destructive'))).toEqual([tool, certainty]);
  });

  it.each([
    ['other:read_graph', memory],
    ['memory:graph', memory],
    ['read:graph', ['mcp__Memory__read_graph']],
    ['memory:read_graph:0', memory],
    ['memory:0', memory],
    ['db:read_graph', ['read_graph']],
    ['functions_read_file', ['read_file']],
    ['functions_read_file_a', ['read_file']],
    ['read_file_1', ['read_file']],
    ['my_functions_read_file_1', ['read_file']],
    ['functions_read_file_1', ['read_file_1']],
  ])('guard: %s is none of %j', (name, tools) => {
    expect(found(name, box(tools, 'destructive'))).toContain('does not exist');
  });
});
