import { describe, expect, it } from 'vitest';
import { ConfigurationValidationError } from './config-error.ts';
import { type Tool, type ToolMetadata, tool } from './tool.ts';
import { Toolbox } from './toolbox.ts';

const named = (name: string, metadata: ToolMetadata = {}): Tool =>
  tool({ name, description: `Does ${name}`, metadata });
const thrown = (work: () => unknown): unknown => {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
};

describe('Toolbox', () => {
  it('holds tools by name, in the order they came', () => {
    const toolbox = new Toolbox([named('b'), named('a')]).add(named('c'));
    expect(toolbox.size).toBe(3);
    expect(toolbox.get('a')?.name).toBe('a');
    expect([toolbox.has('a'), toolbox.has('z')]).toEqual([true, false]);
    expect(toolbox.list().map(({ name }) => name)).toEqual(['b', 'a', 'c']);
    expect([...toolbox].map(({ name }) => name)).toEqual(['b', 'a', 'c']);
    expect([toolbox.remove('a'), toolbox.remove('a')]).toEqual([true, false]);
    expect(toolbox.get('a')).toBeUndefined();
  });

  it('finds tools by tag, category and text', () => {
    const toolbox = new Toolbox([
      named('read_file', { category: 'files', tags: ['read'], title: 'Open' }),
      named('write_file', { category: 'files', tags: ['edit'] }),
      named('fetch', { category: 'web', tags: ['read'] }),
    ]);
    const names = (wanted: Parameters<Toolbox['search']>[0]) => toolbox.search(wanted).map(({ name }) => name);
    expect(names({ tag: 'read' })).toEqual(['read_file', 'fetch']);
    expect(names({ category: 'files' })).toEqual(['read_file', 'write_file']);
    expect(names({ tag: 'read', category: 'files' })).toEqual(['read_file']);
    expect(names({ text: 'OPEN' })).toEqual(['read_file']);
    expect(names({ text: 'does write' })).toEqual(['write_file']);
    expect(names({})).toHaveLength(3);
  });

  it.each(['toString', '__proto__', 'constructor'])('F9 a tool named %j comes and goes like any other', (name) => {
    const toolbox = new Toolbox();
    expect([toolbox.has(name), toolbox.get(name), toolbox.warnings(name)]).toEqual([false, undefined, []]);
    toolbox.add(named(name));
    expect(toolbox.get(name)?.name).toBe(name);
    expect(toolbox.remove(name)).toBe(true);
    expect(toolbox.get(name)).toBeUndefined();
  });

  it.each(['read_file', 'readFile', 'Read-File', 'read.file'])('refuses %j beside read_file', (name) => {
    const toolbox = new Toolbox([named('read_file')]);
    const error = thrown(() => toolbox.add(named(name)));
    expect(error).toMatchObject({ configType: 'tool', field: 'name' });
    expect(toolbox.size).toBe(1);
  });

  it('takes the name again once the other is gone', () => {
    const toolbox = new Toolbox([named('read_file')]);
    toolbox.remove('read_file');
    expect(toolbox.add(named('readFile')).size).toBe(1);
  });

  it('S3.3 refuses a faulty definition, says where, what to do, and how much more there is', () => {
    const input = { type: 'object', properties: { a: {}, b: { type: 'string' } }, required: ['c'] };
    const error = thrown(() => new Toolbox([tool({ name: 'bad', description: 'Bad', inputSchema: input })]));
    expect(ConfigurationValidationError.isInstance(error)).toBe(true);
    expect(error).toMatchObject({
      name: 'ConfigurationValidationError',
      configType: 'tool',
      field: 'parameters.required',
      faults: [{ field: 'parameters.required' }, { field: 'parameters.properties.a.type' }],
      message:
        "Tool 'bad' can't be added: \"c\" is required but not among the properties. Add it to properties, or remove it from required. (and 1 more: parameters.properties.a.type)",
    });
    expect(ConfigurationValidationError.isInstance(new Error('other'))).toBe(false);
  });
});

describe('definitions taken as given', () => {
  it('turns faults into warnings and takes any text for a name', () => {
    const toolbox = new Toolbox(
      [named('⚙ any text'), tool({ name: 'bad', description: '', inputSchema: { type: 'string' } })],
      {
        validate: false,
      },
    );
    expect(toolbox.size).toBe(2);
    expect(toolbox.warnings('⚙ any text')).toEqual([]);
    expect(toolbox.warnings('bad').map(({ field }) => field)).toEqual(['description', 'parameters.type']);
  });

  it('still asks for a text as the name', () => {
    const error = thrown(() => new Toolbox([named(5 as unknown as string)], { validate: false }));
    expect(error).toMatchObject({ configType: 'tool', field: 'name' });
  });

  it('F14 a tool defined again is flagged, and the last definition counts', () => {
    const toolbox = new Toolbox([named('a'), named('a', { version: '2' })], { validate: false });
    expect(toolbox.size).toBe(1);
    expect(toolbox.get('a')?.metadata.version).toBe('2');
    expect(toolbox.names.folded('A')).toHaveLength(1);
    expect(toolbox.warnings('a')).toMatchObject([{ field: 'name', message: expect.stringContaining('twice') }]);
  });

  it('warns of names a model confuses', () => {
    const toolbox = new Toolbox([named('readFile'), named('read_file')], { validate: false });
    expect(toolbox.warnings('readFile')).toMatchObject([{ message: expect.stringContaining("'read_file'") }]);
  });
});
