/** Words behind the fence that closes are words, not its language: a field that stands there is not lost. */
import { describe, expect, it } from 'vitest';
import { JsonReader } from '../../src/json/read-json.ts';
import { closed, mendWith, string, told } from './mend-with.ts';

const schema = closed({ path: string, append: { type: 'boolean' } }, ['path']);
const block = '```json\n{"path": "a"}\n```';

describe('a field behind the closing fence refuses the call', () => {
  it.each([`${block}  append`, `${block}append`, `${block} append\n`, '```json {"path": "a"}``` append'])(
    '%j',
    (args) => expect(told(mendWith(schema, args)).status).toBe('invalid'),
  );
  it.each(['{"path": "a"}\n```  append', '{"path": "a"}\n``` append\n'])('without the opening fence: %j', (args) =>
    expect(told(mendWith(schema, args)).status).toBe('invalid'),
  );
});

describe('other words behind it are prose', () => {
  it.each([`${block} done`, `${block}  ok`, '{"path": "a"}\n``` done'])('%j', (args) => {
    expect(told(mendWith(schema, args))).toEqual({
      status: 'mended',
      input: { path: 'a' },
      repairs: ['fence lossless', 'prose inferred'],
    });
    expect(mendWith(schema, args, { effect: 'destructive' }).status).toBe('invalid');
  });
});

describe('guard: fences alone are lossless', () => {
  it.each([
    block,
    '```\n{"path": "a"}\n```',
    '``` json\n{"path": "a"}\n```',
    '```tool_code\n{"path": "a"}\n```\n',
    '{"path": "a"}\n```',
    `${block}\n${block}`,
  ])('%j', (args) => {
    expect(mendWith(schema, args, { effect: 'destructive' })).toMatchObject({ status: 'mended', input: { path: 'a' } });
    const reader = new JsonReader({ want: 'object' });
    for (const char of args) reader.push(char);
    expect(reader.end()).toMatchObject({ value: { path: 'a' }, problems: [] });
  });
});
