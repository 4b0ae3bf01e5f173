/** A message that is nothing but Python calls is a call in the named dialects of Python, also without the brackets of a list. */
import { describe, expect, it } from 'vitest';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';

const inputSchema = { type: 'object', properties: { title: { type: 'string' } } } as const;
const toolbox = new Toolbox([
  tool({ name: 'create_event', description: 'Creates', effect: 'write', inputSchema }),
  tool({ name: 'delete_event', description: 'Deletes', effect: 'destructive', inputSchema }),
  tool({ name: 'now', description: 'Tells the time', effect: 'read', inputSchema: { type: 'object', properties: {} } }),
]);
const read = (written: string, dialect: string) =>
  [undefined, 1, 3, 7].map((chunk) => {
    const { text, calls } = readCalls(written, toolbox, { dialect, ...(chunk && { chunk }) });
    if (calls.length === 0) return text === written ? 'text' : `changed: ${text}`;
    return calls.map(({ name, status, input }) => `${status} ${name} ${JSON.stringify(input)}`).join('; ');
  });
const all = (result: string) => Array(4).fill(result);

describe.each(['pythonic', 'llama4-pythonic'])('%s', (dialect) => {
  it.each([
    ['create_event(title="x")', 'ok create_event {"title":"x"}'],
    ['delete_event(title="x")', 'ok delete_event {"title":"x"}'],
    ['create_event(title="x")\nnow()', 'ok create_event {"title":"x"}; ok now {}'],
    ['now()', 'ok now {}'],
    ['now()\n\nnow()\n', 'ok now {}; ok now {}'],
    ['now(), now()', 'ok now {}; ok now {}'],
    ['  now()', 'ok now {}'],
    ['<think>Hm.</think>\nnow()', 'ok now {}'],
    ['now()<|eot|>', 'ok now {}'],
    ['```\nnow()\n```', 'ok now {}'],
    ['```tool_code\nnow()\n```', 'ok now {}'],
    ['functions.now()', 'mended now {}'],
  ])('reads %j', (written, calls) => {
    expect(read(written, dialect)).toEqual(all(calls));
  });

  it('ends on a name with an invisible sign, which the body cannot read', () => {
    for (const written of ['[create_\u200bevent(title="x")]', 'create_\u200bevent(title="x")', '[now\u2060()]'])
      expect(read(written, dialect)).toEqual(all('text'));
  });

  it('finds indented code to be text, whatever the size of the chunks', () => {
    for (const code of ['    now()', '    [now()]', '\n\n\tnow()']) expect(read(code, dialect)).toEqual(all('text'));
  });

  it.each([
    'now() is the function.',
    'I call now()',
    'now',
    'now() # note',
    '# now()',
    'now() + 1',
    'now().x',
    'x = now()',
    'other()',
    'other(1)\nnow()',
    'now()\nother()',
    'Hi (there)',
    'now()\n\nDone.',
    'create_event(title="x") fails.',
  ])('guard: leaves %j as text', (written) => {
    expect(read(written, dialect)).toEqual(all('text'));
  });

  it('refuses a call that is cut off, or has an expression for a value', () => {
    expect(readCalls('create_event(title="x', toolbox, { dialect }).calls[0]).toMatchObject({ errorType: 'truncated' });
    expect(readCalls('create_event(title=x)', toolbox, { dialect }).calls[0]?.status).toBe('invalid');
  });
});
