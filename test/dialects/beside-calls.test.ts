/** One item between a dialect's markers that is no call makes the calls beside it data: none of them runs, in any row. */
import { describe, expect, it } from 'vitest';
import { dialects } from '../../src/dialect/dialects/index.ts';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';

const input = { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] } as const;
const toolbox = new Toolbox([
  tool({ name: 'get_user', description: 'Reads', effect: 'read', inputSchema: input }),
  tool({ name: 'set_user', description: 'Writes', effect: 'write', inputSchema: input }),
]);

const rows = dialects.flatMap(({ name, keyed, keys = ['name', 'arguments'], forms }) => {
  const form = forms.find(({ body, bare, readOnly }) => body === 'call' && !bare && !readOnly);
  if (!form) return [];
  const call = (tool: string) =>
    JSON.stringify(keyed ? { [tool]: { id: 5 } } : { [keys[0]]: tool, [keys[1]]: { id: 5 } });
  const marked = (body: string) =>
    `${form.open.replaceAll('~', '')}${body}${form.close?.[0]?.replaceAll('~', '') ?? ''}`;
  return [[name, call, marked] as const];
});
const ran = (text: string, dialect: string, chunk?: number) =>
  readCalls(text, toolbox, { dialect, ...(chunk && { chunk }) }).calls.filter(({ status }) => status !== 'invalid');

const others = ['{"comment": "not yet"}', '{"approved": false}', '{"id": 5}', '"not yet"', '5', 'null', '["a"]'];

describe('a list between markers with an item that is not a call', () => {
  it.each(rows)('%s', (dialect, call, marked) => {
    for (const other of others) {
      for (const body of [`[${call('set_user')}, ${other}]`, `[${other}, ${call('set_user')}]`]) {
        for (const read of [dialect, 'auto'])
          for (const chunk of [undefined, 1, 7]) expect(ran(marked(body), read, chunk), body).toEqual([]);
      }
    }
  });
});

describe('an object between markers, on a separate line, that is not a call', () => {
  it.each(['hermes', 'granite-20b-fc', 'longcat', 'minimax-m1', 'internlm2'])('%s', (dialect) => {
    const [, call, marked] = rows.find(([name]) => name === dialect) as (typeof rows)[number];
    for (const other of others.slice(0, 3))
      for (const read of [dialect, 'auto'])
        expect(ran(marked(`${call('set_user')}\n${other}`), read), other).toEqual([]);
  });
});

describe('an item of a list that names a tool but does not call it', () => {
  it.each(['{"name": "Bob"}', '{"name": "set_user", "status": "done"}', '{"name": "get_user", "result": 5}'])(
    '%s',
    (other) => {
      const text = `<tool_call>[{"name": "set_user", "arguments": {"id": 5}}, ${other}]</tool_call>`;
      for (const dialect of ['hermes', 'auto']) expect(ran(text, dialect)).toEqual([]);
    },
  );
});

describe('a list of Python calls between markers with an item that is not a call', () => {
  it.each(['"not yet"', '5', '{"note": 1}', '# not yet', 'x + 1'])('%s', (other) => {
    const text = `<|tool_call_start|>[set_user(id=5), ${other}]<|tool_call_end|>`;
    for (const chunk of [undefined, 1, 7]) expect(ran(text, 'lfm2', chunk)).toEqual([]);
  });
});

it('reports the fault of the calls in a named dialect', () => {
  const text = '<tool_call>[{"name": "set_user", "arguments": {"id": 5}}, {"comment": "not yet"}]</tool_call>';
  const [call] = readCalls(text, toolbox, { dialect: 'hermes' }).calls;
  expect(call?.status === 'invalid' && call.problems.map(({ message }) => message)).toEqual([
    'Root object is next to text that is not a call; send only calls between the markers',
  ]);
});

describe('guard: only calls between markers', () => {
  it.each(rows.filter(([name]) => name !== 'gigachat3'))('%s', (dialect, call, marked) => {
    for (const chunk of [undefined, 1, 7]) {
      const text = marked(`[${call('get_user')}, ${call('set_user')}]`);
      expect(ran(text, dialect, chunk).map(({ name }) => name)).toEqual(['get_user', 'set_user']);
    }
  });
});
