import { describe, expect, it } from 'vitest';
import { mend } from '../../src/mend/mend.ts';
import { type Effect, tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import { told } from './mend-with.ts';

const box = (...names: (string | [string, Effect])[]): Toolbox =>
  new Toolbox(
    names.map((one) => {
      const [name, effect] = typeof one === 'string' ? [one, 'read' as const] : one;
      return tool({ name, description: 'D', effect });
    }),
  );
const find = (toolbox: Toolbox, name: string) => mend({ name, arguments: {} }, toolbox);
const tools = box('read_file', 'getWeather', ['delete_file', 'destructive'], ['write_note', 'write']);

it('Names: Exact', () => {
  expect(told(find(tools, 'read_file'))).toEqual({ status: 'ok', input: {}, repairs: [] });
});

it.each([
  ['READ_FILE', 'read_file'],
  ['readFile', 'read_file'],
  ['Read-File', 'read_file'],
  ['read file', 'read_file'],
  ['get_weather', 'getWeather'],
  ['DeleteFile', 'delete_file'],
])('Names: then the one tool equal but for case, separators and camelCase: %s', (written, meant) => {
  expect(find(tools, written)).toMatchObject({ status: 'mended', name: meant });
  expect(told(find(tools, written))).toMatchObject({ repairs: ['name lossless'] });
});

it.each([
  'functions.read_file',
  'tools.read_file',
  'default_api.read_file',
  'default_api:read_file',
  'mcp__files__read_file',
  'read_file<|channel|>commentary',
  '<|tool|>read_file',
])('Names: then known prefixes and stray special tokens taken off: %s', (written) => {
  expect(find(tools, written)).toMatchObject({ status: 'mended', name: 'read_file' });
});

describe('Names: then, for read tools alone, the one name at edit distance 1', () => {
  it('Names: a read tool is found, as inferred', () => {
    for (const written of ['get_waether', 'get_weathr', 'getWeatherr', 'get_weathor'])
      expect(told(find(tools, written))).toMatchObject({ status: 'mended', repairs: ['name inferred'] });
  });

  it.each([
    ['a tool that writes', 'write_nite'],
    ['a tool that destroys', 'delete_fil'],
    ['another first letter', 'bead_file'],
    ['two edits', 'raed_flie'],
    ['a word of fewer than six letters', 'read_fle'],
    ['the first letter of a word replaced', 'get_heather'],
    ['the last letter of a word replaced', 'get_weathes'],
  ])('Names: not %s', (_, written) => {
    expect(find(tools, written)).toMatchObject({ status: 'invalid', errorType: 'unknown_tool' });
  });

  it('Names: not with fewer than five letters, nor with a digit changed', () => {
    expect(find(box('list'), 'lisd').status).toBe('invalid');
    expect(find(box('search_v1'), 'search_v2').status).toBe('invalid');
  });

  it('Names: the one name among all tools, those that write included', () => {
    expect(find(box('read_files', ['read_filed', 'write']), 'read_filex').status).toBe('invalid');
  });
});

it('Names: Never between two candidates', () => {
  const twins = new Toolbox(
    ['files__read', 'web__read'].map((name) => tool({ name, description: 'D', effect: 'read' })),
  );
  const outcome = find(twins, 'read');
  expect(outcome).toMatchObject({ status: 'invalid', errorType: 'unknown_tool' });
});

describe('Names: Everything else is unknown_tool', () => {
  it('Names: with the closest names and, when there are few, the list', () => {
    const outcome = find(tools, 'read_documents');
    expect(outcome).toMatchObject({ errorType: 'unknown_tool', name: 'read_documents' });
    expect(outcome.problems[0]?.message).toMatch(/read_file/);
    expect(outcome.problems[0]?.message).toContain('getWeather');
    const many = box(...Array.from({ length: 60 }, (_, i) => `tool_number_${i}`));
    expect(find(many, 'something_else').problems[0]?.message).not.toContain('tool_number_59, ');
  });
});

it.each(['', ' ', '⚙', '...', '--'])('Names: A name with no letter or digit never becomes a call: %j', (name) => {
  expect(find(tools, name)).toMatchObject({ status: 'invalid', errorType: 'unknown_tool' });
  const odd = new Toolbox([tool({ name: name || '⚙', description: 'D' })], { validate: false });
  expect(find(odd, name)).toMatchObject({ status: 'invalid', errorType: 'unknown_tool' });
});
